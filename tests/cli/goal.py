"""The GOAL texts of kport export, read by LogGOPSim's own program txt2bin. It refuses what keeps not to its grammar.

usage: goal.py PROGRAM TXT2BIN
"""

import os
import subprocess
import sys
import tempfile

from algorithms import listed, problem_of
from tap import Tests, execute

program, reader = sys.argv[1:]
tests = Tests()
SIZES = [(1, 1, 8), (2, 1, 8), (8, 1, 24), (8, 7, 64), (8, 3, 0), (9, 2, 720), (13, 3, 104), (16, 4, 64), (27, 2, 8), (32, 1, 16)]
# Each is a right text with one change.
CHANGES = [(" to ", " too "), ("b from", " from"), ("rank 0 {", "rank 0"), ("requires", "needs"), ("num_ranks", "ranks"),
           ("calc 0", "calc"), (" tag ", " mark "), ("}", "")]  # fmt: skip


def refusal(text):
    """What txt2bin says, or nothing if it takes the text."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text")
        with open(path, "w") as file:
            file.write(text)
        result = execute([reader, "-i", path, "-o", path + ".bin"], stderr=subprocess.STDOUT, timeout=60)
        made = os.path.exists(path + ".bin") and os.path.getsize(path + ".bin") > 0
        return "" if result.returncode == 0 and made else result.stdout or f"status {result.returncode}"


wrong, served, count, algorithms = [], set(), 0, list(listed(program))
for operation, algorithm in algorithms:
    for size in SIZES:
        problem = problem_of(operation, algorithm, *size)
        exported = execute([program, "export", problem, "--format", "goal"])
        if exported.returncode != 0:
            continue  # the algorithm does not serve these n and k
        count += 1
        served.add((operation, algorithm))
        why = refusal(exported.stdout)
        wrong += [(problem, why)] if why else []
tests.check(not wrong and count > 400, f"LogGOPSim's txt2bin reads {count} texts", wrong[:3])
missing = set(algorithms) - served
tests.check(len(algorithms) >= 70 and not missing, f"texts of all {len(algorithms)} algorithms", sorted(missing))

right = execute([program, "export", "index:n=4,k=1,b=8,alg=pairwise", "--format", "goal"]).stdout
taken = [change for change in CHANGES if change[0] not in right or not refusal(right.replace(*change, 1))]
tests.check(not taken, "txt2bin refuses what is wrong", taken)
tests.end()
