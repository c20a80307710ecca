"""The benchmark's contestants give right results. The programs of tests/apps compute the same whoever's calls
their members talk by: each contestant carries each of them out, with little to do, and the result is compared
with a serial one. Libraries with calls of their own make each of these. Says nothing about times.

usage: contestants.py PEERS [--inside]

With --inside, only those that need no program of their own.
"""

import json
import pathlib
import sys
import tempfile

from tap import Tests, execute, said

program, *options = sys.argv[1:]
tests = Tests()

APPS = ["cg", "fft2d", "gauss", "nbody", "power_iteration", "sample_sort", "transpose"]
INSIDE = {"kport", "kport, pinned", "kport, by mailboxes", "kport, by mailboxes, pinned", "kport, fibers",
          "pthread_barrier_t"}  # fmt: skip


LIBRARIES = {
    "BLIS's thrcomm": ["barrier:n=2,pinned", "broadcast:n=8,b=8"],
    "gloo, TCP": ["barrier:n=2,pinned", "broadcast:n=8,b=8", "scatter:n=8,b=8", "gather:n=8,b=8",
                  "broadcast:n=8,b=4096,batch", "scatter:n=8,b=4096,batch", "gather:n=8,b=4096,batch",
                  "index:n=8,b=65536", "concat:n=8,b=65536"],
}  # fmt: skip


def carry_out(rows, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "out.json"
        result = execute([program, "--tiny", "--row", rows, "--repetitions", 1, "--budget", 0.001,
                          "--json", file, *options])  # fmt: skip
        return result, json.loads(file.read_text())["rows"] if file.exists() else []


def check_results(row):
    for one in row["contestants"]:
        note = one.get("note", "")
        if one["here"]:
            tests.check(one.get("first_us", 0) > 0 and "failed" not in note, f"{row['row']}: {one['name']}", note)
        else:
            print(f"# {row['row']}: {one['name']} is {note}")


# By 64 processes each of these takes seconds.
for n, inside in [(2, options), (8, options), (64, ["--inside"])]:
    result, rows = carry_out(f"n={n},tiny", *inside)
    tests.check([row["row"] for row in rows] == [f"apps:{app},n={n},tiny" for app in APPS],
                f"n={n}: all programs", said(result))  # fmt: skip
    for row in rows:
        names = {one["name"] for one in row["contestants"]}
        tests.check(names > INSIDE, f"{row['row']}: all who work inside, and others", names)
        check_results(row)
for contestant, names in {} if options else LIBRARIES.items():
    for name in names:
        result, rows = carry_out(name, "--contestant", contestant)
        tests.check(len(rows) == 1 and len(rows[0]["contestants"]) == 1, f"{name}: {contestant} takes part", said(result))
        check_results(rows[0])
tests.end()
