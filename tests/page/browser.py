"""The page to play with (tools/page), in headless Chromium: clicks, keys and dropped files, and what it then
shows, beside what the program kport says.

usage: browser.py PAGE.html PROGRAM [SCREENSHOTS]     SCREENSHOTS is a folder that pictures go to
"""

import json
import pathlib
import re
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from tap import Tests, execute

page = pathlib.Path(sys.argv[1]).resolve()
program = str(pathlib.Path(sys.argv[2]).resolve())
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
folder = pathlib.Path(tempfile.mkdtemp())
tests = Tests()
LIMIT = 20  # seconds, after which something hangs

options = webdriver.ChromeOptions()
options.binary_location = "/usr/bin/chromium"
for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


# --- The browser ---


def script(text, *arguments):
    return browser.execute_script(text, *arguments)


def find(name):
    return browser.find_element(By.ID, name)


def until(holds):
    """Waits until it holds, and returns whether it does."""
    end = time.monotonic() + LIMIT
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def shown():
    """What the page says it shows: a problem string or the name of a file; None while it changes."""
    return script("return document.documentElement.dataset.ready ?? null")


def window(width, height, dark=False, still=True):
    """Sets the size, light or dark, and whether blocks stay where they are (prefers-reduced-motion)."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})  # fmt: skip
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]})  # fmt: skip


def visit(address=""):
    """Opens the page anew. The address is that behind the #."""
    browser.get("about:blank")
    browser.get(page.as_uri() + (f"#{address}" if address else ""))
    until(lambda: shown() is not None or sentence())


def picture(name):
    if pictures:
        pictures.mkdir(exist_ok=True)
        browser.save_screenshot(str(pictures / f"{name}.png"))


def sentence():
    return find("sentence").text


def problem():
    return find("problem").get_attribute("value")


def ask(text):
    """Types a problem string."""
    field = find("problem")
    field.send_keys(Keys.CONTROL + "a", Keys.DELETE)
    field.send_keys(text, Keys.TAB)


def enter(name, value):
    """Types a number over the one in the field beside a slider."""
    field = find(f"{name}-number")
    field.send_keys(Keys.CONTROL + "a")
    field.send_keys(value, Keys.ENTER)


def press(*keys):
    """Presses keys while no control has the focus."""
    script("document.activeElement.blur()")
    ActionChains(browser).send_keys(*keys).perform()


def drop(path):
    script("""const data = new DataTransfer();
        data.items.add(new File([arguments[1]], arguments[0]));
        delete document.documentElement.dataset.ready;
        document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));""",
           path.name, path.read_text())  # fmt: skip
    until(lambda: shown() == path.name or sentence())


def grids():
    """The memory on the page: for each space its rows."""
    return script("""return Object.fromEntries([...document.querySelectorAll("#stage table")].map(table =>
        [table.className, [...table.rows].map(row => [...row.cells].slice(1).map(cell => cell.textContent || "."))]))""")


def facts():
    return {name: int(re.sub(r"\D", "", re.match(rf"{name} ([\d,]+)", find(f"fact-{name}").text)[1])) for name in ["C1", "C2"]}


# --- The program ---


def kport(*arguments):
    return execute([program, *arguments])


def cost(text):
    return json.loads(kport("cost", text, "--json", "--tune", "builtin").stdout)


def said_by(*arguments):
    return re.sub(r"(?m)^kport: ", "", kport(*arguments).stderr).strip()


def last_memory(text):
    """The incoming buffers after the last round, out of the text of kport show."""
    lines = kport("show", text, "--tune", "builtin").stdout.splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("in ")]
    rows = []
    for line in lines[heads[-1] + 1:]:
        if not re.match(r"\d+ ", line):
            break
        rows.append([word.rstrip("*") for word in line.split()[1:]])
    return rows


# --- Facts and memory, operation by operation, by the lists ---

