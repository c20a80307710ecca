"""Ranks that only send leave a collective early. Errors and deadlocks name the call that they have left, with its place.

usage: left.py SOURCE_FOLDER TOOLS_FOLDER
"""

import pathlib
import re
import sys

from placed import compiled
from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
tests = Tests()
program, AT = compiled(tests, source, tools, "left")
DEADLOCK = "kportrun: deadlock: every rank waits"
RECEIVES = f"  rank 0: MPI_Recv at {AT['receive']}: receive of at most 4 bytes from rank 1 with tag 0"
GATHERV = "MPI_Gatherv(root=0)"
EARLY = [[], ["--carrier", "threads"], ["--workers", "1"], *(["--seed", str(seed)] for seed in range(1, 4))]
WAITS = [["--strict", "--seed", "1"], ["--buffering", "0"], ["--buffering", "0", "--carrier", "threads"]]


def run(ranks, options, *words):
    return execute([tools / "kportrun", "-n", str(ranks), *options, program, *words], timeout=120)


def others(ranks):
    return "ranks 1-2" if ranks == 3 else "rank 1"


def deadlocks(result, ranks, does):
    return result.returncode == 16 and result.stderr.splitlines() == [DEADLOCK, RECEIVES, f"  {others(ranks)}: {does}"]


def differs(result, ranks):
    """Whether the two calls are named, in the one order or the other."""
    bcast = rf"rank 0 called MPI_Bcast\(count=1, datatype=MPI_INT, root=0\) \({AT['another']}\)"
    gather = rf"rank [1-{ranks - 1}] called {re.escape(GATHERV)} \({AT['gather']}(, left early)?\)"
    return result.returncode != 0 and re.search(rf"{bcast}, {gather}$|{gather}, {bcast}$", result.stderr, re.M)


COUNTS = (f"rank 1 sends 4 bytes to rank 0 (sendcount, {AT['gather']}), "
          f"but rank 0 expects 8 bytes from it (recvcounts[1], {AT['gather']})")  # fmt: skip
for ranks in (2, 3):
    for call in ("gatherv", "gather", "reduce", "bcast", "scatter"):
        result = run(ranks, ["--carrier", "threads", "--timeout", "60"], "reads", call)
        tests.check(result.returncode == 0 and not result.stderr, f"{ranks} ranks: {call}: rank 1 leaves before rank 0 comes", said(result))
    for way in ("long", "gaps"):
        result = run(ranks, ["--carrier", "threads", "--timeout", "60"], way)
        tests.check(result.returncode == 0 and not result.stderr, f"{ranks} ranks: {way}: rank 0 waits for nobody who has left", said(result))
    for options in EARLY:
        name = f"{ranks} ranks {' '.join(options)}"
        for way, place in (("receives", f"MPI_Barrier at {AT['barrier']}"), ("sends", f"MPI_Send at {AT['send']}")):
            result = run(ranks, options, way)
            waits = f"{place}: {GATHERV}, started at {AT['gather']}"
            tests.check(deadlocks(result, ranks, waits), f"{name}: {way}: a deadlock names the gather", said(result))
    for options in EARLY:
        result = run(ranks, options, "comes")
        right = result.stderr.splitlines() == [DEADLOCK, RECEIVES.replace(AT["receive"], AT["instead"]),
                                               f"  {others(ranks)}: MPI_Barrier at {AT['barrier']}"]  # fmt: skip
        tests.check(right, f"{ranks} ranks {' '.join(options)}: after the gather the barrier is named", said(result))
    for options in WAITS:
        name = f"{ranks} ranks {' '.join(options)}"
        result = run(ranks, options, "receives")
        waits = f"MPI_Gatherv at {AT['gather']}: {GATHERV}"
        tests.check(deadlocks(result, ranks, waits), f"{name}: nobody leaves", said(result))
    for options in EARLY + WAITS:
        name = f"{ranks} ranks {' '.join(options)}"
        result = run(ranks, options, "another")
        tests.check(differs(result, ranks), f"{name}: both calls that differ are named", said(result))
        result = run(ranks, options, "counts")
        tests.check(result.returncode != 0 and COUNTS in result.stderr, f"{name}: both counts are named", said(result))

# Where the places of calls are not known, reports name the call.
program, _ = compiled(tests, source, tools, "left", "-DKP_NO_CALL_SITES")
for ranks in (2, 3):
    result = run(ranks, [], "receives")
    right = re.search(rf"{others(ranks)}: MPI_Barrier.*: {re.escape(GATHERV)}, started earlier$", result.stderr, re.M)
    tests.check(right, f"{ranks} ranks: without places a deadlock names the gather", said(result))
    result = run(ranks, [], "another")
    right = re.search(rf"rank [1-{ranks - 1}] called {re.escape(GATHERV)} \(started earlier\)", result.stderr)
    tests.check(right, f"{ranks} ranks: without places a call that differs is named", said(result))
tests.end()
