"""One choice everywhere: with a profile that prefers an unusual algorithm, all commands that choose name
it; with --tune builtin none does.

`kport explain` also explains each word about the way of a call, in the words of the manual.

usage: choice.py PROGRAM
"""

import json
import math
import os
import pathlib
import re
import sys
import tempfile

from tap import Tests, execute, said

program = sys.argv[1]
tests = Tests()
PROBLEM = "index:n=4,k=1,b=64"
COMMANDS = {
    "run": f"run {PROBLEM} --repeat 1",
    "cost": f"cost {PROBLEM}",
    "show": f"show {PROBLEM}",
    "check": f"check {PROBLEM}",
    "explain": f"explain {PROBLEM} --json",
    "bench": f"bench {PROBLEM} -i 4 -x 0 --json",
}


def kport(line, **environment):
    return execute([program, *line.split()], env={**os.environ, **environment})


def choice_of(name, line, **environment):
    """What a command names, as in a problem string behind alg=."""
    result = kport(line, **environment)
    if result.returncode:
        return said(result)
    if name == "explain":
        return json.loads(result.stdout)["choice"]["how"]
    whole = json.loads(result.stdout)["rows"][0]["problem"] if name == "bench" else result.stdout
    return whole.partition("alg=")[2].split()[0].partition(",carrier=")[0].rstrip(":")


def expect(what, wanted, options="", problem=PROBLEM, **environment):
    choices = {name: choice_of(name, line.replace(PROBLEM, problem) + options, **environment)
               for name, line in COMMANDS.items()}  # fmt: skip
    tests.check(all(choice == wanted for choice in choices.values()), f"{what}: {wanted}", choices)


