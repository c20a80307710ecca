"""The benchmark works: rows are listed, a few are carried out with verified data, and what comes
out is consistent. Says nothing about times.

usage: peers.py PROGRAM
"""

import json
import pathlib
import re
import sys
import tempfile

from tap import Tests, execute, said

program = sys.argv[1]
tests = Tests()

listed = execute([program, "--list"])
names = [line for line in listed.stdout.splitlines() if not line.startswith(" ")]
tests.check(listed.returncode == 0 and len(names) > 50 and len(set(names)) == len(names),
            "--list tells every row once", said(listed))  # fmt: skip

for arguments in [["--row", "nothing"], ["--repetitions", "0"], ["--budget", "x"], ["fast"]]:
    result = execute([program] + arguments)
    tests.check(result.returncode == 2 and arguments[-1] in result.stderr,
                f"{' '.join(arguments)}: refused, and named", said(result))  # fmt: skip


def is_consistent(row, repetitions):
    """What is wrong with a row's numbers, or nothing."""
    for contestant in row["contestants"]:
        if "failed" in contestant.get("note", ""):
            return contestant
        timed = contestant["here"] and "note" not in contestant
        if len(contestant["us"]) != (repetitions if timed else 0) or min(contestant["us"], default=1) <= 0:
            return contestant
    for limit in row["limits"]:
        if limit["holds"] is not None and limit["holds"] != ("ratio" in limit and limit["ratio"] <= limit["at_most"]):
            return limit
    return None


# Every way of moving data by hand and by kport, with data that is compared.
for wanted, pattern in [
    ("barrier:n=2", r"barrier:n=2,"),
    ("index:n=2", r"index:n=2,"),
    ("n=8,b=8", r".*:n=8,b=8"),
    ("concat:n=8", r"concat:n=8,"),
    ("k=63,b=8,fibers", r".*k=63,b=8,fibers"),
    ("round-trip", r"round-trip"),
]:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "out.json"
        result = execute([program, "--inside", "--row", wanted, "--repetitions", "2",
                          "--budget", "0.1", "--json", file])  # fmt: skip
        rows = json.loads(file.read_text())["rows"] if file.exists() else []
    expected = [name for name in names if re.match(pattern, name)]
    tests.check(result.returncode == 0 and expected and [row["row"] for row in rows] == expected,
                f"{wanted}: JSON of its rows", said(result))  # fmt: skip
    for row in rows:
        wrong = is_consistent(row, 2)
        tests.check(row["repetitions"] in (0, 2) and not wrong, f"{row['row']}: right data, numbers that fit", wrong)
tests.end()