window(1280, 900)
visit()
tests.check(problem() == "index:n=8,k=1,b=64,alg=radix,r=2", "the page opens with a problem", problem())
tests.check(facts() == {"C1": cost(problem())["c1"], "C2": cost(problem())["c2"]}, "C1 and C2 are kport's", facts())
picture("desktop-light")
operations = [option.get_attribute("value") for option in Select(find("operation")).options]
listed = {row["operation"] for row in json.loads(kport("list", "--json").stdout)["algorithms"]}
tests.check(set(operations) == listed - {"barrier"}, "the list has all operations that move blocks", [operations, listed])
for operation in operations:
    before = problem()
    if operation != before.split(":")[0]:
        Select(find("operation")).select_by_value(operation)
        until(lambda: (shown() or "").startswith(f"{operation}:"))
    wanted = cost(problem())
    tests.check(facts() == {"C1": wanted["c1"], "C2": wanted["c2"]}, f"{operation}: C1 and C2 are kport's", [facts(), wanted])
    press(Keys.END)
    tests.check(until(lambda: grids().get("in") == last_memory(problem())), f"{operation}: the memory at the end is kport's",
                [problem(), grids()])  # fmt: skip

# --- Lists and sliders ---

visit("index:n=6,k=2,b=8")
refused = {option.get_attribute("value"): option.get_attribute("title") for option in Select(find("algorithm")).options
           if not option.is_enabled()}  # fmt: skip
tests.check({"pairwise", "in-turn"} <= set(refused) and "radix" not in refused, "algorithms that do not serve cannot be chosen", refused)
tests.check(all(why == said_by("cost", f"index:n=6,k=2,b=8,alg={name}") for name, why in refused.items()),
            "why they do not serve is kport's sentence", refused)  # fmt: skip
Select(find("algorithm")).select_by_value("literal")
tests.check(until(lambda: shown() == "index:n=6,k=2,b=8,alg=literal"), "an algorithm is chosen by the list", problem())
for name, key, wanted in [("r", Keys.END, "index:n=6,k=2,b=8,alg=literal,r=6"), ("r", Keys.ARROW_LEFT, "index:n=6,k=2,b=8,alg=literal,r=5"),
                          ("n", Keys.ARROW_LEFT, "index:n=5,k=2,b=8,alg=literal,r=5"), ("n", Keys.ARROW_LEFT, "index:n=4,k=2,b=8,alg=literal,r=4"),
                          ("k", Keys.END, "index:n=4,k=3,b=8,alg=literal,r=4"), ("n", Keys.ARROW_LEFT, "index:n=3,k=2,b=8,alg=literal,r=3"),
                          ("b", Keys.ARROW_RIGHT, "index:n=3,k=2,b=16,alg=literal,r=3")]:  # fmt: skip
    find(name).send_keys(key)
    tests.check(until(lambda: shown() == wanted), f"the slider of {name} leads to {wanted}", problem())
    focus = script("return document.activeElement.id")
    tests.check(focus == name and facts()["C2"] == cost(wanted)["c2"], "and keeps the focus", [focus, facts()])
enter("b", "1000")
tests.check(until(lambda: shown() == "index:n=3,k=2,b=1000,alg=literal,r=3"), "a number is typed beside its slider", problem())

# --- What cannot be ---

for text in ["index:n=6,k=1,b=3,alg=pairwise", "index:n=5,k=9,b=3", "index:n=5,k=1,b=3,alg=radix,r=77", "indes:n=4", "allreduce:n=4,k=1,b=3", ""]:
    ask(text)
    wanted = said_by("cost", text)
    tests.check(until(lambda: sentence() == wanted), f'"{text}": kport\'s own sentence', [sentence(), wanted])
    tests.check("stale" in find("picture").get_attribute("class"), "the picture is not taken for its own")
ask("index:n=6,k=1,b=3,alg=pairwise")
until(lambda: "pairwise" in sentence() and find("n").get_attribute("value") == "6")
find("n").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
tests.check(until(lambda: shown() == "index:n=8,k=1,b=3,alg=pairwise") and not sentence(), "the slider of n leads out of it", problem())

# --- Rounds ---

