"""BSP programs whose processes are those of an MPI: mpirun starts what kportcc -bsp has linked.

usage: under_mpi.py SOURCE_FOLDER TOOLS MPI CARRIER [all]

All: each wrong program, not only some.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from cases import CASES, CHECKED, PROCESS
from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
mpi, carrier = sys.argv[3:5]
tests = Tests()
SOME = ["beyond", "pushed_by_some", "sync_missing", "no_end"]
# Where the sentence differs from that of kportrun.
OTHER = {
    "sync_missing": r"bsp_\w+ at \S+wrong\.c:\d+: processor \d called bsp_\w+ \(\S+wrong\.c:\d+\), processor \d called bsp_\w+ "
                    r"\(\S+wrong\.c:\d+\)",
    "ended": r"bsp_pid at \S+wrong\.c:\d+: its program has ended after this call, without bsp_end",
}  # fmt: skip
# Under MPICH the standard input of all processes but the first never ends.
LEFT_OUT = {"mpich": ["numbers"]}
# Several parallel parts are possible; before bsp_begin and after bsp_end no process has a number.
RIGHT, UNNUMBERED = ["begin_again"], ["before", "put_after_end", "hpput_after_end", "move_after_end"]


def mpirun(processes, *command, way="", checks="", given="input\n"):
    script = source / "tests/common/under_mpi.sh"
    return subprocess.run([script, mpi, str(processes), command[0], carrier, *map(str, command[1:])], capture_output=True, text=True,
                          timeout=100, input=given, env=dict(os.environ, KPORT_BSP_WAY=way, KPORT_BSP_CHECK=checks, UNDER_MPI_SECONDS="90"))  # fmt: skip


def compiled(folder, name):
    program = folder / name
    result = execute([tools / "kportcc", "-bsp", "-g", source / f"tests/bsp/{name}.c", "-o", program])
    tests.check(result.returncode == 0, f"kportcc -bsp compiles {name}.c", said(result))
    # under_mpi.sh hands on the carrier before the arguments
    launcher = folder / f"{name}.sh"
    launcher.write_text(f'#!/bin/sh\nshift\nexec {program} "$@"\n')
    launcher.chmod(0o755)
    return launcher


def check_right(program):
    for n in (1, 4):
        result = mpirun(n, program)
        tests.check(result.returncode == 0 and f"{n} processes, sum {n * (n + 1) // 2}\n" in result.stdout, f"right, {n} processes",
                    said(result))  # fmt: skip
    for way in ("indexv", "route"):
        result = mpirun(4, program, 3, way=way)
        tests.check(result.returncode == 0 and "3 processes, sum 6\n" in result.stdout, f"right, 3 of 4 processes, by {way}",
                    said(result))  # fmt: skip
    result = mpirun(2, program, way="pigeon")
    sentence = 'KPORT_BSP_WAY is "pigeon"; it may be indexv, messages or route'
    tests.check(result.returncode != 0 and sentence in result.stderr, "a way that there is not", said(result))


def check_checks(program):
    """As kportrun --check does."""
    for name, sentence in CHECKED.items():
        result = mpirun(3, program, name, checks="1")
        tests.check(result.returncode == 0 and re.search(sentence, result.stderr), f"{name} with checks", said(result))
    result = mpirun(3, program, "conflict", checks="0")
    tests.check(result.returncode == 0 and "kport:" not in result.stderr, "a conflict without checks", said(result))


def check_wrong(program, names):
    for name in names:
        if name in LEFT_OUT.get(mpi, []):
            tests.skip(name, "it reads standard input")
            continue
        result = mpirun(3, program, name)
        sentence = OTHER.get(name, CASES[name][1])
        told = re.search("kport: " + ("" if name in UNNUMBERED else PROCESS) + "(?:" + sentence + ")", result.stderr)
        right = result.returncode == 0 and not told if name in RIGHT else result.returncode != 0 and told
        tests.check(right, name, said(result))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check_right(compiled(folder, "right"))
    wrong = compiled(folder, "wrong")
    check_wrong(wrong, CASES if "all" in sys.argv else SOME)
    check_checks(wrong)
tests.end()
