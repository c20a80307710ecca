"""kport figures: what it refuses, what lies in the folder then, and that nothing does after a failure.

usage: figures_command.py PROGRAM [stress]
"""

import csv
import html
import html.parser
import math
import os
import pathlib
import re
import sys
import tempfile
import time
import xml.etree.ElementTree

from tap import Tests, execute, said

program = os.path.abspath(sys.argv[1])
stress = len(sys.argv) > 2
tests = Tests()
has_fibers = "switched by" in execute([program, "--version"]).stdout
carriers = ["threads", "fibers"] if has_fibers else ["threads"]
home = tempfile.TemporaryDirectory()
root = pathlib.Path(home.name)
QUICK_SIZES = {8, 64, 512, 4096}
SVG = "{http://www.w3.org/2000/svg}"
SMALL = ["--quick", "--only", "figure4", "--carrier", "threads", "--n", "4", "--seconds", "60"]


def figures(folder, *arguments, **options):
    return execute([program, "figures", folder, *arguments], **options)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


# --- Refusals ---


def check_refusals():
    file = root / "file"
    file.write_text("")
    for arguments, words in [
        ([], ["DIR is missing"]),
        ([root / "a", "--only", "figure4,figure7"], ["figure7", "figure4, figure5, figure6, concat"]),
        ([root / "a", "--only", ""], ["--only", "peers, peers-concat"]),
        ([root / "a", "--only", "peers-all"], ["peers-all", "peers, peers-concat, peers-allreduce"]),
        ([root / "a", "--carrier", "processes"], ["processes", "threads or fibers"]),
        ([root / "a", "--n", "1"], ["--n", '"1"', "2 ... 4096"]),
        ([root / "a", "--seconds", "0"], ["--seconds", '"0"']),
        ([root / "a", root / "b"], [str(root / "b")]),
        ([file], [str(file), "folder"]),
        ([file / "below"], [str(file / "below"), "folder"]),
        ([root / "no" / "such"], [str(root / "no" / "such"), "folder"]),
    ]:
        result = execute([program, "figures", *arguments])
        right = result.returncode == 2 and not result.stdout and all(word in result.stderr for word in words)
        tests.check(right, f"refuses {' '.join(map(str, arguments)).replace(home.name, '')}", said(result))
    if os.geteuid() != 0:
        locked = root / "locked"
        locked.mkdir(mode=0o500)
        result = figures(locked)
        tests.check(result.returncode == 2 and str(locked) in result.stderr, "refuses a locked folder", said(result))
    tests.check(names_in(root) in (["file"], ["file", "locked"]), "refusals leave nothing", names_in(root))


def check_small():
    """Data, picture and page of a small figure."""
    folder = root / "small"
    before = time.time()
    result = figures(folder, *SMALL)
    name = "figure4-threads"
    wanted = [f"{name}.csv", f"{name}.svg", "index.html"]
    if not tests.check(result.returncode == 0 and names_in(folder) == wanted, "a small figure", said(result)):
        return
    rows = rows_of(folder / f"{name}.csv")
    check_figure4(rows, 4, "threads")
    check_pictures(folder, name)
    check_page(folder, [name])
    check_bands(folder / f"{name}.svg", rows)
    check_machine(folder, before)


def curves_of(picture):
    """The y of each point of the curves and bands, by series, from the top: {(series, class): [y]}."""
    found = {}
    for group in xml.etree.ElementTree.parse(picture).getroot().iter(SVG + "g"):
        for path in group.iter(SVG + "path"):
            name = path.get("class").split()
            if name[0] == "band" or name[:2] == ["curve", "s0"]:
                places = re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d"))
                if len(places) > 1:  # not the legend
                    found[group.get("class"), name[0]] = [float(y) for _, y in places]
    return found


def check_bands(picture, rows):
    """A band lies where the quartiles of the data are: y is linear in the logarithm of a time."""
    drawn, wanted, got = curves_of(picture), [], []
    for i, series in enumerate(dict.fromkeys(r["series"] for r in rows)):
        own = [r for r in rows if r["series"] == series]
        times = [r["time_us"] for r in own]
        band = [r["q1_us"] for r in own] + [r["q3_us"] for r in reversed(own)]
        for kind, values in (("curve", times), ("band", band)):
            wanted += [math.log(float(value)) for value in values]
            got += drawn.get((f"c{i}", kind), [])
    if not tests.check(len(got) == len(wanted) > 8, "bands: every curve has its band", (drawn, rows)):
        return
    low, high = (wanted.index(f(wanted)) for f in (min, max))
    slope = (got[high] - got[low]) / (wanted[high] - wanted[low])
    far = [(y, w) for y, w in zip(got, wanted) if abs(got[low] + slope * (w - wanted[low]) - y) > 0.3]
    tests.check(not far and slope < 0, "bands: from the first to the third quartile of the data", far)


