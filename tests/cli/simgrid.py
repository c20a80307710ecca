"""kport predict beside SimGrid: every exported trace is replayed to its end, the closed model ranks algorithms as
SimGrid does where nothing is shared, and SimGrid sees what is shared.

The ranking is found twice: by the column of kport predict, and by a replay with a platform and options that stand
here. Without SimGrid all tests are skipped.

usage: simgrid.py PROGRAM SOURCE_FOLDER [full]
"""

import concurrent.futures
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from algorithms import listed, problem_of
from tap import Tests, execute, said

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
full = "full" in sys.argv[3:]
tests = Tests()

NAMES = ["replays end", "the ranking where nothing is shared", "the column of kport predict", "platforms", "a shared network"]
if not shutil.which("smpirun"):
    for name in NAMES:
        tests.skip(name, "there is no smpirun in PATH (Debian: libsimgrid-dev; tools/dev test --simgrid installs it)")
    tests.end()

# Any two of 32 hosts are joined by a backbone on which nothing is shared; the hosts' own links take no time.
LATENCY, BYTE = 1.5, 0.0002  # microseconds
PLATFORM = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="h" radical="0-31" suffix="" speed="1Gf" bw="1e18Bps" lat="0us"
           bb_bw="{1e6 / BYTE:.9g}Bps" bb_lat="{LATENCY}us" bb_sharing_policy="FATPIPE"/>
