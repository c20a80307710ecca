"""Rules for every file of the tree: C files of at most 600 lines, folders of at most 26 C files, every public
function's definition where editors find it, no path of somebody's machine, and documents that are to be short.

usage: tree.py SOURCE_FOLDER
"""

import collections
import pathlib
import re
import shutil
import sys

from tap import Tests, execute

LINES = 600
FILES = 26
WITH_MORE = {"lib/algorithms"}
WORDS = {"README.md": 1400, "doc/manual/glossary.md": 700}  # five minutes; a page, with the bars of its table
# Written apart, so that this file keeps its own rule.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:%s)\b" % "|".join(["work", "root", "home"]))

root = pathlib.Path(sys.argv[1])
listed = None
if shutil.which("git"):
    listed = execute(["git", "-c", f"safe.directory={root}", "-C", root, "ls-files", "-z",
                      "--cached", "--others", "--exclude-standard"])  # fmt: skip
if listed is None or listed.returncode != 0:
    print("1..0 # SKIP not a git checkout")
    sys.exit(0)

tests = Tests()
files = [root / name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
sources = [path for path in files if path.suffix in (".c", ".h")]
tests.check(len(sources) > 10, "there are C files")

long_ones = [path for path in sources if len(path.read_text().splitlines()) > LINES]
tests.check(not long_ones, f"none has more than {LINES} lines", long_ones)

crowd = collections.Counter(str(path.parent.relative_to(root)) for path in sources)
crowded = [f"{folder}: {count}" for folder, count in crowd.items() if count > FILES and folder not in WITH_MORE]
tests.check(not crowded, f"no folder has more than {FILES} C files", "\n".join(crowded))

for name, most in WORDS.items():
    count = len((root / name).read_text().split())
    tests.check(0 < count <= most, f"{name} has at most {most} words", count)

# ctags, cscope and editors find a definition that begins a line and hides its name neither in parentheses
# nor in a macro.
declared = {name for path in sources if path.is_relative_to(root / "include")
            for name in re.findall(r"^KP_API [^(;]*?\b(\w+)\(", path.read_text(), re.M)}  # fmt: skip
defined = {name for path in sources if path.is_relative_to(root / "lib") or path.is_relative_to(root / "ports")
           for name in re.findall(r"^\w[\w *]*?\b(\w+)\((?:[^;{}]*)\)\n{", path.read_text(), re.M)}  # fmt: skip
tests.check(len(declared) > 100, "there are public functions", sorted(declared))
tests.check(declared <= defined, "editors find where each is defined", sorted(declared - defined))

found = []
for path in files:
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if MACHINE_PATH.search(line):
            found.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
tests.check(not found, "no path of a machine", "\n".join(found))
tests.end()
