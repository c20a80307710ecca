"""Checks one model by SPIN with the given -D options.

usage: spin.py MODEL.pml [-DNAME...]    prints what was found; status 0 if nothing was
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MISSING = "spin, or a C compiler for what it writes, is not installed"
DEPTH = 50000
LIMIT = 900  # seconds


class Broken(Exception):
    """The model could not be checked to its end."""


def available():
    return shutil.which("spin") and compiler()


def compiler():
    return next((name for name in ["gcc", "cc", "clang"] if shutil.which(name)), None)


def run(command, folder):
    result = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT)
    return result.returncode, result.stdout


def check(model, options, large=False):
    """The first fault, as SPIN puts it, and the number of states; the fault is None if the whole of
    the model was searched and none found."""
    model = pathlib.Path(model)
    with tempfile.TemporaryDirectory() as folder:
        for path in model.parent.glob("*.pml"):
            shutil.copy(path, folder)
        status, said = run(["spin", "-a", *options, model.name], folder)
        if status or not os.path.exists(os.path.join(folder, "pan.c")):
            raise Broken(f"spin -a: status {status}\n{said}")
        status, said = run([compiler(), "-O2" if large else "-O0", "-w", "-DSAFETY", "-o", "pan", "pan.c"], folder)
        if status:
            raise Broken(f"the search does not compile\n{said}")
        status, said = run(["./pan", f"-m{DEPTH}", "-w24" if large else "-w18"], folder)
        states = re.search(r"(\d+) states, stored", said)
        errors = re.search(r"errors: (\d+)", said)
        trail = os.path.exists(os.path.join(folder, model.name + ".trail"))
        if not states or not errors or "search depth too small" in said or trail != (errors[1] != "0"):
            raise Broken(f"status {status}\n{said}")
        fault = re.search(r"pan:1: (.*)", said)
        if trail and not fault:
            raise Broken(said)
        if not trail and "Search not completed" in said:
            raise Broken(said)
        return (fault[1] if trail else None), int(states[1])


if __name__ == "__main__":
    if not available():
        sys.exit(MISSING)
    found, count = check(sys.argv[1], sys.argv[2:])
    print(found or "no fault", f"({count} states)")
    sys.exit(1 if found else 0)
