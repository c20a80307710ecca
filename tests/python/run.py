"""The tests of the Python package, with and without NumPy, by a Python that has pytest.

usage: run.py SOURCE_FOLDER LIBRARY PROGRAM
"""

import os
import pathlib
import re
import shutil
import sys

from tap import Tests, execute, said

root, library, program = map(pathlib.Path, sys.argv[1:4])
OUTCOME = re.compile(r"^(\S+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b")


def has(python, module):
    return execute([python, "-c", f"import {module}"]).returncode == 0


def run(python, name, environment):
    """One run of all tests: a line for each."""
    command = [python, "-m", "pytest", "-v", "-ra", "-p", "no:cacheprovider", "-p", "kport.pytest_plugin", "--tb=short"]
    result = execute([*command, root / "tests" / "python"], env=environment, cwd=root)
    seen = 0
    for line in result.stdout.splitlines():
        outcome = OUTCOME.match(line)
        if outcome and outcome[2] == "SKIPPED":
            tests.skip(f"{outcome[1]}, {name}", "pytest skips it")
        elif outcome:
            seen += 1
            tests.check(outcome[2] == "PASSED", f"{outcome[1]}, {name}")
    tests.check(seen > 10 and result.returncode == 0, f"pytest, {name}", said(result))


pythons = [python for python in (sys.executable, "/usr/bin/python3") if shutil.which(python) and has(python, "pytest")]
if not pythons:
    print("1..0 # SKIP no pytest (Debian: python3-pytest)")
    sys.exit(0)
tests = Tests()
# Of two that have pytest the one that has NumPy as well.
python = next((python for python in pythons if has(python, "numpy")), pythons[0])
environment = dict(os.environ, PYTHONPATH=str(root / "tools" / "python"), PYTHONDONTWRITEBYTECODE="1",
                   KPORT_LIBRARY=str(library), KPORT_PROGRAM=str(program), KPORT_TUNE="builtin")  # fmt: skip
if has(python, "numpy"):
    run(python, "with NumPy", environment)
else:
    tests.skip("with NumPy", "no NumPy (Debian: python3-numpy)")
run(python, "without NumPy", dict(environment, KPORT_TESTS_WITHOUT_NUMPY="1"))
tests.end()