def check_machine(folder, before):
    """The page and each picture say where and when it was measured; the page says under which load."""
    page = html.unescape((folder / "index.html").read_text())
    picture = html.unescape((folder / "figure4-threads.svg").read_text())
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    model = model[1] if model and model[1].isascii() else ", "
    days = {time.strftime("%Y-%m-%d", time.gmtime(when)) for when in (before, time.time())}
    for name, text in (("page", page), ("picture", picture)):
        right = model in text and re.search(r"\d cores; kport \d", text) and any(day in text for day in days)
        tests.check(right, f"{name}: processor, cores, version and date", text[:3000])
    loads = re.findall(r"(?:measurement|after it): (\d+\.\d\d) \d+\.\d\d \d+\.\d\d", page)
    tests.check(len(loads) == 2 and f", load {loads[0]}" in picture, "load before and after", (loads, page[:3000]))


def check_styles():
    """Every algorithm of the concatenation that serves 16 processors is drawn."""
    options = ["--quick", "--only", "concat", "--carrier", "threads", "--n", "16", "--seconds", "60"]
    result = figures(root / "styles", *options)
    picture = root / "styles" / "concat-threads.svg"
    drawn = curves_of(picture) if picture.exists() else {}
    wanted = {r["series"] for r in rows_of(root / "styles" / "concat-threads.csv") if r["time_us"]}
    curves = [key for key in drawn if key[1] == "curve"]
    tests.check(len(wanted) > 11 and len(curves) == len(wanted), "concat: every algorithm is drawn", said(result))


def check_without_points():
    """Of so many processors nothing can be measured in that time. What an earlier run has drawn goes."""
    folder = root / "pointless"
    folder.mkdir()
    for file in ("figure4-threads.svg", "mine.svg"):
        (folder / file).write_text("old")
    kinds = ["--only", "figure4,scaling", "--carrier", "threads", "--n", "4096"]
    # On a busy machine a point may take longer than the whole time, which then comes to nothing.
    for seconds in ("4", "3", "2") * 3:
        result = figures(folder, *kinds, "--quick", "--seconds", seconds)
        if "the time announced is over" not in result.stderr:
            break
    right = result.returncode == 1 and not result.stdout
    right = right and "figure4-threads: 48 of 48 points are left out: 48 for want of time\n" in result.stderr
    tests.check(right and "figure4-threads has no point" in result.stderr, "no point: said, status 1", said(result))
    wanted = ["figure4-threads.csv", "index.html", "mine.svg", "scaling.csv", "scaling.svg"]
    if tests.check(names_in(folder) == wanted, "no point: not drawn", names_in(folder)):
        page = (folder / "index.html").read_text()
        pictures = Page(page).pictures
        tests.check(pictures == 1 and "no picture" in page, "no point: the page says so", pictures)


def check_unmeasured_kinds():
    """A build without peers refuses them by name, and goes on without them else."""
    result = figures(root / "peerless", "--only", "peers", "--seconds", "1")
    if "built without peers" not in result.stderr:
        tests.skip("figures of a build without peers", "this one has them")
        return
    right = result.returncode == 2 and not result.stdout and not (root / "peerless").exists()
    tests.check(right, "figures of a build without peers: refused by name", said(result))


def check_peers():
    """Concatenation and allreduce are drawn beside the peers, as the index is."""
    folder = root / "beside"
    kinds = {"peers-concat": ("concat", {"kport", "pthread_barrier_t"}), "peers-allreduce": ("allreduce", {"kport"})}
    result = figures(folder, "--only", ",".join(kinds), "--quick")
    if "built without peers" in result.stderr:
        tests.skip("figures beside peers", "this build has none")
        return
    for kind, (operation, wanted) in kinds.items():
        rows = rows_of(folder / f"{kind}.csv")
        there = {row["series"] for row in rows if row["time_us"]}
        tests.check({row["operation"] for row in rows} == {operation} and wanted <= there,
                    f"{kind}: kport and others", said(result))  # fmt: skip


# --- Data ---


def check_times(rows, name):
    columns = ("least_us", "q1_us", "time_us", "q3_us", "p90_us")
    times = [[float(r[column]) for column in columns] for r in rows if r["calls"]]
    wrong = [row for row in times if row != sorted(row) or row[0] <= 0]
    tests.check(times and not wrong, f"{name}: least, quartiles, median and 90th percentile in order", wrong)