visit("index:n=5,k=1,b=1,alg=literal,r=2")
steps = [grids()]
for _ in range(4):
    press(Keys.ARROW_RIGHT)
    steps.append(grids())
text = kport("show", "index:n=5,k=1,b=1,alg=literal,r=2").stdout
tests.check(len({json.dumps(step) for step in steps}) == 5, "each round changes the memory", steps)
tests.check(find("caption").text.startswith("After round 2") and not find("forward").is_enabled(), "the arrow key goes to the end", find("caption").text)
back = [grids()]
for _ in range(4):
    press(Keys.ARROW_LEFT)
    back.append(grids())
tests.check(back == steps[::-1] and not find("back").is_enabled(), "the other arrow key goes back the same way")
find("forward").click()
find("forward").click()
arrows = script("return [...document.querySelectorAll('.arrow title')].map(title => title.textContent)")
distance = int(re.search(r"(?m)^1 +0 +i +i \+ (\d+)", text)[1])
wanted = [f"{i} to {(i + distance) % 5}, port 0" for i in range(5)]
tests.check(find("caption").text == "After round 0. Next: round 1, 5 messages." and arrows == wanted, "an arrow for each message of the next round", [arrows, wanted])
script("document.querySelector('#stage .in .block, #stage .scratch .block').click()")
followed = script("return [...document.querySelectorAll('#stage .followed')].map(cell => cell.textContent)")
tests.check(len(followed) > 1 and len(set(followed)) == 1, "a tapped block is followed", followed)

window(1280, 900, still=False)
visit("index:n=5,k=1,b=1,alg=radix,r=2")
press(Keys.ARROW_RIGHT)
flying = []
until(lambda: flying.append(script("return document.querySelectorAll('.fly').length")) or find("caption").text.startswith("After the local"))
tests.check(max(flying) == 5, "blocks fly in the local moves, one of each processor", flying)
press(Keys.ARROW_RIGHT)
landings = script("""return [...document.querySelectorAll(".fly")].map(flyer =>
    [flyer.textContent, flyer.getAnimations()[0].effect.getKeyframes().at(-1).transform.match(/[\\d.]+/g).map(Number)])""")
until(lambda: find("caption").text.startswith("After round 0"))
cells = script("""return [...document.querySelectorAll("#stage td")].map(cell =>
    [cell.textContent, [cell.offsetLeft + cell.offsetParent.offsetLeft, cell.offsetTop + cell.offsetParent.offsetTop]])""")
tests.check(len(landings) == 10 and all(landing in cells for landing in landings), "ten blocks fly in round 0, each to where it then is", [landings, cells])
tests.check(script("return document.querySelectorAll('.fly').length") == 0, "and nothing is left flying")
press(Keys.HOME)
press(Keys.SPACE)
tests.check(find("play").get_attribute("aria-label") == "pause", "Space plays")
tests.check(until(lambda: find("caption").text.endswith("The end.") and find("play").get_attribute("aria-label") == "play"), "it plays to the end, and stops")

# --- The address ---

window(1280, 900)
visit("index:n=5,k=1,b=3,alg=literal,r=2")
press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
until(lambda: find("caption").text.startswith("After round 0"))
for name, value in [("beta", "50"), ("tau", "0.25")]:
    enter(name, value)
    until(lambda: shown() and script("return location.hash").endswith(f"{name}={value}"))
    until(lambda: find("fact-time").text)
address = script("return location.hash")[1:]
tests.check(address == "index:n=5,k=1,b=3,alg=literal,r=2&step=2&beta=50&tau=0.25", "the address has the problem, the round and the model", address)
before = [find("caption").text, grids(), find("facts").text, find("chart").get_attribute("innerHTML"), problem()]
visit(address)
after = [find("caption").text, grids(), find("facts").text, find("chart").get_attribute("innerHTML"), problem()]
tests.check(before == after, "another visit to the address shows the same", [before[0], after[0], before[2], after[2]])
counted = cost("index:n=5,k=1,b=3,alg=literal,r=2")
tests.check(f"Time {50 * counted['c1'] + 0.25 * counted['c2']:.4g} µs" in find("fact-time").text, "the time is C1 beta + C2 tau", find("fact-time").text)
script("location.hash = '#concat:n=4,k=1,b=8'")
tests.check(until(lambda: shown() == "concat:n=4,k=1,b=8"), "the page follows the address")