def make(path):
    """A profile with this machine's stamp, by which the algorithm that takes most rounds is fastest."""
    for seconds in (1, 4, 16):  # a busy machine may measure nothing in so short a time
        result = kport(f"tune -n 2 -k 1 --operation gather --seconds {seconds} --profile {path}")
        if result.returncode == 0:
            break
    tests.check(result.returncode == 0, "a profile", said(result))
    profile = json.loads(path.read_text())
    measured = {"operation": "index", "gamma": [1, 1, 1], "b": [8, 1024], "candidates": [
        {"algorithm": "radix", "values": [2], "us": [1000, 1000]},
        {"algorithm": "sequential-multi-gather", "values": [], "us": [1, 1]}]}  # fmt: skip
    profile["settings"] = [{"n": 4, "k": 1, "carrier": "threads", "workers": 0, "rounds": "barrier",
                            "beta_us": 2.5, "tau_us": 0.001, "operations": [measured]}]  # fmt: skip
    path.write_text(json.dumps(profile) + "\n")


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "kport" / "profile.json"
    path.parent.mkdir()
    make(path)
    unusual, usual = "sequential-multi-gather", choice_of("cost", COMMANDS["cost"], KPORT_TUNE="builtin")
    tests.check(usual != unusual, "which is unusual", usual)

    expect("KPORT_TUNE names it", unusual, KPORT_TUNE=str(path))
    expect("it lies in the cache", unusual, KPORT_TUNE="", XDG_CACHE_HOME=folder)
    expect("KPORT_TUNE is builtin", usual, KPORT_TUNE="builtin", XDG_CACHE_HOME=folder)
    expect("--tune builtin", usual, " --tune builtin", KPORT_TUNE=str(path))
    expect("--tune FILE", unusual, f" --tune {path}", KPORT_TUNE="builtin")

    # What is named stays, and a machine that was not measured has no use for the profile.
    named = kport(f"cost {PROBLEM},alg=ring", KPORT_TUNE=str(path))
    tests.check("alg=ring" in named.stdout, "an algorithm that is named", said(named))
    if "switched by" in kport("--version").stdout:
        expect("on fibers", usual, problem=f"{PROBLEM},carrier=fibers,workers=1", KPORT_TUNE=str(path))

    # The library goes by it too: what it did stands in the trace.
    trace = pathlib.Path(folder) / "trace.json"
    for tune, wanted in [(path, unusual), ("builtin", usual)]:
        result = kport(f"bench {PROBLEM} -i 4 -x 0 --trace {trace} --tune {tune}", KPORT_TUNE="builtin")
        tests.check(result.returncode == 0 and f"alg={wanted}" in trace.read_text(), f"bench executes {wanted}",
                    said(result))  # fmt: skip

    text = kport(f"explain {PROBLEM} --tune {path}").stdout
    tests.check(f"tuned by profile {path}, which --tune names" in text, "explain says why", text)
    tests.check("\n  by barrier: beta = 2.5 us, tau = 0.001 us a byte, gamma1 = 1, gamma2 = 1, gamma3 = 1 us\n" in text,
                "explain has the constants of the profile", text)  # fmt: skip
    models = json.loads(kport(f"explain {PROBLEM} --tune {path} --json").stdout)["models"]
    tests.check(models == [{"rounds": "barrier", "beta_us": 2.5, "tau_us": 0.001, "gamma": [1.0, 1.0, 1.0], "copy_us": None}],
                "and as JSON", models)  # fmt: skip
    text = kport(f"explain {PROBLEM} --tune builtin", KPORT_TUNE=str(path)).stdout
    tests.check("tuned by the built-in model: --tune is builtin" in text, "and why not", text)

    # The rows follow from the constants that stand above them: C1 beta, and C2 tau or C1 times copy.
    for problem in ["index:n=64,k=63,b=1K", "concat:n=8,k=1,b=100000", "allreduce:n=8,k=1,count=64"]:
        why = json.loads(kport(f"explain {problem} --json", KPORT_TUNE="builtin").stdout)
        model, wrong = why["models"][0], []
        for row in why["candidates"]:
            most = row["c1"] * model["copy_us"] if model["copy_us"] else math.inf
            if not math.isclose(row["predicted_us"], row["c1"] * model["beta_us"] + min(row["c2"] * model["tau_us"], most), rel_tol=1e-6):
                wrong.append(row)
        tests.check(len(why["models"]) == 1 and why["candidates"] and not wrong, f"explain {problem}: by its constants", [model, wrong])

    # A profile that was asked for and cannot be used is an error; one that lies there is none.
    other = pathlib.Path(folder) / "other.json"
    other.write_text("{}")
    for name, line in COMMANDS.items():
        result = kport(f"{line} --tune {other}")
        right = result.returncode == 2 and not result.stdout and str(other) in result.stderr
        tests.check(right and "it may be builtin or a profile" in result.stderr, f"{name}: refused", said(result))
    result = kport(COMMANDS["cost"], KPORT_TUNE=str(other))
    tests.check(result.returncode == 0 and f"alg={usual}" in result.stdout and str(other) in result.stderr,
                "refused, and told", said(result))  # fmt: skip
# Each word about the way of a call is explained below it, as in the manual.
manual = (pathlib.Path(__file__).parents[2] / "doc/manual/guides/tuning.md").read_text()
seen = set()
for problem in ["index:n=1,k=1,b=8", "index:n=2,k=1,b=8,pin=1", "index:n=2,k=1,b=64K", "index:n=3,k=1,b=8", "index:n=64,k=1,b=8",
                "index:n=64,k=1,b=1M", "scatter:n=8,k=1,b=4K,rounds=mailboxes", "gather:n=8,k=1,b=8,rounds=mailboxes",
                "broadcast:n=64,k=1,b=8", "broadcast:n=2,k=1,b=8", "indexv:n=4,k=1,b=64", "index:n=64,k=1,b=8,carrier=fibers,workers=2"]:  # fmt: skip
    text = kport(f"explain {problem} --tune builtin").stdout
    lines = text.partition("carried out by: ")[2].partition("thresholds:")[0].splitlines()
    words = {word for way in lines[:1] for word in re.split("; | and |, ", way.replace("by the last processor: ", ""))}
    told = dict(line.strip().split(": ", 1) for line in lines[1:])
    tests.check(words and words == told.keys(), f"explain {problem}: each word is explained", text)
    tests.check(all(f"| {word} | {meaning} |" in manual for word, meaning in told.items()), "as in the manual", told)
    seen |= words
tests.check(len(seen) > 10, "many ways are seen", seen)
tests.end()