def check_model(rows, name):
    """One beta and one tau for all of them, none negative; and no better ones nearby."""
    rows = [r for r in rows if r["model_us"]]
    data = [(float(r["c1_rounds"]), float(r["c2_bytes"]), float(r["model_us"]), float(r["time_us"])) for r in rows]
    (a, b, y, _), (c, d, z, _) = data[0], max(data, key=lambda row: row[1] / row[0])
    tau = (z * a - y * c) / (d * a - b * c)
    beta = (y - b * tau) / a
    far = [row for row in data if not math.isclose(row[0] * beta + row[1] * tau, row[2], rel_tol=0.01)]
    tests.check(not far and beta > -1e-6 and tau > -1e-6, f"{name}: linear in C1 and C2", (beta, tau, far))

    def error(beta, tau):
        return sum(((c1 * beta + c2 * tau) / measured - 1) ** 2 for c1, c2, _, measured in data)

    others = [error(beta * s, tau * t) for s in (0.9, 1, 1.1) for t in (0.9, 1, 1.1)]
    tests.check(error(beta, tau) <= min(others) * 1.001, f"{name}: nothing nearby fits better", (beta, tau, others))


def check_figure4(rows, n, carrier):
    name = f"figure4-{carrier}, n = {n}"
    radices = {r for r in (2, 4, 8, 16, 32, 64) if r < n} | {n}
    found = [(int(r["radix"]), int(r["block_bytes"])) for r in rows]
    wanted = {(r, b) for r in radices for b in QUICK_SIZES}
    tests.check(set(found) == wanted and len(found) == len(wanted), f"{name}: every radix and size once", found)
    same = all(r["carrier"] == carrier and int(r["processors"]) == n and r["ports"] == "1" for r in rows)
    tests.check(same, f"{name}: n, k and the carrier", rows)
    check_times(rows, name)
    check_model(rows, name)
    for row in rows[:1] + rows[-1:]:
        problem = f"index:n={n},k=1,b={row['block_bytes']},alg=radix,r={row['radix']}"
        printed = execute([program, "cost", problem]).stdout.split()
        cost = [printed[printed.index("C1") + 1], printed[printed.index("C2") + 1]]
        tests.check([row["c1_rounds"], row["c2_bytes"]] == cost, f"{name}: cost of {problem}", (row, cost))


def check_figure5(rows, n, carrier):
    name = f"figure5-{carrier}, n = {n}"
    best = {int(r["block_bytes"]): float(r["time_us"]) for r in rows if r["series"] == "the best of them"}
    least = {b: min(float(r["time_us"]) for r in rows if int(r["block_bytes"]) == b) for b in QUICK_SIZES}
    tests.check(best == least, f"{name}: the best of each size", (best, least))
    chosen = {int(r["block_bytes"]): int(r["radix"]) for r in rows if r["series"] == "the tuner's choice"}
    told = {}
    for b in QUICK_SIZES:
        printed = execute([program, "cost", f"index:n={n},k=1,b={b},alg=radix"]).stdout
        told[b] = int(printed.split("r=")[1].split()[0])
    tests.check(chosen == told, f"{name}: the tuner's choice is that of kport cost", (chosen, told))


def check_figure6():
    """Not the coarse grid: all radices."""
    folder = root / "radices"
    result = figures(folder, "--only", "figure6", "--carrier", "threads", "--n", "5", "--seconds", "60")
    data = folder / "figure6-threads.csv"
    if tests.check(data.exists(), "figure6 of 5 threads", said(result)):
        found = sorted((int(r["block_bytes"]), int(r["radix"])) for r in rows_of(data) if r["time_us"])
        wanted = sorted((b, r) for b in (32, 64, 128, 1024, 8192) for r in range(2, 6))
        tests.check(found == wanted, "figure6: every radix from 2 to n", found)


def check_scaling(rows):
    found = sorted((r["operation"], r["carrier"], int(r["processors"])) for r in rows if r["time_us"])
    wanted = sorted((o, c, n) for o in ("barrier", "allreduce", "index") for c in carriers for n in (2, 8))
    tests.check(found == wanted, "scaling: every operation, carrier and n", found)
    check_times(rows, "scaling")


# --- Pictures and the page ---


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.pictures, self.open, self.elsewhere = 0, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.pictures += tag == "svg"
        if tag not in ("meta", "link"):
            self.open.append(tag)
        for name in ("src", "href"):
            if name in values and not values[name].startswith(("data:", "#")):
                self.elsewhere.append(values[name])

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.elsewhere.append(f"</{tag}> closes something else")


