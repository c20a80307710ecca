"""doc/manual/reference/misuse.md: its rows are those that test_misuse tries, and every public function is named.

usage: misuse.py SOURCE_FOLDER TEST_MISUSE [--write], which brings the rows up to date
"""

import pathlib
import re
import sys

from tap import Tests, execute

source, program = pathlib.Path(sys.argv[1]), sys.argv[2]
document = source / "doc" / "manual" / "reference" / "misuse.md"
HEAD = "| call | what is wrong | status | what it says |\n|---|---|---|---|\n"

printed = execute([program, "rows"]).stdout
tables = [table.replace("\\", "\\\\") for table in printed.split("\n\n") if table.strip()]
text = document.read_text()
parts = re.split(r"(?<=\|---\|---\|---\|---\|\n)((?:\|.*\n)*)", text)

if "--write" in sys.argv:
    for i, table in enumerate(tables):
        parts[2 * i + 1] = table + "\n"
    document.write_text("".join(parts))
    sys.exit(0)

# With other words than 64 bits some numbers differ.
NUMBER = re.compile(r"\d+")
tests = Tests()
tests.check(len(tables) > 5 and all(table.count("\n") > 8 for table in tables), "there are rows")
shown = [part for part in parts if part.startswith("| ") and part not in HEAD]
tests.check(len(shown) == len(tables), "as many tables as the test has", len(shown))
for ours, tried in zip(shown, tables):
    mine = [NUMBER.sub("N", row) for row in ours.strip().split("\n")]
    theirs = [NUMBER.sub("N", row) for row in tried.strip().split("\n")]
    missing = [row for row in theirs if row not in mine]
    untried = [row for row in mine if row not in theirs]
    tests.check(mine == theirs, f"the rows from {theirs[0].split('|')[1].strip()} on",
                f"not shown: {missing}\nnot tried: {untried}")  # fmt: skip

public = set()
for header in (source / "include").rglob("*.h"):
    code = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    code = re.sub(r"^\s*#.*$", "", code, flags=re.M)
    public.update(re.findall(r"\bKP_API\b[^;{]*?\b(\w+)\s*\(", code))
named = set(re.findall(r"`(kp_\w+)`", text))
tests.check(len(public) > 40, "the headers declare functions", len(public))
tests.check(public <= named, "every public function is named", sorted(public - named))
tests.end()