# --- The curve ---

visit("index:n=8,k=1,b=64,alg=radix,r=2")
rows = json.loads(kport("compare", "index", "--n", "8", "--k", "1", "-m", "1:1M", "--json").stdout)["rows"]
names = list(dict.fromkeys(re.search("alg=([^,]*)", row["problem"])[1] for row in rows))
buttons = find("legend").find_elements(By.TAG_NAME, "button")
tests.check([button.text for button in buttons] == names, "a line for each algorithm that serves", names)
path = script("return document.querySelector('.line.own path').getAttribute('d')")
find("beta").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
tests.check(until(lambda: script("return document.querySelector('.line.own path').getAttribute('d')") != path), "the slider of beta moves the curve")
buttons = find("legend").find_elements(By.TAG_NAME, "button")
buttons[names.index("ring")].click()
tests.check(until(lambda: shown() == "index:n=8,k=1,b=64,alg=ring"), "its legend chooses an algorithm", problem())

# --- Files ---

wrong = folder / "wrong.txt"
wrong.write_text("""kport schedule 1
problem concat:n=3,k=1,b=8
round 0
  0 -> 1: out[0] -> in[0]
  1 -> 2: out[0] -> in[1]
  2 -> 0: out[0] -> in[2]
round 1
  0 -> 1: in[1] -> in[2]
""")  # fmt: skip
drop(wrong)
finding = json.loads(kport("check", f"@{wrong}", "--json").stdout)["findings"][0]
verdict = find("verdict").text
tests.check(finding["sentence"].replace(str(wrong), wrong.name) in verdict and finding["account"].split("\n")[0] in verdict, "a wrong file: kport's sentence and account", verdict)
tests.check(find("caption").text == "After round 0. Round 1 is wrong.", "the first wrong round is shown", find("caption").text)
bad = script("return [...document.querySelectorAll('.arrow.wrong title')].map(title => title.textContent)")
tests.check(bad == ["what is wrong: 0 to 1"] and not find("forward").is_enabled(), "its message is marked", bad)
picture("wrong-file")
press(Keys.ARROW_LEFT)
tests.check(find("caption").text.startswith("Before") and not script("return document.querySelectorAll('.arrow.wrong').length"), "a step back is right")
for name, contents in [("missing", "kport schedule 1\nproblem concat:n=3,k=1,b=8\nround 0\n  0 -> 1: out[0] -> in[0]\n"),
                       ("ports", "kport schedule 1\nproblem broadcast:n=3,k=1,b=8\nround 0\n  0 -> 1: out[0] -> in[0]\n  0 -> 2: out[0] -> in[0]\n")]:  # fmt: skip
    path = folder / f"{name}.txt"
    path.write_text(contents)
    drop(path)
    found = json.loads(kport("check", f"@{path}", "--json").stdout or '{"findings": []}')["findings"]
    wanted = (found[0]["sentence"] if found else said_by("check", f"@{path}").partition(": ")[2]).replace(str(path), path.name)
    tests.check(wanted and (wanted in find("verdict").text or wanted in sentence()), f"{name}: kport's sentence", [find("verdict").text, sentence(), wanted])
