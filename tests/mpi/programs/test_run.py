"""run.py --pair finds each difference of two outputs, and nothing else. Scripts stand for kportrun and mpirun.

usage: test_run.py
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from tap import Tests

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run  # noqa: E402

tests = Tests()
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
for name in ("kportrun", "mpirun"):
    (folder / name).write_text('#!/bin/sh\nwhile [ "$1" != sh ]; do shift; done\nexec "$@"\n')
    (folder / name).chmod(0o755)


def pair(one, other):
    """The status of run.py for programs that print two texts, and what it says."""
    programs = []
    for name, text in (("one", one), ("other", other)):
        (folder / name).write_text(text)
        programs.append(f"sh {folder / name}")
    ran = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("run.py"), "--tools", folder, "--ranks", "2",
                          "--pair", *programs], capture_output=True, text=True,
                         env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})  # fmt: skip
    return ran.returncode, ran.stdout + ran.stderr


def check_pair(status, name, one, other):
    got, said = pair(one, other)
    tests.check(got == status and "2 ranks: " in said, name, said)


def check(differ, name, one, other, but="", within=0):
    found = run.differences(one, other, but, within)
    tests.check(bool(found) == differ, name, "\n".join(found))


check_pair(0, "two programs that do the same", "echo a; exit 3", "echo a; exit 3")
check_pair(1, "another output", "echo a", "echo b")
check_pair(1, "another status", "echo a; exit 3", "echo a")
check(False, "the same lines in another order", "a 1\nb 2", "b 2\na 1")
check(True, "another line", "a 1\nb 2", "a 1\nb 3")
check(True, "a line more", "a 1\nb 2", "a 1")
check(True, "nothing printed", "", "a 1")
check(False, "lines that are left out", "Time 1\nb", "Time 2\nb", "^Time")
check(True, "other lines than those left out", "Time 1\nb", "Time 2\nc", "^Time")
check(False, "a rounded number", "norm: 1.00001e-9 -3", "norm: 1.00002e-9 -3", within=1e-4)
check(True, "a number of more than the share", "norm: 1.01e-9 -3", "norm: 1.00e-9 -3", within=1e-4)
check(True, "another sign", "norm: 3", "norm: -3", within=1e-4)
check(True, "other words around the same number", "norm: 3", "mean: 3", within=1e-4)
check(True, "a rounded number where no share is given", "1.00001", "1.00002")
tests.end()
