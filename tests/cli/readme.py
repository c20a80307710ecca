"""The documents say what is so: programs stand in examples/, and what is named exists: files, commands,
options, functions. listings.py runs what they show.

usage: readme.py SOURCE_FOLDER PROGRAM EXAMPLE...
"""

import csv
import os
import pathlib
import re
import sys

from tap import Tests, execute

root = pathlib.Path(sys.argv[1])
program = str(pathlib.Path(sys.argv[2]).resolve())
examples = {pathlib.Path(path).stem: str(pathlib.Path(path).resolve()) for path in sys.argv[3:]}
tests = Tests()
os.environ["KPORT_TUNE"] = "builtin"  # what kport explain prints is not that of a profile left here

readme = root / "README.md"
manual = root / "doc" / "manual"
guides = sorted((root / "doc").rglob("*.md"))
documents = {path: path.read_text() for path in [readme, *guides, root / "tests" / "apps" / "README.md"]}
text = "\n".join(documents.values())


def check_each(name, wrong_in):
    """One test of all documents; `wrong_in` finds what is not so in one of them."""
    wrong = [f"{path.relative_to(root)}: {what}" for path, written in documents.items()
             for what in wrong_in(path, written)]  # fmt: skip
    tests.check(not wrong, name, "\n".join(wrong))


# --- Programs ---

embed = (root / "examples" / "embed.c").read_text()
listings = re.findall(r"```c\n(.*?)```", documents[readme], flags=re.S)
tests.check(embed in listings, "the README's program is examples/embed.c, letter by letter")

sources = {path.stem: path.read_text() for path in (root / "examples").glob("*.c")}
by_listings = set(re.findall(r"cc.* examples/(\w+)\.c -o", text))
tests.check(set(sources) == set(examples) | by_listings, "each example is built", [sorted(sources), sorted(examples)])


def lines_of(code):
    return "\n".join(line.strip() for line in code.strip().splitlines())


def foreign_code(path, written):
    shown = [lines_of(code) for code in re.findall(r"```c\n(.*?)```", written, flags=re.S)]
    return [code for code in shown if not any(code in lines_of(source) for source in sources.values())]


check_each("all C code stands in examples/", foreign_code)

# --- What is named ---

used = set(re.findall(r"tools/dev ([a-z]+)", text))
described = execute([root / "tools" / "dev", "help"])
known = {"help"} | set(re.findall(r"^\W*(?:tools/dev )?([a-z]+)\b", described.stdout, flags=re.M))
tests.check(used and used <= known, "the tools/dev commands exist", sorted(used - known))

parts = set(execute([root / "tools" / "dev", "verify", "--list"]).stdout.split())
verified = re.findall(r"`tools/dev verify ([a-z ]+)`", text)
unknown = [part for named in verified for part in named.split() if part not in parts]
tests.check(verified and not unknown, "the parts of tools/dev verify exist", unknown)


def anchors(written):
    """As GitHub makes them of headings."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", written, flags=re.M)}  # fmt: skip


def links_of(path, written):
    for target in re.findall(r"\]\(([^)]+)\)", written):
        if "://" not in target:
            file, _, anchor = target.partition("#")
            yield target, (path.parent / file if file else path).resolve(), anchor


def broken_links(path, written):
    return [target for target, file, anchor in links_of(path, written)
            if not file.exists() or anchor and anchor not in anchors(file.read_text())]  # fmt: skip


check_each("the links lead somewhere", broken_links)
index = manual / "index.md"
reached = {file for page in (readme, index) for _, file, _ in links_of(page, documents[page])} | {index.resolve()}
unreached = [path.name for path in guides if path.resolve() not in reached]
tests.check(len(guides) > 10 and not unreached, "the README and the manual's index lead to every document", unreached)

FOLDERS = ["bench", "doc", "examples", "include", "lib", "ports", "tests", "tools"]
paths = ["/" + str(path.relative_to(root)) for folder in FOLDERS for path in (root / folder).rglob("*")]
paths += ["/" + folder for folder in FOLDERS]
ended = {path[at:] for path in paths for at, letter in enumerate(path) if letter == "/"}


def missing_files(path, written):
    ends = r"[\w./-]+\.(?:c|h|hpp|py|sh|md|csv|svg|pml|txt)"
    named = re.findall(rf"`({ends}|(?:lib|ports|tests|bench)/[\w./-]*)`", written)
    return [name for name in named if "/" + name.rstrip("/") not in ended and "NAME" not in name]


check_each("the files that are named exist", missing_files)

code = "\n".join(path.read_text() for folder in ["include", "lib", "ports"]
                 for path in (root / folder).rglob("*.*") if path.suffix in (".h", ".hpp", ".c"))  # fmt: skip
identifiers = set(re.findall(r"\b(?:kp|KP)_\w+", code)) | set(re.findall(r"-D(KP_\w+)", text))


def missing_names(path, written):
    inline = re.findall(r"`([^`\n]+)`", written)
    named = {name for quoted in inline for name in re.findall(r"\b(?:kp|KP)_\w+\b(?![*…]|\.\.\.)", quoted)}
    return sorted(named - identifiers)


check_each("the functions, types and constants that are named exist", missing_names)

helps = {}


def unknown_options(path, written):
    wrong = []
    for command, rest in re.findall(r"`kport (?!help)([a-z]+)\b([^`]*)`", written):
        if command not in helps:
            helps[command] = execute([program, command, "--help"]).stdout
        options = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest)
        wrong += [f"kport {command} {option}" for option in options if option not in helps[command]]
        wrong += [] if helps[command] else [f"kport {command}"]
    return wrong


check_each("the commands and options of kport that are named exist", unknown_options)
tests.check(len(helps) > 8, "the documents name the commands", sorted(helps))

# --- The figures ---

# guides/figures.md says which radix was fastest, and what a round took: as in the data and in the pictures.
figures = documents[manual / "guides" / "figures.md"]
fastest = {}
for carrier in ["threads", "fibers"]:
    with open(manual / "pictures" / f"figure4-{carrier}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for block in sorted({int(row["block_bytes"]) for row in rows}):
        times = [(float(row["time_us"]), row["radix"]) for row in rows if int(row["block_bytes"]) == block]
        fastest.setdefault(block, []).append(min(times)[1])
    beta = re.search(r"β = [\d.]+ µs", (manual / "pictures" / f"figure4-{carrier}.svg").read_text())
    tests.check(beta and beta[0] in figures, f"guides/figures.md: what a round of {carrier} takes", beta)
told_rows = re.findall(r"^\| (\d+) (B|KiB) \| (\d+ \| \d+) \|$", figures, flags=re.M)
told_fastest = {int(number) * (1024 if unit == "KiB" else 1): radices.split(" | ")
                for number, unit, radices in told_rows}  # fmt: skip
tests.check(fastest and told_fastest == fastest, "guides/figures.md: the fastest radices", [fastest, told_fastest])
tests.end()
