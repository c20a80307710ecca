"""`kport export PROBLEM --format msccl`: what is written is right, by the checker of such files, for every algorithm.

usage: export.py KPORT N...
"""

import collections
import pathlib
import sys
import tempfile

from tap import Tests, execute

kport, numbers = sys.argv[1], [int(n) for n in sys.argv[2:]]
KEYS = {
    "index": ["b=3"], "concat": ["b=4", "b=3"], "broadcast": ["b=5", "b=8,root=1"],
    "reduce": ["count=6", "count=7,root=1"], "allreduce": ["count=5", "count=16"], "reduce-scatter": ["count=3"],
}  # fmt: skip
tests = Tests()
folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name) / "exported.xml"

algorithms, operation = collections.defaultdict(list), None
for line in execute([kport, "list"]).stdout.splitlines():
    word = line.split()[0] if line.strip() else ""
    if line and not line.startswith(" "):
        operation = word
    elif line.startswith("  ") and not line.startswith("   "):
        algorithms[operation].append(word)

for operation, lengths in KEYS.items():
    wrong, served = [], set()
    for n, k, in_place, length in ((n, k, i, length) for n in numbers for k in (1, 2, n - 1) for i in (0, 1)
                                   for length in lengths if 1 <= k < n):  # fmt: skip
        for algorithm in algorithms[operation]:
            problem = f"{operation}:n={n},k={k},{length},in_place={in_place},alg={algorithm}"
            if execute([kport, "export", problem, "--format", "msccl", "-o", path]).returncode != 0:
                continue
            served.add(algorithm)
            done = execute([kport, "check", path])
            if done.returncode != 0:
                wrong.append(f"{problem}: {done.stdout}{done.stderr}")
    tests.check(not wrong, f"{operation} is exported rightly", "\n".join(wrong[:3]))
    left_out = {name for name in algorithms[operation] if "hierarchical" not in name} - served
    tests.check(served and not left_out, f"{operation}: by every algorithm", sorted(left_out))

for problem in ("scan:n=4,k=1,count=1", "gather:n=4,k=1,b=8"):
    done = execute([kport, "export", problem, "--format", "msccl"])
    tests.check(done.returncode == 2 and "MSCCL has no " + problem.split(":")[0] in done.stderr, problem, done.stderr)
tests.end()
