"""kportcc and kportrun: programs are compiled, run as ranks and alone, and end as they say.

usage: launch.py SOURCE_FOLDER TOOLS_FOLDER
"""

import os
import pathlib
import re
import sys
import tempfile

from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
programs = source / "tests" / "mpi" / "launch" / "programs"
tests = Tests()
folder = tempfile.TemporaryDirectory()
made = pathlib.Path(folder.name)


def compiled(name, *options, compiler="kportcc", to=None):
    program = made / (to or pathlib.Path(name).stem)
    result = execute([tools / compiler, "-g", *options, programs / name, "-o", program])
    tests.check(result.returncode == 0, f"{compiler} {' '.join(options)} {name}", said(result))
    return program


def run(*arguments, **options):
    return execute([tools / "kportrun", *arguments], timeout=60, **options)


def check(result, status, right, name):
    tests.check(result.returncode == status and right, name, said(result))


# --- What is private ---

globals_ = compiled("globals.c")
RANK = re.compile(r"rank (\d+) words a b c options 13 rest x rand (\d+) (\d+) right")
drawn = []
for carrier in ["fibers", "threads"]:
    result = run("-n", "4", "--carrier", carrier, globals_, "-a", "x", "-b", "3")
    lines = sorted(result.stdout.splitlines())
    whole = [RANK.fullmatch(line) for line in lines[4:]]
    right = lines[:4] == [f"end {rank}" for rank in range(4)] and len(whole) == 4 and all(whole)
    check(result, 0, right, f"{carrier}: each rank has globals, rand, strtok, getopt and atexit of its own")
    if right:
        drawn.append([found.groups() for found in whole])
# libc's numbers for the seeds of rank 0, as a program that was started by itself draws them.
result = execute([globals_, "-a", "x", "-b", "3"])
alone = RANK.fullmatch((result.stdout.splitlines() or [""])[0])
check(result, 0, alone and drawn and all(numbers[0] == alone.groups() for numbers in drawn),
      "started by itself it is rank 0, and draws the same numbers")  # fmt: skip
shared = compiled("globals.c", "-fno-private", to="shared")
result = run("-n", "3", shared, "-a", "x", "-b", "3")
check(result, 0, "wrong" in result.stdout, "-fno-private: ranks share the globals")
result = run("-n", "2", "--prefix", globals_, "-a", "x", "-b", "3")
lines = sorted(result.stdout.splitlines())
check(result, 0, lines[0] == "0: end 0" and lines[3].startswith("1: rank 1 words"), "--prefix")

# --- How it ends ---

endings = compiled("endings.c")
for way, status, sentence in [
    ("finalized", 5, ""),
    ("exit", 7, "rank 2: called exit(7) without MPI_Finalize"),
    ("_exit", 8, "rank 2: called exit(8) without MPI_Finalize"),
    ("abort", 42, "rank 2: MPI_Abort"),
    ("thread", 6, ""),
    ("segfault", -11, ""),
]:  # fmt: skip
    result = run("-n", "4", endings, way)
    check(result, status, sentence in result.stderr, f"the status of a program that ends by {way}")
result = run("-n", "4", endings, "return")
check(result, result.returncode or 1, "rank 2: ended without MPI_Finalize" in result.stderr, "a rank returns without MPI_Finalize")
result = run("-n", "3", "--timeout", "0.3", endings, "loop")
check(result, 124, "has not ended within 0.3 s" in result.stderr, "--timeout")

# --- What is refused ---

for arguments, status, sentence in [
    ([], 2, "no program is named"),
    (["-n", "x", endings], 2, "-n is 'x'; it may be a number from 1 to 65536"),
    (["--seed", "1", "--carrier", "threads", endings], 2, "a seed orders fibers"),
    (["--interleave", "3..1", endings], 2, "--interleave is '3..1'"),
    (["--stack", "8X", endings], 2, "--stack is '8X'"),
    (["-x", "=3", endings], 2, "-x is '=3'"),
    ([made / "nothing"], 127, "No such file"),
    ([sys.executable], 126, "has not been linked by kportcc"),
    ([programs / "endings.c"], 126, "Permission denied"),
]:  # fmt: skip
    result = run(*arguments)
    check(result, status, sentence in result.stderr, f"kportrun refuses: {sentence}")
tests.end()