</platform>
"""
# What SMPI adds of its own is switched off: factors, the limit by TCP's window, the load of acknowledgements, the
# costs of calls. No message is sent before its receiver is there, as with S = 0 in the closed model.
OPTIONS = ["network/model:CM02", "network/latency-factor:1", "network/bandwidth-factor:1", "network/weight-S:0",
           "network/TCP-gamma:0", "network/crosstraffic:no", "surf/precision:1e-12", "smpi/os:0:0:0", "smpi/or:0:0:0",
           "smpi/ois:0:0:0", "smpi/send-is-detached-thresh:0", "smpi/async-small-thresh:0", "smpi/host-speed:1Gf",
           "smpi/display-timing:yes"]  # fmt: skip
folder = pathlib.Path(tempfile.mkdtemp())
os.environ["TMPDIR"] = str(folder / "temporary")
(folder / "temporary").mkdir()
(folder / "platform.xml").write_text(PLATFORM)
(folder / "hosts").write_text("".join(f"h{i}\n" for i in range(32)))


def replay(problem):
    """The simulated time in microseconds, or what smpirun said."""
    n = int(re.search(r"n=(\d+)", problem)[1])
    place = pathlib.Path(tempfile.mkdtemp(dir=folder))
    trace = execute([program, "export", problem, "--format", "simgrid", "-o", place / "trace"])
    (place / "list").write_text(f"{place}/trace\n")
    result = execute(["smpirun", "-no-privatize", "-np", n, "-platform", folder / "platform.xml", "-hostfile", folder / "hosts",
                      "-replay", place / "list", *(f"--cfg={option}" for option in OPTIONS)], stderr=subprocess.STDOUT)  # fmt: skip
    found = re.search(r"Simulated time: (\S+) seconds", result.stdout)
    if trace.returncode != 0 or result.returncode != 0 or not found:
        return None, said(trace) + said(result)
    return float(found[1]) * 1e6, ""


def at_once(function, list):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [*pool.map(function, list)]


# --- Every schedule of every algorithm is replayed to its end ---

SIZES = [(9, 2, 720), (8, 1, 24), (8, 7, 64), (16, 4, 64)]
MORE = [(2, 1, 8), (7, 6, 48), (8, 3, 1), (16, 2, 1000), (25, 4, 4000), (27, 2, 8), (32, 1, 160000), (13, 3, 104)]
problems, algorithms = {}, list(listed(program))
for operation, algorithm in algorithms:
    served = [problem for problem in (problem_of(operation, algorithm, *size) for size in SIZES + MORE * full)
              if execute([program, "cost", problem]).returncode == 0]  # fmt: skip
    problems[operation, algorithm] = served if full else served[:1]
missing = [key for key, served in problems.items() if not served]
all_problems = sum(problems.values(), [])
failed = [(problem, why) for problem, (us, why) in zip(all_problems, at_once(replay, all_problems)) if us is None]
tests.check(not failed and not missing and len(algorithms) >= 70, f"{len(all_problems)} replays end", (failed[:3], missing))


# --- The ranking ---


def rows_of(*arguments):
    result = execute([program, "predict", *arguments, "--csv"])
    return list(csv.DictReader(io.StringIO(result.stdout))) if result.returncode == 0 else said(result)


def disagreeing(times):
    """Pairs that SimGrid ranks otherwise, of those whose times by the closed model are more than 5 % apart."""
    return [(a, b) for a in times for b in times if a[0] > 1.05 * b[0] and a[1] <= b[1]]


NETWORK = f"flat,L={LATENCY},o=0,g=0,G={BYTE},S=0"
CASES = [("index", 8, 1), ("concat", 8, 2), ("broadcast", 9, 2)]
CASES += [("allreduce", 8, 1), ("gather", 8, 1), ("reduce-scatter", 8, 3)] * full
CASES += [(operation, n, k) for operation in ("index", "concat", "broadcast", "scatter", "reduce", "allreduce", "scan")
          for n, k in ((16, 1), (16, 3), (16, 15), (27, 2))] * full  # fmt: skip
wrong, pairs = [], 0
for operation, n, k in CASES:
    rows = rows_of(f"{operation}:n={n},k={k}", "-b", "16,48K", "--engine", "loggp", "--network", NETWORK)
    problems = [f"{operation}:n={n},k={k},b={row['block_bytes']},alg={row['algorithm']}" for row in rows]
    for b in ("16", "49152"):
        chosen = [i for i, row in enumerate(rows) if row["block_bytes"] == b]
        replayed = at_once(replay, [problems[i] for i in chosen])
        times = [(float(rows[i]["loggp_us"]), us or 0, problems[i]) for i, (us, _) in zip(chosen, replayed)]
        pairs += sum(x[0] > 1.05 * y[0] for x in times for y in times)
        wrong += disagreeing(times)
        wrong += [time for time in times if abs(time[0] - time[1]) > 0.03 * time[0]]
tests.check(not wrong and pairs > 50, f"SimGrid ranks {pairs} pairs alike where nothing is shared", wrong[:5])

# In every other case the ports and the gap are kept by clocks.
NETWORKS = ["flat", "flat,S=1M,g=0.9", "flat,o=0.7,startup=1.3", "flat,S=1K,o=0.05,g=7"]
wrong, pairs = [], 0
for i, (operation, n, k) in enumerate(CASES[: 3 if full else 1] + CASES[6:]):
    for network in NETWORKS[i % 2 * 2:][:2] if i > 0 else NETWORKS:
        rows = rows_of(f"{operation}:n={n},k={k}", "-b", "8,64K", "--network", network)
        for b in ("8", "65536"):
            times = [(float(row["loggp_us"]), float(row["simgrid_us"]), row) for row in rows if row["block_bytes"] == b]
            pairs += sum(x[0] > 1.05 * y[0] for x in times for y in times)
            wrong += disagreeing(times) + [time for time in times if abs(time[0] - time[1]) > 0.003 * time[0]]
tests.check(not wrong and pairs > 50, f"the columns of kport predict rank {pairs} pairs alike", wrong[:5])

# --- Platforms, and messages that share links ---

# One message alone shares nothing: SimGrid's time is that of the closed model, so both know the same ways.
wrong = []
for network, n in [("fat-tree,hosts=4,cores=2", 14), ("torus,rows=3", 12), ("dragonfly,groups=3,routers=3,nodes=2", 18),
                   ("ring", 7), ("hypercube", 16), ("switch", 5), ("bus", 5), ("torus", 2), ("dragonfly", 50), ("fat-tree", 3)]:  # fmt: skip
    for to in sorted({1, n // 2, n - 1} if not full else set(range(1, n))):
        rows = rows_of(f"one-to-one:n={n},k=1,b=100000,to={to},alg=direct", "--network", network)
        if isinstance(rows, str) or abs(float(rows[0]["simgrid_us"]) - float(rows[0]["loggp_us"])) > 0.01:
            wrong.append((network, to, rows))
tests.check(not wrong, "one message takes the same by both on every platform", wrong[:3])

(folder / "two.xml").write_text(PLATFORM.replace("0-31", "0-1"))
result = execute([program, "predict", "index:n=4,k=1,b=8", "--network", folder / "two.xml"])
tests.check(result.returncode == 2 and "fewer hosts" in result.stderr, "a platform with too few hosts", said(result))
(folder / "bad.xml").write_text("<platform>")
(folder / "old.xml").write_text(PLATFORM.replace("4.1", "3"))
for name in ("bad.xml", "old.xml"):
    result = execute([program, "predict", "index:n=4,k=1,b=8", "--network", folder / name])
    right = result.returncode == 2 and f'{name}", which SimGrid cannot read as a platform: Parse error' in result.stderr
    tests.check(right and result.stderr.count("\n") == 1 and "--cfg" not in result.stderr, f"a platform that is none: {name}", said(result))
own = rows_of("index:n=8,k=1,b=48K", "--network", folder / "platform.xml", "-a", "phases")
expected = 7 * (LATENCY + (48 * 1024 - 1) * BYTE + 2 * 0.2)  # o as by default
tests.check(not isinstance(own, str) and abs(float(own[0]["simgrid_us"]) - expected) < 0.01 and own[0]["loggp_us"] == "",
            "a platform of one's own", (own, expected))  # fmt: skip

eager = rows_of("gather:n=9,k=1,b=1000", "--network", "flat,o=0,g=0,S=1K", "-a", "direct")[0]
waiting = rows_of("gather:n=9,k=1,b=1000", "--network", "flat,o=0,g=0,S=999", "-a", "direct")[0]
right = abs(float(eager["simgrid_us"]) - (1 + 8 * 0.0999)) < 0.01 and abs(float(waiting["simgrid_us"]) - 8 * 1.0999) < 0.01
tests.check(right, "messages of up to S bytes do not wait for the receiver", (eager, waiting))

# --- What SimGrid leaves out is said ---

MISSED = [("gather:n=9,k=1,b=4K", "torus,S=1M", "receiver-ports", "not its ports"),
          ("gather:n=9,k=1,b=4K", "torus", "", ""), ("gather:n=9,k=1,b=4K", "flat,S=1M,g=7", "", ""),
          ("gather:n=9,k=1,b=8", "flat,G=0.01", "short-messages", "less than 18 bytes"), ("gather:n=9,k=1,b=8", "flat", "", ""),
          ("gather:n=9,k=1,b=3G", "flat", "too-long", "more than 2147483647 bytes; no time"),
          ("gather:n=9,k=1,b=4K", f"{folder}/platform.xml,S=1M,g=1", "ports gap", "do not wait for a port")]  # fmt: skip
for problem, network, words, sentence in MISSED:
    arguments = [problem, "--network", network, "-a", "direct"]
    row = rows_of(*arguments)[0]
    text = execute([program, "predict", *arguments]).stdout
    data = json.loads(execute([program, "predict", *arguments, "--json"]).stdout)
    right = row["simgrid_limits"] == " ".join(data["rows"][0]["simgrid_limits"]) == words
    right = right and ("SimGrid: " in text) == bool(words) and sentence in text and sentence in "".join(data["simgrid_notes"])
    right = right and (row["simgrid_us"] == "") == (words == "too-long")
    tests.check(right, f"what SimGrid leaves out of {problem} on {os.path.basename(network)}", (row, text))

bus = rows_of("index:n=8,k=1,b=64K", "--network", "bus", "-a", "phases")[0]
flat = rows_of("index:n=8,k=1,b=64K", "--network", "flat", "-a", "phases")[0]
ratio = float(bus["simgrid_us"]) / float(flat["simgrid_us"])
tests.check(5 < ratio < 8.1 and bus["loggp_us"] == flat["loggp_us"], "eight messages share a bus", (bus, flat))

# --- What doc/manual/guides/own.md shows ---

written = (root / "doc" / "manual" / "guides" / "own.md").read_text()
shown = re.search(r"\(`kport (predict [^`]+)`\):\n\n```\n(.*?)```\n\n`(-b \S+) --svg FILE`", written, re.S)
printed = execute([program, *shown[1].split()]).stdout if shown else ""


def words_of(text):
    """Words, and as numbers what is one. A star is not compared, because two times may be equal but for a digit."""
    words = [word.rstrip("*") for word in text.split()]
    return [float(word) if re.fullmatch(r"[\d.]+", word) else word for word in words if word]


pairs = [*zip(words_of(shown[2]), words_of(printed))] if shown else []
wrong = [(a, b) for a, b in pairs if a != b and (str in (type(a), type(b)) or abs(a - b) > 0.01 * b)]
tests.check(len(pairs) > 60 and not wrong and len(words_of(printed)) == len(pairs), "doc/manual/guides/own.md shows what is printed", wrong)
rows = [row.split() for row in printed.splitlines()[4:]]
for b in ("4096", "65536"):
    best = [min((float(row[column].rstrip("*")), row[1]) for row in rows if row[0] == b)[1] for column in (5, 6)]
    tests.check(len(set(best)) == 2, f"contention turns the ranking round at {b} bytes", best)
arguments = re.sub(r"-b \S+", shown[3], shown[1]).split()
drawn = execute([program, *arguments, "--svg", "-"]).stdout
tests.check(drawn == (root / "doc" / "manual" / "pictures" / "contention.svg").read_text(), "doc/manual/pictures/contention.svg is what is drawn", drawn[-2000:])

left = [name for name in os.listdir(folder / "temporary") if name.startswith("kport-")]
tests.check(not left, "no temporary folder is left", left)
shutil.rmtree(folder)
tests.end()
