#!/usr/bin/env python3
"""Compiles the programs of this folder with kportcc and with mpicc, runs both, and compares what they print.

usage: run.py [--tools FOLDER] [--ranks N,N,...] [--only NAME] [-- OPTION...]    options of kportrun

Without an Open MPI (or with --alone) the programs run by kportrun only. Each prints a line that it can check itself,
or that is the same for every number of ranks.
"""

import argparse
import os
import pathlib
import re
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
BY_RANKS = {"overlap", "sort", "transpose", "tree"}  # whose lines depend on the number of ranks


def line_of(command, environment=None):
    """What a command prints, or how it failed."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL,
                             env={**os.environ, **(environment or {})})  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s"
    if ran.returncode != 0:
        return f"status {ran.returncode}: {(ran.stderr + ran.stdout).strip()[-400:]}"
    return ran.stdout.strip()


def compile_(compiler, source, made):
    subprocess.run([compiler, "-O1", "-o", made, source, "-lm"], check=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--tools", default="build/tools", type=pathlib.Path)
    parser.add_argument("--ranks", default="2,7")
    parser.add_argument("--only", default="")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("options", nargs="*")
    asked = parser.parse_args()
    tools, failures, runs, by_one = asked.tools.resolve(), 0, 0, {}
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