nonsense = folder / "nonsense.txt"
nonsense.write_text("hello\n")
drop(nonsense)
wanted = said_by("check", f"@{nonsense}").replace(str(nonsense), nonsense.name)
tests.check(sentence() == wanted, "a file that is no schedule: kport's sentence", [sentence(), wanted])
right = folder / "right.json"
right.write_text(kport("export", "allreduce:n=5,k=2,count=3", "--format", "json").stdout)
drop(right)
tests.check("right.json: right" in find("verdict").text and facts()["C1"] == cost(f"@{right}")["c1"], "a right file of JSON", find("verdict").text)
press(Keys.END)
tests.check(until(lambda: grids()["in"] == [["0-4"] * 5]), "and its memory at the end", grids())
xml = folder / "right.xml"
xml.write_text(kport("export", "allreduce:n=4,k=1,count=4,alg=recursive-doubling", "--format", "msccl").stdout)
drop(xml)
tests.check("right.xml: right" in find("verdict").text and len(grids()["in"][0]) == 4, "a right file of MSCCL", find("verdict").text)
broken = folder / "broken.xml"
broken.write_text(re.sub(r'type="rrc"', 'type="r"', xml.read_text(), count=1))
drop(broken)
findings = json.loads(kport("check", str(broken), "--json").stdout)["findings"]
tests.check("broken.xml: wrong" in find("verdict").text and findings[0]["sentence"] in find("verdict").text, "a wrong file of MSCCL: kport's sentence", [find("verdict").text, findings[:1]])
find("leave").click()
tests.check(until(lambda: shown() == "index:n=8,k=1,b=64,alg=ring") and find("fields").is_displayed(), "the button leads back to problems")

# --- A phone, light and dark ---


def luminance(colour):
    red, green, blue = (float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3])
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def style(selector, name):
    return script("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)


papers = {}
for dark in (False, True):
    mode = "dark" if dark else "light"
    for width, height in [(360, 740), (320, 568), (740, 360)]:
        window(width, height, dark)
        for text in ["index:n=8,k=2,b=64,alg=radix,r=3&step=2", "index:n=16,k=1,b=64,alg=literal,r=2&step=2", "concat:n=40,k=2,b=64", "allreduce:n=6,k=2,count=9"]:
            visit(text)
            wide = script("return [document.documentElement.scrollWidth, innerWidth]")
            tests.check(wide[0] <= wide[1] == width, f"{width} x {height}, {mode}, {text}: nothing is wider than the window", wide)
            small = script("""return [...document.querySelectorAll("button, select, input[type=number], .button")]
                .filter(element => element.offsetParent && element.getBoundingClientRect().height < 28).map(element => element.outerHTML)""")
            tests.check(not small, "what is tapped is high enough", small)
        picture(f"phone-{width}-{mode}")
    visit("index:n=8,k=2,b=64,alg=radix,r=3&step=2")
    papers[mode] = style("body", "backgroundColor")
    card = style(".card", "backgroundColor")
    for selector in ["h1", ".slider label", "#caption", ".soft", "#stage td.block"]:
        ground = style(selector, "backgroundColor") if "block" in selector else card if selector != "h1" else papers[mode]
        ratio = contrast(style(selector, "color"), ground)
        tests.check(ratio >= 4.5, f"{mode}: {selector} can be read", [ratio, style(selector, "color"), ground])
tests.check(contrast(papers["light"], papers["dark"]) > 8, "light and dark differ", papers)

# --- Keys alone ---

window(360, 740)
visit("index:n=6,k=1,b=64,alg=radix,r=2")
find("problem").click()
passed = []
for _ in range(40):
    ActionChains(browser).send_keys(Keys.TAB).perform()
    passed.append(script("return document.activeElement.id"))
wanted = ["operation", "algorithm", "n", "k", "b", "r", "back", "play", "forward", "last", "step", "beta", "tau", "file"]
tests.check(set(wanted) - {"back"} <= set(passed), "Tab leads to every control", passed)
unnamed = script("""return [...document.querySelectorAll("button, select, input")].filter(element => !element.getAttribute("aria-label")
    && !element.textContent.trim() && !element.labels?.length).map(element => element.outerHTML)""")
tests.check(not unnamed, "every control has a name", unnamed)

# --- Nothing from elsewhere ---

loaded = script("return performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith('blob:') && !name.startsWith('data:'))")
tests.check(not loaded, "the page loads nothing beside itself", loaded)
log = [entry for entry in browser.get_log("browser")]
tests.check(not log, "the console is empty", log)
browser.quit()
tests.end()
