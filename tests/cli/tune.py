"""kport tune and kport explain: a profile made, used, explained, merged, refused; the audit.

usage: tune.py PROGRAM
"""

import json
import os
import pathlib
import re
import sys
import tempfile
import time

from tap import Tests, execute, said

program = sys.argv[1]
tests = Tests()
SANITIZED = 30  # a sanitizer's machine is slow to start: seconds beyond those announced


def kport(line, tune="builtin", **environment):
    return execute([program, *line.split()], env={**os.environ, "KPORT_TUNE": tune, **environment})


def kport_in(seconds, line, right):
    """A busy machine may measure nothing in so short a time, and then gets more."""
    for factor in (1, 4, 16):
        result = kport(f"{line} --seconds {factor * seconds}")
        if right(result):
            break
    return result


def operations_of(profile):
    return sorted(operation["operation"] for operation in json.loads(profile.read_text())["settings"][0]["operations"])


def explained(problem, tune):
    result = kport(f"explain {problem} --json", tune)
    tests.check(result.returncode == 0, f"explain {problem}", said(result))
    return json.loads(result.stdout) if result.returncode == 0 else {}, result.stderr


def expect(line, status, words, tune="builtin", **environment):
    result = kport(line, tune, **environment)
    right = result.returncode == status and all(word in result.stderr for word in words)
    tests.check(right and (status == 0 or not result.stdout), f"{line}: {' '.join(words)}",
                said(result))  # fmt: skip


