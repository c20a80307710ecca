"""kport soak: a short one is all right, and every shortfall that is planted in one is found.

usage: soak.py PROGRAM [SECONDS]

With SECONDS only the short one.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from tap import Tests, execute, said, with_wrapper

program = sys.argv[1]
tests = Tests()

KEYS = ["operations", "faults_planted", "faults_named", "wrong_bytes", "hangs", "leaks"]


def soak(*words, plant=None):
    environment = dict(os.environ)
    environment.pop("KPORT_SOAK_PLANT", None)
    if plant:
        environment["KPORT_SOAK_PLANT"] = plant
    return execute([program, "soak", *words], env=environment)


def figures(result):
    try:
        return json.loads(result.stdout)
    except ValueError:
        return {}


def is_well(result):
    got = figures(result)
    return (
        result.returncode == 0
        and result.stderr == ""
        and all(key in got for key in KEYS)
        and got["operations"] > 0
        and got["faults_planted"] > 0
        and got["faults_named"] == got["faults_planted"]
        and got["wrong_bytes"] == got["hangs"] == got["leaks"] == 0
    )


def a_short_one(seconds, seed):
    # A busy machine may plant no fault in so short a time.
    for factor in (1, 4, 16):
        begun = time.monotonic()
        result = soak("--seconds", str(factor * int(seconds)), "--seed", seed, "--json")
        took = time.monotonic() - begun
        if result.returncode or figures(result)["faults_planted"]:
            break
    tests.check(is_well(result), f"a soak of {seconds} s", said(result))
    tests.check_clock(took < factor * int(seconds) + 10, "and it ends in time", f"{took:.1f} s")


# What is planted, and the figure that tells it.
PLANTED = [
    ("corrupt", "wrong_bytes"),
    ("skip", None),
    ("mistell", None),
    ("memory", "leaks"),
    ("mapping", "leaks"),
    ("thread", "leaks"),
    ("file", "leaks"),
]


def shortfalls():
    for plant, figure in PLANTED:
        result = soak("--seconds", "60", "--seed", "5", "--json", plant=plant)
        got = figures(result)
        seed = str(got.get("failed_seed"))
        right = result.returncode == 1 and got.get("shortfall", "") and f"seed {seed}" in result.stderr
        right = right and f"--seed {seed} --machines 1" in result.stderr
        if figure:
            right = right and got[figure] > 0
        else:
            right = right and got["wrong_bytes"] == 0
        tests.check(right, f"{plant} is found", said(result))
        if right:
            again = soak("--seed", seed, "--machines", "1", plant=plant)
            tests.check(again.returncode == 1, f"{plant} is found again by its seed", said(again))
    result = soak("--seconds", "60", "--patience", "1", "--json", plant="hang")
    got = figures(result)
    right = result.returncode == 1 and got.get("hangs") == 1
    right = right and "machine n=" in result.stderr and "deadlock" not in result.stderr
    right = right and re.search(r"\bwaits? for \d", result.stderr)  # one, or several alike
    tests.check(right, "a hang is found, and shown", said(result))
    tests.check(soak(plant="nothing").returncode == 2, "a shortfall that there is not is refused")


def replayed():
    found = soak("--seconds", "60", plant="corrupt")
    lines = re.findall(r"^(?:machine |group |\S+:n=|barrier|send_recv|exchange).*$", found.stderr, re.M)
    tests.check(0 < len(lines) <= 3, "a wrong byte comes down to one call", said(found))
    with tempfile.NamedTemporaryFile("w", suffix=".trial") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        with_fault = soak("--replay", file.name, plant="corrupt")
        without = soak("--replay", file.name)
        tests.check(with_fault.returncode == 1, "and fails when replayed", said(with_fault))
        tests.check(without.returncode == 0, "but for the fault it is right", said(without))
        file.write("index:n=3,k=1,b=1 color=3\n")
        file.flush()
        bad = soak("--replay", file.name)
        tests.check(bad.returncode == 2 and "color" in bad.stderr, "an unknown key", said(bad))
    missing = soak("--replay", "/no/such/file")
    tests.check(missing.returncode == 2 and "/no/such/file" in missing.stderr, "no file", said(missing))


def interrupted():
    # On a busy machine it may not have begun after a second.
    for seconds in (1, 4, 16):
        running = subprocess.Popen(
            with_wrapper([program, "soak", "--seconds", "100", "--json"]), stdout=subprocess.PIPE, text=True
        )
        time.sleep(seconds)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate()
        right = running.returncode == 130 and json.loads(out)["operations"] > 0
        if right:
            break
    tests.check(right, "Ctrl-C: the figures so far", f"status {running.returncode}\n{out}")


def refused():
    for words, named in [
        (["--seconds", "0"], "--seconds"),
        (["--seconds", "x"], "--seconds"),
        (["--color"], "--color"),
        (["now"], "now"),
    ]:
        result = soak(*words)
        right = result.returncode == 2 and named in result.stderr and result.stdout == ""
        tests.check(right, f"{' '.join(words)} is refused", said(result))


if len(sys.argv) > 2:
    a_short_one(sys.argv[2], "1")
else:
    a_short_one("3", "77")
    shortfalls()
    replayed()
    interrupted()
    refused()
tests.end()
