#!/usr/bin/env python3
"""Compiles the programs of this folder with kportcc and with mpicc, runs both, and compares what they print.

usage: run.py [--tools FOLDER] [--ranks N,N,...] [--only NAME] [-- OPTION...]    options of kportrun
       run.py --pair PROGRAM OTHER [--but REGEX] [--within SHARE] [--ranks N,N,...] [-- OPTION...]

Without an Open MPI (or with --alone) the programs run by kportrun only. Each prints a line that it can check itself,
or that is the same for every number of ranks.

--pair compares a program of yours: PROGRAM is what kportcc made of it, OTHER what mpicc did, each with its arguments.
Both run in empty folders, and must have the same status. Lines in which REGEX is found, such as times, are left out. Lines may come in another order,
or have numbers that differ by SHARE of themselves at most (default 0), as sums have whose order differs.
"""

import argparse
import difflib
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Algorithm 3 of Open MPI 4.1.4 for MPI_Alltoall mixes up blocks whose rows interleave (transpose, from 13 ranks).
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
          "--mca", "coll_tuned_use_dynamic_rules", "1", "--mca", "coll_tuned_alltoall_algorithm", "1"]  # fmt: skip
SECONDS = 120  # ends what hangs
AMISS = re.compile(r"MIXED|DIVERGED|WRONG|, [1-9]\d* and \d+ wrong|and [1-9]\d* wrong")
NUMBER = re.compile(r"(?:\b|[-+])\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
BY_RANKS = {"overlap", "sort", "transpose", "tree"}  # whose lines depend on the number of ranks


def execute(command, folder=None):
    """Runs a command; None if it has not ended in time."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL,
                              cwd=folder)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None


def line_of(command):
    """What a command prints, or how it failed."""
    ran = execute(command)
    if ran is None:
        return f"no end after {SECONDS} s"
    if ran.returncode != 0:
        return f"status {ran.returncode}: {(ran.stderr + ran.stdout).strip()[-400:]}"
    return ran.stdout.strip()


def compile_(compiler, source, made):
    subprocess.run([compiler, "-O1", "-o", made, source, "-lm"], check=True)


def alike(one, other, within):
    """Whether two lines are the same, but for numbers that differ by a share of themselves."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return one == other
    pairs = zip(map(float, NUMBER.findall(one)), map(float, NUMBER.findall(other)))
    return all(abs(x - y) <= within * max(abs(x), abs(y)) for x, y in pairs)


def differences(got, wanted, but, within):
    """How two outputs differ."""
    ours, theirs = ([line.rstrip() for line in text.splitlines() if not (but and re.search(but, line))]
                    for text in (got, wanted))  # fmt: skip
    rounded = len(ours) == len(theirs) and all(alike(one, other, within) for one, other in zip(ours, theirs))
    if rounded or sorted(ours) == sorted(theirs):
        return []
    return list(difflib.unified_diff(theirs, ours, "under mpirun", "under kportrun", n=0, lineterm=""))


def compare_pair(asked, tools):
    """Runs a program that was compiled twice; returns how many numbers of ranks gave other lines or another status."""
    failures = 0
    ours, theirs = (shlex.split(command) for command in asked.pair)
    for ranks in asked.ranks.split(","):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            got = execute([tools / "kportrun", "-n", ranks, *asked.options, *ours], one)
            wanted = execute([*MPIRUN, "-n", ranks, *theirs], other)
        if got is None or wanted is None:
            found = [f"no end after {SECONDS} s: {asked.pair[got is not None]}"]
        else:
            found = differences(got.stdout, wanted.stdout, asked.but, asked.within)
            if got.returncode != wanted.returncode:
                found.append(f"status {got.returncode}, expected {wanted.returncode}: {got.stderr.strip()[-400:]}")
        failures += bool(found)
        print(f"{ranks} ranks: {'other results' if found else 'the same results'}", *found[:40], sep="\n  ")
    return failures


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--tools", default="build/tools", type=pathlib.Path)
    parser.add_argument("--ranks", default="2,7")
    parser.add_argument("--only", default="")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--pair", nargs=2)
    parser.add_argument("--but", default="")
    parser.add_argument("--within", default=0, type=float)
    parser.add_argument("options", nargs="*")
    asked = parser.parse_args()
    tools, failures, runs, by_one = asked.tools.resolve(), 0, 0, {}
    if asked.pair:
        return 1 if compare_pair(asked, tools) else 0
    beside = not asked.alone and all(shutil.which(tool) for tool in ("mpicc", "mpirun"))
    with tempfile.TemporaryDirectory() as scratch:
        for source in sorted(HERE.glob("*.c")):
            if asked.only not in source.stem:
                continue
            made, other = f"{scratch}/{source.stem}", f"{scratch}/{source.stem}-other"
            compile_(tools / "kportcc", source, made)
            if beside:
                compile_("mpicc", source, other)
            for ranks in asked.ranks.split(","):
                got = line_of([tools / "kportrun", "-n", ranks, *asked.options, made])
                wanted = by_one.setdefault(source.stem, got) if source.stem not in BY_RANKS else got
                if beside:
                    wanted = line_of([*MPIRUN, "-n", ranks, other])
                runs += 1
                if got != wanted or AMISS.search(got) or not got.startswith(source.stem + ":"):
                    failures += 1
                    print(f"{source.stem}, {ranks} ranks: {got!r}, expected {wanted!r}")
    print(f"{runs} runs{' beside Open MPI' if beside else ''}, {failures} failed")
    return 0 if runs and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