with tempfile.TemporaryDirectory() as folder:
    profile = pathlib.Path(folder) / "cache" / "kport" / "profile.json"
    profile.parent.mkdir(parents=True)

    # Made, where it was asked for, in the time that was announced.
    begin = time.monotonic()
    result = kport(f"tune -n 2 -k 1 --operation broadcast --seconds 2 --profile {profile}")
    took = time.monotonic() - begin
    wrong = pathlib.Path(folder) / "nodir" / "x.json"
    refused = kport(f"tune -n 2 -k 1 --operation broadcast --seconds 2 --profile {wrong}")
    tests.check(refused.returncode == 2 and f'there is no folder "{wrong.parent}"' in refused.stderr and not wrong.parent.exists(),
                "--profile makes no folder", said(refused))  # fmt: skip
    if result.returncode == 1 and "for want of time" in result.stderr:
        result = kport(f"tune -n 2 -k 1 --operation broadcast --seconds 60 --profile {profile}")
    tests.check(result.returncode == 0 and re.search(r"tau \S+ us a byte; ", result.stdout), "tune", said(result))
    tests.check(re.match(r"computer: .*; load [\d.]+ [\d.]+ [\d.]+\n", result.stdout) or not pathlib.Path("/proc/loadavg").exists(),
                "tune says on what, and under which load", said(result))  # fmt: skip
    tests.check_clock(took < 2 + SANITIZED, "within its time", took)
    whole = json.loads(profile.read_text())
    setting = whole["settings"][0]
    names = [operation["operation"] for operation in setting["operations"]]
    tests.check(whole["kport_profile"] == 3 and len(whole["stamp"]) == 3, "a profile", whole)
    tests.check(setting["n"] == 2 and setting["beta_us"] > 0 and names == ["broadcast"], "of that",
                setting)  # fmt: skip

    # Explained: what is chosen is the least of what was measured.
    why, told = explained("broadcast:n=2,k=1,b=100", str(profile))
    measured = [row for row in why["candidates"] if row["measured"]]
    least = min(row["predicted_us"] for row in measured)
    tests.check(why["profile_serves"] and len(measured) > 3 and not told, "measured", why)
    tests.check(why["choice"]["predicted_us"] == least, "the least prediction", why["choice"])
    numbers = re.findall(r"\d+", why["thresholds"])
    tests.check(numbers == [str(bytes) for bytes in whole["thresholds"].values()], "its thresholds", why["thresholds"])
    tests.check("(from the profile)" in why["thresholds"], "by the profile", why["thresholds"])
    why, _ = explained("broadcast:n=2,k=1,b=100", "builtin")
    built_in = [4096, 8192, 8192, 16384, 32 << 20]
    numbers = [int(number) for number in re.findall(r"\d+", why["thresholds"])]
    tests.check(numbers == built_in and "(built-in)" in why["thresholds"], "the same everywhere", why["thresholds"])
    why, _ = explained("broadcast:n=2,k=1,b=100", str(profile))
    for row in measured:
        parts = row["rounds_us"] + row["bytes_us"] + row["rest_us"]
        if abs(parts * row["ratio"] / row["predicted_us"] - 1) > 1e-3:
            tests.check(False, "the terms give the prediction", row)
    text = kport("explain broadcast:n=2,k=1,b=100", str(profile)).stdout
    chosen = [line for line in text.splitlines() if line.startswith("> ")]
    how = why["choice"]["how"]
    tests.check(len(chosen) == 1 and how in chosen[0] and f"chosen: {how}" in text, "as text", text)

    # And used, also from the cache.
    run = kport("run broadcast:n=2,k=1,b=100 --repeat 1", str(profile))
    tests.check(f"alg={how}" in run.stdout, "run is served by the choice", said(run))
    cached = kport("explain broadcast:n=2,k=1,b=100", "",
                   XDG_CACHE_HOME=str(profile.parent.parent))  # fmt: skip
    tests.check(f"tuned by profile {profile}" in cached.stdout, "from the cache", said(cached))

    # What it has nothing for.
    why, _ = explained("index:n=2,k=1,b=100", str(profile))
    tests.check(not why["profile_serves"], "nothing measured", why)
    for keys, words in [("", "-k 1 measures"), (",rounds=tuned", "-k 1 --rounds both measures")]:
        text = kport(f"explain index:n=2,k=1,b=100{keys}", str(profile)).stdout
        tests.check(f"nothing for it, but kport tune -n 2 {words} it" in text, f"what measures it{keys}", text)

    # The columns, and the operations that are told.
    text = kport("explain broadcast:n=2,k=1,b=100", str(profile)).stdout
    row = next(line for line in text.splitlines() if line.startswith("> ")).split()
    tests.check(re.search("rounds us +bytes us +model us +measured/model +expected us\n", text) and
                abs(float(row[-3]) * float(row[-2].rstrip("?")) / float(row[-1]) - 1) < 0.05,
                "the model's time, times measured/model, is expected", text)  # fmt: skip
    telling = {name: value for name, value in os.environ.items() if name != "KPORT_QUIET"}
    result = execute([program, *f"tune -n 2 -k 1 --operation broadcast --seconds 4 --profile {profile}".split()], env=telling)
    tests.check("1 setting of broadcast, at most 4 s" in result.stderr and "scatter" not in result.stderr,
                "progress is about the operation that was asked for", said(result))  # fmt: skip

    result = kport(f"tune -n 2 -k 1 --operation broadcast --seconds 4 --profile {profile}", KPORT_QUIET="1")
    tests.check("at most" not in result.stderr, "quiet: tune announces nothing", said(result))

    # A second operation comes to the first.
    both = ["broadcast", "scatter"]
    kport_in(1, f"tune -n 2 -k 1 --operation scatter --profile {profile}", lambda _: operations_of(profile) == both)
    tests.check(operations_of(profile) == both, "merged", operations_of(profile))

    # The audit: nothing is faster than the best.
    result = kport_in(2, f"tune --audit -n 2 -k 1 --operation broadcast --json --profile {profile}",
                      lambda result: result.returncode or json.loads(result.stdout)["problems"] > 0)  # fmt: skip
    audit = json.loads(result.stdout) if result.returncode == 0 else {}
    right = audit.get("problems", 0) > 0 and all(row["regret"] >= 1 for row in audit["rows"])
    tests.check(right and audit["mean_regret"] <= audit["worst_regret"], "audit", said(result))
    # What the profile does not have, and what there was no time for, is told.
    result = kport(f"tune --audit -n 2 -k 1 --operation gather --seconds 4 --profile {profile}")
    judged = re.search(r" (\d+) problems: chosen", result.stdout)
    right = judged and (judged[1] == "0" or f"{judged[1]} of {judged[1]} problems are not in the profile" in result.stdout)
    tests.check(right and (judged[1] == "6" or f"{6 - int(judged[1])} of 6 problems are left out for want of time" in result.stdout),
                "an audit of what the profile lacks", said(result))  # fmt: skip
    expect("tune --audit -n 2 -k 1 --operation gather --seconds 1 --profile /nowhere", 2,
           ['--profile names no profile that can be read: ', "No such file"])  # fmt: skip
    result = kport("tune --audit -n 2 --operation gather --seconds 1", XDG_CACHE_HOME="/nowhere")
    tests.check("problems: chosen / best: mean " in result.stdout and "No such file" in result.stderr and
                (" 0 problems" in result.stdout) != ("    worst: chosen " in result.stdout),
                "audit of the built-in model", said(result))  # fmt: skip

    # Refused as a whole, with the reason, and the built-in model serves.
    other = pathlib.Path(folder) / "other.json"
    good = profile.read_text()
    why, _ = explained("broadcast:n=2,k=1,b=100", "builtin")
    for name, text, reason in [
        ("another machine", good.replace('"machine":"', '"machine":"an abacus, '), "another machine"),
        ("truncated", good[: len(good) // 2], "in the middle"),
        ("a wrong type", good.replace('"n":2', '"n":"2"'), '"n" is a text; it may be a number'),
        ("a huge number", good.replace('"beta_us":', '"beta_us":1e400,"x":'), "1e400 is too large"),
    ]:
        other.write_text(text)
        instead, told = explained("broadcast:n=2,k=1,b=100", str(other))
        right = reason in told and "the built-in model" in told and str(other) in told
        tests.check(right and instead["choice"] == why["choice"], name, told)
        expect("run broadcast:n=2,k=1,b=100 --repeat 1", 0, ["the built-in model", reason], str(other))
    result = kport_in(1, f"tune -n 2 -k 1 --operation gather --profile {other}", lambda result: result.returncode == 0)
    tests.check("is dropped" in result.stderr and result.returncode == 0, "replaced", said(result))
    left = [path.name for path in other.parent.iterdir()]
    tests.check(sorted(left) == ["cache", "other.json"], "nothing beside it is left", left)

expect("tune --rounds never", 2, ['--rounds is "never"', "barrier or mailboxes"])
expect("tune --carrier bees", 2, ['--carrier is "bees"', "threads, fibers or mpi"])
expect("tune --workers 2", 2, ["only fibers have workers"])
expect("tune --operation scan", 2, ['--operation is "scan"', "index, concat"])
expect("tune -n 4 -k 4", 2, ["-k is 4; with n=4 it may be 1 ... 3"])
expect("tune -n ,", 2, ["-n is"])
expect("tune --json", 2, ["with --audit"])
expect("tune -n 1 --seconds 1 --operation gather --profile /proc/nowhere", 2, ["could not be written"])
expect("tune", 2, ["neither XDG_CACHE_HOME nor HOME"], XDG_CACHE_HOME="", HOME="")
expect("explain", 2, ["a problem is missing"])
expect("explain index:n=4,k=4,b=8", 2, ["1 ... 3"])
tests.end()
