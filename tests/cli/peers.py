"""The benchmark works: rows are listed, a few are carried out with verified data, and what comes
out is consistent. Says nothing about times.

usage: peers.py PROGRAM BUILD_FOLDER
"""

import json
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile

from tap import Tests, execute, said

program = sys.argv[1]
build = pathlib.Path(sys.argv[2])
tests = Tests()

listed = execute([program, "--list"])
names = [line for line in listed.stdout.splitlines() if not line.startswith(" ")]
tests.check(listed.returncode == 0 and len(names) > 50 and len(set(names)) == len(names),
            "--list tells every row once", said(listed))  # fmt: skip

result = execute([program, "--list", "--row", "index:n=64,k=63,b=8"])
tests.check(re.findall(r"^\S.*", result.stdout, re.M) == ["index:n=64,k=63,b=8"],
            "--row: a whole name is that row alone", said(result))  # fmt: skip

# What special-cases would measure is there.
special = pathlib.Path(__file__).resolve().parent.parent.parent / "bench" / "special_cases.py"
printed = execute([sys.executable, special, "--list"]).stdout
asked = [one for one in re.findall(r"^  (\S+) \[(.*)\]$", printed, re.M) if not one[0].startswith("route:")]
contestants = {line.strip() for line in listed.stdout.splitlines() if line.startswith(" ")}
missing = [one for one in asked if one[0] not in names or one[1] not in contestants]
tests.check(len(asked) > 10 and not missing, "special-cases: rows and contestants that there are", missing)

for arguments in [["--row", "nothing"], ["--repetitions", "0"], ["--budget", "x"], ["fast"]]:
    result = execute([program] + arguments)
    tests.check(result.returncode == 2 and arguments[-1] in result.stderr,
                f"{' '.join(arguments)}: refused, and named", said(result))  # fmt: skip

# Who is not here, and why: what Meson has found, but nobody has built, is not missing on the machine.
targets = [target["name"] for target in json.loads((build / "meson-info" / "intro-targets.json").read_text())]
with tempfile.TemporaryDirectory() as folder:
    copy = shutil.copy(program, folder)  # which has no programs beside it
    printed = execute([copy, "--list"], env=dict(os.environ, LD_LIBRARY_PATH=str(build))).stdout
for name, title in [("peer_openmp", "OpenMP"), ("peer_std_barrier", "std::barrier"), ("peer_mpich", "MPICH")]:
    told = set(re.findall(rf"^ +{title}(?:: not here: (.*))?$", printed, flags=re.M))
    why = f"its program {name} is not built (meson compile -C BUILD_FOLDER all-peers)" if name in targets else "not found by Meson"
    tests.check(len(told) == 1 and told.pop().startswith(why), f"{title} is not here: {why}", printed)
for name in ["peers", "all-peers"]:
    tests.check(targets.count(name) == 1, f"meson compile {name} means one target", targets)


def bound_of_median(values):
    """The least of them that is at or above the median of what they are drawn from, by 95 %; None: too few."""
    count = len(values)
    for i, value in enumerate(sorted(values)):
        if sum(math.comb(count, heads) for heads in range(i + 1)) >= 0.95 * 2**count:
            return value
    return None


def is_consistent(row, repetitions):
    """What is wrong with a row's numbers, or nothing."""
    for contestant in row["contestants"]:
        if "failed" in contestant.get("note", ""):
            return contestant
        timed = contestant["here"] and "note" not in contestant
        if len(contestant["us"]) != (repetitions if timed else 0) or min(contestant["us"], default=1) <= 0:
            return contestant
    times = {contestant["name"]: contestant["us"] for contestant in row["contestants"]}
    for limit in row["limits"]:
        if "ratio" in limit:
            pairs = zip(times[limit["kport"]], times[limit["peer"]])
            bound = bound_of_median([ours / theirs for ours, theirs in pairs])
            if (limit["upper"] is None) != (bound is None) or bound and abs(limit["upper"] / bound - 1) > 1e-9:
                return limit, bound
        judged = limit.get(limit["judged_by"])
        if limit["holds"] is not None and limit["holds"] != (judged is not None and judged <= limit["at_most"]):
            return limit
        if judged is not None and limit["holds"] is None:
            return limit
    return None


def carry_out(wanted, repetitions, budget):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "out.json"
        result = execute([program, "--inside", "--row", wanted, "--repetitions", repetitions,
                          "--budget", budget, "--json", file])  # fmt: skip
        return result, json.loads(file.read_text())["rows"] if file.exists() else []


# Every way of moving data by hand and by kport, with data that is compared.
for wanted, pattern, repetitions, budget in [
    ("barrier:n=2", r"barrier:n=2,", 11, 0.1),
    ("index:n=2", r"index:n=2,", 4, 0.1),
    ("n=8,b=8", r".*:n=8,b=8", 2, 0.1),
    ("concat:n=8", r"concat:n=8,", 2, 0.1),
    ("k=63,b=8,fibers", r".*k=63,b=8,fibers", 2, 0.1),
    ("round-trip", r"round-trip", 2, 0.1),
    ("programs", r"programs:", 1, 0.001),
    ("programs:two,n=8", r"programs:two,n=8", 5, 0.001),
]:
    result, rows = carry_out(wanted, repetitions, budget)
    expected = [name for name in names if re.match(pattern, name)]
    tests.check(result.returncode == 0 and expected and [row["row"] for row in rows] == expected,
                f"{wanted}: JSON of its rows", said(result))  # fmt: skip
    for row in rows:
        wrong = is_consistent(row, repetitions)
        tests.check(row["repetitions"] in (0, repetitions) and not wrong,
                    f"{row['row']}: right data, numbers that fit", wrong)  # fmt: skip
tests.end()