def check_page(folder, names):
    text = (folder / "index.html").read_text()
    page = Page(text)
    tests.check(not page.open and not page.elsewhere, "page: closed, and all it shows is in it", page.elsewhere)
    without = text.replace("http://www.w3.org/", "")
    tests.check("http" not in without and "@import" not in without and "url(" not in without, "page: fetches nothing")
    places = [text.find((folder / f"{name}.svg").read_text()) for name in names]
    right = page.pictures == len(names) and places == sorted(places) and -1 not in places
    tests.check(right, "page: every figure, in order", places)
    data = all((folder / f"{name}.csv").read_text().split("\n")[1] in html.unescape(text) for name in names)
    tests.check(data, "page: the data of every figure")


def check_pictures(folder, name):
    picture = (folder / f"{name}.svg").read_text()
    drawn = " ".join(xml.etree.ElementTree.fromstring(picture).itertext())
    rows = [r for r in rows_of(folder / f"{name}.csv") if r["time_us"]]
    series = {r["series"] for r in rows}
    if name.startswith("figure5"):
        series &= {"r = 2", "r = 8", "the tuner's choice", "the best of them"}
    missing = [s for s in series if s not in drawn]
    tests.check(series and not missing, f"{name}.svg: well-formed, every series by its name", missing)
    outside = picture.replace("http://www.w3.org/", "")
    tests.check("http" not in outside and "script" not in outside, f"{name}.svg: needs nothing else")
    tests.check("time of a call" in drawn and "µs" in drawn, f"{name}.svg: axes with units", drawn)


def check_all():
    folder = root / "new" / ""
    kinds = "figure4,figure5,figure6,concat,scaling"
    result = figures(folder, "--quick", "--n", "8", "--only", kinds, "--seconds", "60")
    if not tests.check(result.returncode == 0, "figures of 8 processors", said(result)):
        return
    told = [line for line in result.stderr.splitlines() if not line.startswith("kport figures: ")]
    tests.check(not told, "nothing else is said", told)
    names = [f"{kind}-{c}" for kind in ("figure4", "figure5", "figure6", "concat") for c in carriers] + ["scaling"]
    wanted = sorted([f"{name}.{e}" for name in names for e in ("csv", "svg")] + ["index.html"])
    tests.check(names_in(folder) == wanted, "the folder holds these files and no others", names_in(folder))
    tests.check([line.split(":")[0] for line in result.stdout.splitlines()] == names, "a remark for each", said(result))
    for carrier in carriers:
        check_figure4(rows_of(folder / f"figure4-{carrier}.csv"), 8, carrier)
        check_figure5(rows_of(folder / f"figure5-{carrier}.csv"), 8, carrier)
        check_times(rows_of(folder / f"concat-{carrier}.csv"), f"concat-{carrier}")
    check_scaling(rows_of(folder / "scaling.csv"))
    for name in names:
        check_pictures(folder, name)
    check_page(folder, names)


# --- Time, and what is there already ---


def check_time():
    """More than can be done in that time: it ends, and says what is left out."""
    folder = root / "hurried"
    began = time.monotonic()
    quiet = os.environ.pop("KPORT_QUIET", "1")
    result = figures(folder, "--only", "figure4", "--seconds", "6")
    os.environ["KPORT_QUIET"] = quiet
    seconds = time.monotonic() - began
    tests.check("at most 6 s" in result.stderr, "announces its time", said(result))
    tests.check(re.search(r"all points want about \d+ s; with less time some are missing", result.stderr), "says that it is short",
                said(result))  # fmt: skip
    tests.check_clock(seconds < 7.5, f"ends in time ({seconds:.1f} s)", said(result))
    tests.check(result.returncode in (0, 1) and "left out" in result.stderr, "says what is left out", said(result))
    # Of so many processors nothing can be measured in that time.
    for kind in ("figure4", "figure5", "figure6", "concat"):
        result = figures(folder, "--only", kind, "--n", "4096", "--carrier", "threads", "--seconds", "4")
        right = result.returncode == 1 and "points are left out" in result.stderr and "at most" not in result.stderr
        right = right and not (folder / f"{kind}-threads.svg").exists()
        tests.check(right, f"{kind}: nothing is measured, and that is said", said(result))


def check_again():
    """Files of the same names are replaced, others stay."""
    folder = root / "again"
    folder.mkdir()
    for file in ("index.html", "figure4-threads.csv", "mine.txt"):
        (folder / file).write_text("old")
    result = figures(folder, *SMALL)
    kept = [path.name for path in folder.iterdir() if path.read_bytes() == b"old"]
    tests.check(result.returncode == 0 and kept == ["mine.txt"], "what was there is replaced", (kept, said(result)))


if not stress:
    check_refusals()
    check_small()
    check_styles()
    check_without_points()
    check_unmeasured_kinds()
else:
    check_all()
    check_figure6()
    check_time()
    check_again()
    check_peers()
home.cleanup()
tests.end()
