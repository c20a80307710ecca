"""The same finding of many ranks is one sentence, which names the ranks.

usage: grouped.py SOURCE_FOLDER TOOLS_FOLDER
"""

import json
import pathlib
import re
import sys

from placed import compiled
from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
tests = Tests()
program, AT = compiled(tests, source, tools, "grouped")

COMM = f"MPI_Comm_dup at {AT['leak']}: the communicator is never freed by MPI_Comm_free"
TYPE = f"MPI_Type_contiguous at {AT['type']}: the type is never freed by MPI_Type_free"
REQUEST = (f"MPI_Irecv at {AT['request']}: the request is neither completed nor freed before MPI_Finalize "
           "(MPI_Wait and MPI_Test complete a request)")  # fmt: skip
FINALIZE = f"MPI_Finalize at {AT['finalize']}: "
SENT = "a message of 4 bytes with tag 7 to rank"
UNFINISHED = "ended without MPI_Finalize"
WRONG = (f"MPI_Sendrecv at {AT['wrong']}: the message of 4 bytes that rank r sent as 1 of MPI_INT at {AT['wrong']} "
         "has other types than 1 of MPI_FLOAT, as which it is received")  # fmt: skip


def run(way, *options):
    return execute([tools / "kportrun", *options, program, way], timeout=120)


def lines(result):
    return [line.removeprefix("kportrun: ") for line in result.stderr.splitlines() if not line.startswith("kportrun: 10 seeds")]


# --- What is told at the end: one sentence, on every carrier and in every order ---

for way, status, findings, wanted in [
    ("leak", 0, 64, [f"ranks 0-63: {COMM}"]),
    ("some", 0, 61, [f"ranks 0-2, 5, 7-63: {COMM}"]),
    ("one", 0, 1, [f"rank 5: {COMM}"]),
    ("two", 0, 128, [f"ranks 0-63: {COMM}", f"ranks 0-63: {TYPE}"]),
    ("request", 0, 64, [f"ranks 0-63: {REQUEST}"]),
    ("root", 1, 63, [f"ranks 1-63, each r: {FINALIZE}rank 0 of MPI_COMM_WORLD sent at {AT['root']} {SENT} r, which has not received it"]),
    ("ring", 1, 64, [f"rank 0: {FINALIZE}rank 63 of MPI_COMM_WORLD sent at {AT['send']} {SENT} 0, which has not received it",
                     f"ranks 1-63, each r: {FINALIZE}rank r-1 of MPI_COMM_WORLD sent at {AT['send']} {SENT} r, which has not received it"]),
    ("unfinished", 1, 64, [f"ranks 0-63: {UNFINISHED}"]),
]:  # fmt: skip
    for options in [[], ["--carrier", "threads"], ["--seed", "5"]]:
        result = run(way, "-n", "64", *options)
        tests.check(lines(result) == wanted and result.returncode == status, f"{way} {' '.join(options)}: the ranks in ranges", said(result))
    result = run(way, "-n", "64", "--report", "json")
    told = [json.loads(line) for line in result.stderr.splitlines()]
    right = len(told) == len({(found["rank"], found["line"]) for found in told}) == findings
    tests.check(right and result.returncode == status, f"{way}: an object for each rank", f"{len(told)} findings, status {result.returncode}")
result = run("leak", "-n", "8", "--strict")
tests.check(lines(result) == [f"ranks 0-7: {COMM}"], "--strict: a sentence", said(result))

# --- What differs stays apart ---

several = f"{COMM}; this holds for 2 communicators of this line"
result = run("counts", "-n", "8")
tests.check(lines(result) == [f"ranks 0, 2, 4, 6: {COMM}", f"ranks 1, 3, 5, 7: {several}"], "two counts are two sentences", said(result))

# --- The place of a sentence ---

result = run("after", "-n", "8")
tests.check(lines(result) == [f"ranks 0-7: {COMM}"] + ["after MPI_Finalize"] * 8, "before what comes after MPI_Finalize", said(result))
# A rank may need longer than rank 0 waits for the others.
ENDED = re.compile(rf"ranks? [1-7][-, 1-7]*: {UNFINISHED}")
for options in [[], ["--carrier", "threads"]]:
    result = run("crash", "-n", "8", *options)
    told = lines(result)
    right = len(told) == 2 and ENDED.fullmatch(told[0]) and told[1].startswith("rank 0: ended by signal 11")
    tests.check(right, f"{' '.join(options)}: before a crash", said(result))
    result = run("peer", "-n", "8", *options)
    told = lines(result)
    right = len(told) == 2 and ENDED.fullmatch(told[0]) and told[1].startswith(f"rank 0: MPI_Recv at {AT['receive']}: ")
    tests.check(right and result.returncode != 0, f"{' '.join(options)}: before the error that ends the program", said(result))
result = run("late", "-n", "8", "--timeout", "3")
told = lines(result)
right = len(told) > 2 and ENDED.fullmatch(told[0]) and told[1].startswith("the program has not ended within 3 s")
tests.check(right and result.returncode == 124, "before --timeout", said(result))

# --- What is told while the program goes on: at once, and of the other ranks at the end ---

for options in [["--seed", "1"], ["--carrier", "threads"], []]:
    result = run("wrong", "-n", "8", *options)
    told = lines(result)
    first = next((r for r in range(8) if told and told[0] == f"rank {r}: {WRONG.replace('rank r', f'rank {r}')}"), None)
    right = first is not None and len(told) == 2 and told[1].startswith("also ranks ") and told[1].endswith(f", each r: {WRONG}")
    tests.check(right, f"{' '.join(options)}: the first at once, the others at the end", said(result))
result = run("again", "-n", "8", "--seed", "1")
told = lines(result)
tests.check(len(told) == 3 and told[2] == f"3 times each: ranks 0-7, each r: {WRONG}", "how often, for all ranks", said(result))
tests.end()
