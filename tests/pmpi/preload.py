"""Runs a program of an MPI with the preloaded object, and compares the object's report with what the program
expects.

usage: preload.py UNDER_MPI MPI PROCESSES LIBRARY PROGRAM [ARGUMENT...]
       preload.py UNDER_MPI MPI PROCESSES LIBRARY refuses SENTENCE PROGRAM [ARGUMENT...]

LIBRARY is "none" if it was not built. The program prints lines "expect NAME taken COUNT" and "expect NAME
passed COUNT REASON"; NAME may be "all". With `refuses` the program must not start, and SENTENCE must be said.
Ends with status 77, which Meson counts as skipped, where there is no such MPI.
"""

import os
import re
import subprocess
import sys

under_mpi, mpi, processes, library, *command = sys.argv[1:]
if library == "none":
    print(f"skipped: this build has no object for programs of {mpi}")
    sys.exit(77)
sentence = None
if command[0] == "refuses":
    sentence, command = command[1], command[2:]

result = subprocess.run([under_mpi, mpi, processes, "env", f"LD_PRELOAD={os.path.abspath(library)}", *command],
                        env={**os.environ, "KPORT_PMPI_REPORT": "1"}, stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
print(result.stdout + result.stderr)
if result.returncode == 77:
    sys.exit(77)
if sentence is not None:
    sys.exit(0 if result.returncode != 0 and sentence in result.stderr else "it was not refused with that sentence")
if result.returncode != 0:
    sys.exit(f"status {result.returncode}")

taken, passed, reasons = {"all": 0}, {"all": 0}, {}
for name, took, gave, why in re.findall(r"^kport: (MPI_\w+) +(\d+) taken.*? \| (\d+) passed on(.*)$", result.stderr,
                                        re.M):  # fmt: skip
    for counts, count in ((taken, int(took)), (passed, int(gave))):
        counts[name] = count
        counts["all"] += count
    reasons[name] = why

wanted = re.findall(r"^expect (\w+) (taken|passed) (\d+) ?(.*)$", result.stdout, re.M)
if not wanted:
    sys.exit("the program expects nothing")
failed = []
for name, what, count, reason in wanted:
    if what == "taken":
        right = taken.get(name) == int(count)
    elif reason:
        right = re.search(f"{re.escape(reason)}.*? {count}(;|$)", reasons.get(name, ""))
    else:
        right = passed.get(name) == int(count)
    if not right:
        failed.append(f"{name} {what} {count} {reason}")
if failed:
    sys.exit("the report has not: " + "; ".join(failed))
