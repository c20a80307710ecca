"""kport bench from outside: the shape of what it prints, that numbers fit each other, refusals, what
Ctrl-C leaves, and, in the suite long, that it ends in the time that it announces. Says nothing about
how fast.

usage: bench.py PROGRAM
"""

import csv
import io
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from tap import Tests, execute, said, with_wrapper

program = sys.argv[1]
library = str(pathlib.Path(program).resolve().parent.parent)
tests = Tests()


telling = {name: value for name, value in os.environ.items() if name != "KPORT_QUIET"}


def bench_as_is(*words):
    return execute([program, "bench", *words], env=telling)


def bench(*words):
    """With so much time that even a busy machine makes all rows and iterations."""
    return bench_as_is(*words, "--seconds", "100000")


def lines_of(text):
    """The comment lines, the last of them the heads of columns, and the rows as words."""
    lines = [line for line in text.splitlines() if "is the median of fewer" not in line]
    return [line for line in lines if line.startswith("#")], [line.split() for line in lines if line[:1].isdigit()]


def heads_of(line):
    return re.split(r"\s{2,}", line.removeprefix("# ").strip())


# --- Shape ---

result = bench("index", "-n", "4", "-m", "8:64", "-i", "100")
comments, rows = lines_of(result.stdout)
tests.check(result.returncode == 0 and [row[0] for row in rows] == ["8", "16", "32", "64"],
            "a row for each size", said(result))  # fmt: skip
tests.check(heads_of(comments[-1]) == ["Size", "Avg Latency(us)", "P50 Tail Lat(us)"] and
            all(float(row[1]) > 0 and float(row[2]) > 0 for row in rows), "size, average and median", said(result))  # fmt: skip
tests.check("last processor's start to the last one's end" in "".join(comments) and "n=4,k=3" in "".join(comments),
            "the head says what is timed, and of whom", said(result))  # fmt: skip
tests.check(re.match(r"kport bench: 4 rows, at most \d+ s\n", result.stderr), "standard error announces the time",
            said(result))  # fmt: skip

FULL = ["Size", "Avg Latency(us)", "P50 Tail Lat(us)", "Min Latency(us)", "Max Latency(us)", "Iterations",
        "P90 Tail Lat(us)", "P99 Tail Lat(us)", "Samples", "Algbw(GB/s)", "Busbw(GB/s)",
        "Validation"]  # fmt: skip
result = bench("concat", "-n", "2,3", "-k", "1", "-m", "8:8", "-i", "70", "-x", "3", "--full", "-c")
comments, rows = lines_of(result.stdout)
heads = [heads_of(line) for line in comments if line.startswith("# Size")]
tests.check(result.returncode == 0 and heads == [FULL, FULL] and len(rows) == 2, "--full -c: columns; a table for each n",
            said(result))  # fmt: skip


def fits(row):
    least, average, most = row["min_us"], row["avg_us"], row["max_us"]
    return (
        0 < least <= row["p50_us"] <= row["p90_us"] <= row["p99_us"] <= most
        and least <= average * 1.001
        and average <= most * 1.001
        and 1 <= row["samples"] <= row["iterations"]
    )


for words in rows:
    row = dict(zip(["size", "avg_us", "p50_us", "min_us", "max_us", "iterations", "p90_us", "p99_us", "samples"],
                   map(float, words)))  # fmt: skip
    tests.check(fits(row) and row["iterations"] == 70 and words[-1] == "Pass", "and its numbers fit each other", words)

result = bench("index", "-n", "3", "-k", "1,2", "-m", "1:2", "-i", "30", "--csv", "--full", "-c")
rows = list(csv.DictReader(io.StringIO(result.stdout)))
tests.check(result.returncode == 0 and [(row["n"], row["k"], row["size"]) for row in rows] ==
            [("3", "1", "1"), ("3", "1", "2"), ("3", "2", "1"), ("3", "2", "2")], "--csv: a line for each row", said(result))  # fmt: skip
tests.check(all(row["operation"] == "index" and row["problem"].startswith(f"index:n=3,k={row['k']},b={row['size']},alg=")
                and row["validation"] == "Pass" and row["iterations"] == "30" and float(row["avg_us"]) > 0 for row in rows),
            "and what is in it", rows)  # fmt: skip

result = bench("reduce:type=int32,op=maximum,carrier=threads", "-n", "5", "-m", "4:8", "-i", "200", "--json")
document = json.loads(result.stdout)
tests.check(result.returncode == 0 and document["complete"] and document["operation"] == "reduce" and "timed" in document,
            "--json: one document", said(result))  # fmt: skip
for row in document["rows"]:
    tests.check(fits(row) and row["iterations"] == 200 and "type=int32,op=maximum" in row["problem"] and row["n"] == 5,
                "and a row of it", row)  # fmt: skip

# The bytes that nccl-tests counts for n = 4 and blocks of 1,000 bytes (reductions: 1,000 bytes in elements of 8).
for name, algorithm, bus in [("index", 4000, 3000), ("concat", 4000, 3000), ("broadcast", 1000, 1000),
                             ("scatter", 4000, 3000), ("gather", 4000, 3000), ("reduce", 1000, 1000),
                             ("reduce-scatter", 4000, 3000), ("allreduce", 1000, 1500),
                             ("indexv", None, None), ("barrier", None, None)]:  # fmt: skip
    result = bench(name, "-n", "4", *([] if name == "barrier" else ["-m", "1000:1000"]), "-i", "20", "--json")
    row = json.loads(result.stdout)["rows"][0]
    wanted = [moved and moved / row["avg_us"] / 1000 for moved in (algorithm, bus)]
    told = [row["algbw_gb_s"], row["busbw_gb_s"]]
    tests.check(told == wanted or all(told) and all(abs(t / w - 1) < 1e-6 for t, w in zip(told, wanted)),
                f"{name}: the bandwidths of nccl-tests", said(result))  # fmt: skip

# --- Each algorithm ---

result = bench("index", "-n", "3,4", "-k", "2,3", "-m", "8:16", "-i", "5", "-a", "pairwise,radix/r=2", "--json")
rows = [(row["n"], row["k"], row["size"], row["algorithm"]) for row in json.loads(result.stdout)["rows"]]
tests.check(rows == [(3, 2, 8, "radix,r=2"), (3, 2, 16, "radix,r=2")] +
            [(4, k, b, name) for k in (2, 3) for b in (8, 16) for name in ("pairwise", "radix,r=2")],
            "-a: a row for each algorithm, those of one size after each other", said(result))  # fmt: skip
tests.check("k is 3; with n=3 it may be 1 ... 2; left out" in result.stderr, "pairs of n and k that cannot be are left out", said(result))
result = bench("index", "-n", "3", "-m", "8:16", "-i", "5", "-a", "all")
comments, rows = lines_of(result.stdout)
told = [line for line in comments if line.startswith("# pairwise is left out: ")]
tests.check(len(told) == 1 and "power of 2" in told[0] and heads_of(comments[-1])[-1] == "Algorithm",
            "which algorithms do not serve is told once", said(result))  # fmt: skip
names = [row[-1].split(",")[0] for row in rows]
tests.check("ring" in names and names[: len(names) // 2] == names[len(names) // 2 :] and
            [row[0] for row in rows] == ["8"] * (len(rows) // 2) + ["16"] * (len(rows) // 2), "-a all", said(result))  # fmt: skip
result = bench("index", "-n", "2", "-m", "8:8", "-i", "5", "-a", "pairwise", "--csv")
row = next(csv.DictReader(io.StringIO(result.stdout)))
tests.check(row["algorithm"] == "pairwise" and "alg=pairwise" in row["problem"], "-a --csv", said(result))
left = ("index", "-n", "3", "-m", "8:8", "-i", "5", "-a", "ring,pairwise", "--quiet")
result = bench(*left, "--csv")
tests.check("kport bench: pairwise is left out: " in result.stderr and "left out" not in result.stdout,
            "what is left out of a CSV is told on stderr", said(result))  # fmt: skip
result = bench(*left, "--json")
told = json.loads(result.stdout)
tests.check(len(told["left_out"]) == 1 and told["left_out"][0].startswith("pairwise is left out: ") and
            [row["carrier"] for row in told["rows"]] == ["threads"] and "left out" not in result.stderr,
            "JSON has what is left out, and the carrier", said(result))  # fmt: skip
result = bench("allreduce", "-n", "2", "-m", "1:16", "-i", "5")
tests.check([row[0] for row in lines_of(result.stdout)[1]] == ["8", "16"] and "begin with 8" in result.stderr,
            "sizes begin with an element, and it is told", said(result))  # fmt: skip
crowd = 2 * len(os.sched_getaffinity(0))
for words, there in [(["index", "-n", str(crowd)], True), (["latency", "-n", str(crowd)], True), (["index", "-n", "1"], False)]:
    result = bench_as_is(*words, "-m", "8:8", "-i", "5")
    tests.check((f"# {crowd} threads on {crowd // 2} CPU" in result.stdout) == there, f"{' '.join(words)}: threads that share CPUs",
                said(result))  # fmt: skip
result = execute([program, "run", f"index:n={crowd},k=1,b=8", "--repeat", "1"])
tests.check(f"  {crowd} threads on {crowd // 2} CPU" in result.stdout, "kport run tells it too", said(result))
result = execute([program, "run", f"index:n={crowd},k=1,b=8,carrier=fibers", "--repeat", "1"])
tests.check("threads on" not in result.stdout, "but not of fibers", said(result))

# --- Every operation, and the machines ---

listed = json.loads(execute([program, "list", "--json"]).stdout)["algorithms"]
names = sorted({one["operation"] for one in listed})
tests.check(len(names) >= 15, "operations are listed", names)
for name in names:
    if name == "barrier":
        continue
    result = bench(name, "-n", "3", "-m", "8:16", "-i", "5", "-c")
    comments, rows = lines_of(result.stdout)
    tests.check(result.returncode == 0 and [(row[0], row[3]) for row in rows] == [("8", "Pass"), ("16", "Pass")],
                f"{name}: timed and compared", said(result))  # fmt: skip
for name in ["index", "reduce-scatter", "scatter:root=2", "allreduce:op=product"]:
    whole = name + (":" if ":" not in name else ",") + "in_place=1"
    result = bench(whole, "-n", "3", "-m", "8:8", "-i", "20", "-c")
    tests.check(result.returncode == 0 and "Pass" in result.stdout, f"{whole}: compared", said(result))
result = bench("barrier", "-n", "1,4", "-i", "50", "--full")
comments, rows = lines_of(result.stdout.replace("\n ", "\n0 "))
tests.check(result.returncode == 0 and len(rows) == 2 and "Size" not in result.stdout, "a barrier has no size", said(result))

fibers = "switched by" in execute([program, "--version"]).stdout
if fibers:
    result = bench("index:carrier=fibers,workers=2", "-n", "50", "-k", "1", "-m", "8:8", "-i", "10", "-c")
    tests.check(result.returncode == 0 and "carrier=fibers,workers=2" in result.stdout and "Pass" in result.stdout,
                "on fibers", said(result))  # fmt: skip
for words, followed in [(["broadcast:rounds=mailboxes"], True), (["broadcast:rounds=mailboxes", "--ahead"], False),
                        (["concat:rounds=mailboxes"], False), (["broadcast"], False)]:  # fmt: skip
    result = bench(*words, "-n", "4", "-m", "8:8", "-i", "50", "-c")
    tests.check(result.returncode == 0 and ("followed by a barrier" in result.stdout) == followed,
                f"{' '.join(words)}: {'' if followed else 'not '}followed by a barrier, and told", said(result))  # fmt: skip
named = json.loads(execute([program, "run", "scatter:n=6,k=2,b=24", "--json"]).stdout)["algorithm"]
whole = f"scatter:n=6,k=2,b=24,root=5,alg={named}"
result = bench(whole, "-i", "5", "--json")
tests.check(result.returncode == 0 and json.loads(result.stdout)["rows"][0]["problem"].startswith(whole),
            "a whole problem string", said(result))  # fmt: skip

# --- Messages between pairs ---

for name, messages in [("latency", 2), ("bandwidth", 64), ("bibandwidth", 128)]:
    for machine in ["", ":carrier=fibers,workers=1"] if fibers else [""]:
        result = bench_as_is(name + machine, "-n", "2,4", "-m", "8:32", "-i", "20", "--json")
        document = json.loads(result.stdout)
        tests.check(result.returncode == 0 and document["complete"] and
                    [(row["n"], row["size"]) for row in document["rows"]] == [(n, b) for n in (2, 4) for b in (8, 16, 32)],
                    f"{name}{machine}: a row for each n and size", said(result))  # fmt: skip
        for row in document["rows"]:
            rate = row["n"] / 2 * 1e6 / row["message_us"]  # of all pairs, each as slow as the slowest
            tests.check(row["iterations"] == 20 and abs(row["messages_per_second"] / rate - 1) < 1e-5 and
                        abs(row["megabytes_per_second"] * 1e6 / row["size"] / rate - 1) < 1e-5,
                        "and its numbers fit each other", row)  # fmt: skip
result = bench_as_is("latency", "-m", "4:4")
comments, rows = lines_of(result.stdout)
tests.check(heads_of(comments[-1]) == ["Size", "Latency (us)", "Iterations"] and len(rows) == 1 and int(rows[0][2]) > 100,
            "latency without -i makes many iterations", said(result))  # fmt: skip

# --- Overlap ---

for whole in ["index", "allreduce:progress=1", "gatherv", "scan:rounds=mailboxes"]:
    result = bench_as_is(whole, "--overlap", "-n", "2,3", "-m", "64:128", "-i", "20", "--json")
    document = json.loads(result.stdout)
    tests.check(result.returncode == 0 and document["complete"] and
                [(row["n"], row["size"]) for row in document["rows"]] == [(n, b) for n in (2, 3) for b in (64, 128)],
                f"{whole} --overlap: a row for each n and size", said(result))  # fmt: skip
    for row in document["rows"]:
        shown = (row["both_us"] - row["compute_us"]) / row["call_us"] if row["call_us"] else 0
        tests.check(row["iterations"] == 20 and abs(row["hidden_percent"] - 100 * min(1, max(0, 1 - shown))) < 0.01 and
                    ("progress=1" in row["problem"]) == ("progress" in whole), "and its numbers fit each other", row)  # fmt: skip
result = bench_as_is("index", "--overlap", "-n", "2", "-m", "64:64", "-i", "20")
comments, rows = lines_of(result.stdout)
tests.check(heads_of(comments[-1]) == ["Size", "Overall(us)", "Compute(us)", "Pure Comm.(us)", "Overlap(%)"] and len(rows) == 1,
            "--overlap has the columns of OSU", said(result))  # fmt: skip

# --- Refusals: nothing on standard output, the value and what it may be on the other ---

REFUSED = [
    ("index -m 0:8", ["-m", "0:8", "1 <= MIN"]),
    ("index -m 8:4", ["-m", "8:4", "MIN may not be more than MAX"]),
    ("index -m 8,64", ["-m", "8,64", "MIN:MAX", "for others run again"]),
    ("index -m 8:x", ["-m", "8:x", "MIN:MAX"]),
    ("index -m 8:16:32", ["-m", "8:16:32"]),
    ("index -m 1:99999999999999999999999", ["-m", "99999999999999999999999", "1024G"]),
    ("index -m 1:2000G", ["-m", "2000G", "1024G"]),
    ("index -n 64 -m 512G:512G", ["n is 64", "GiB are free"]),
    ("sort", ["sort", "index (alltoall)", "barrier"]),
    ("index --overlap --full", ["--full", "--overlap"]),
    ("barrier --overlap", ["barrier", "--overlap"]),
    ("index --overlap -a all", ["-a is given", "--overlap"]),
    ("latency -n 2,3", ["n is 3", "2, 4, 6"]),
    ("latency:b=8", ["b=8", "machine"]),
    ("bandwidth --full", ["--full", "--json"]),
    ("bandwidth:carrier=boats", ["carrier is 'boats'"]),
    ("", ["operation is missing"]),
    ("index concat", ["concat"]),
    ("index -n 4 -k 4", ["k is 4", "n=4", "1 ... 3"]),
    ("index -n 2,3 -k 3,4", ["k is 3", "n=2", "1 ... 1"]),
    ("index -n 2,,8", ["-n", '""']),
    ("index -n 2,8,", ["-n", '""']),
    ("index -n 0", ["-n", "0", "1 ... 1048575"]),
    ("index -n 2;8", ["-n", "2;8"]),
    ("index -k x", ["-k", "x"]),
    ("index:n=4 -n 5", ["n is given", "-n", "once"]),
    ("index:b=4 -m 5", ["b is given", "-m", "once"]),
    ("index:n=4,n=5", ["n is there twice"]),
    ("index:color=2", ["color"]),
    ("index:alg=radix,r=9 -n 4", ["r is", "9", "2 ... 4"]),
    ("index:carrier=wood", ["carrier", "wood", "threads, fibers or mpi"]),
    ("index:workers=2", ["workers is 2"]),
    ("index:pin=3", ["pin", "3", "0 ... 2"]),
    ("allreduce -m 4:4", ["-m is 4:4", "it may end with 8, the bytes of an element"]),
    ("allreduce -m 4", ["-m is 4", "it may end with 8, the bytes of an element"]),
    ("allreduce -m 12:16", ["-m is 12:16", "multiple of 8", "as 16"]),
    ("index -a nothing", ["'nothing'", "radix"]),
    ("index -n 6 -a pairwise", ["none of these", "power of 2"]),
    ("index:alg=radix -a all", ["alg is given", "-a", "once"]),
    ("barrier -a all", ["-a", "barrier moves nothing"]),
    ("latency -a all", ["-a is given", "--json\n"]),
    ("index --trace", ["--trace needs a value", "kport help bench"]),
    ("index --full=1", ["--full has no value"]),
    ("index --iterations 5", ["--iterations", "is -i meant?", "kport help bench"]),
    ("index --cvs", ["--cvs", "is --csv meant?"]),
    ("index --fibers", ['"--fibers" is not understood; what carries the processors is a key, as in index:carrier=fibers']),
    ("index --threads", ["as in index:carrier=threads"]),
    ("barrier -m 8:8", ["-m", "barrier moves nothing"]),
    ("barrier:alg=tree", ["alg=tree", "barrier"]),
    ("index -i 0", ["-i", "0", "1 ..."]),
    ("index -x -1", ["-x", "-1"]),
    ("index --seconds 0", ["--seconds", "0", "1 ..."]),
    ("index --csv --json", ["--csv and --json", "one of them"]),
    ("index --fast", ["--fast"]),
]
for arguments, words in REFUSED:
    result = bench_as_is(*arguments.split())
    tests.check(result.returncode == 2 and result.stdout == "" and all(word in result.stderr for word in words),
                f"refused: {arguments}", said(result))  # fmt: skip

# --- Ctrl-C ---


def interrupted(number, *words):
    """Of two rows the second would take minutes; interrupted after the first."""
    command = with_wrapper([program, "bench", "index", "-n", "2,64", "-m", "64K:64K", "-i", "1000", "--seconds", "100", *words])
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seen = ""
    while line := child.stdout.readline():
        seen += line
        if re.match(r'65536 |index,2,1,65536,|.*"size": 65536,', line.strip()):
            break
    child.send_signal(number)
    rest, errors = child.stdout.read(), child.stderr.read()
    return child.wait(), seen + rest, errors


for number, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
    got, out, errors = interrupted(number)
    rows = lines_of(out)[1]
    tests.check(got == status and len(rows) == 1 and "1 of 2 rows are done" in errors,
                f"{number.name}: rows are kept, status {status}", f"{got}\n{out}{errors}")  # fmt: skip
got, out, errors = interrupted(signal.SIGINT, "--csv")
rows = list(csv.DictReader(io.StringIO(out)))
tests.check(got == 130 and len(rows) == 1 and all(None not in row.values() and float(row["avg_us"]) > 0 for row in rows),
            "SIGINT: the CSV is whole", f"{got}\n{out}{errors}")  # fmt: skip
got, out, errors = interrupted(signal.SIGINT, "--json")
document = json.loads(out)
tests.check(got == 130 and document["complete"] is False and len(document["rows"]) == 1, "SIGINT: the JSON is whole",
            f"{got}\n{out}{errors}")  # fmt: skip

# --- Time ---


def in_time(*words):
    """What it announces, whether it ends so, and the clock. Looked at twice: a machine may stand still, and
    then the time announced may be over before all rows are there."""
    for _ in range(2):
        begun = time.monotonic()
        result = bench_as_is(*words)
        took = time.monotonic() - begun
        announced = re.search(r"at most (\d+) s", result.stderr)
        on_time = bool(announced) and took <= int(announced[1]) + 0.5
        if result.returncode == 0 and on_time:
            break
    over = result.returncode == 1 and "the time announced is over" in result.stderr
    tests.check(announced and (result.returncode == 0 or over), f"{' '.join(words)} announces its time", said(result))
    tests.check_clock(result.returncode == 0 and on_time, "it ends in the time that it announces", said(result))
    return result


in_time("index", "-n", "16", "-m", "1K:16K", "-i", "20", "-c")
# All iterations would take days.
result = in_time("index", "-n", "1", "-m", "8:8", "-i", "1000000000000", "--seconds", "2", "--json")
document = json.loads(result.stdout)
tests.check("at most 2 s" in result.stderr and (document["rows"] or not document["complete"])
            and all(row["iterations"] < 1000000000000 for row in document["rows"]),
            "--seconds bounds it, by fewer iterations", said(result))  # fmt: skip

# --- Progress: a bar on a terminal, lines elsewhere, nothing if it is not wanted ---

def on_terminal(*words):
    terminal, end = pty.openpty()
    result = execute([program, *words], stderr=end, env=telling)
    os.close(end)
    # One read may come before the kernel has handed over all that was written; EIO tells the end.
    pieces = []
    while True:
        try:
            pieces.append(os.read(terminal, 4096))
        except OSError:
            break
        if not pieces[-1]:
            break
    os.close(terminal)
    shown = b"".join(pieces).decode()
    tests.check(result.returncode == 0, " ".join(words), shown)
    return shown


SHORT = ["bench", "index", "-n", "2", "-m", "8:8", "-i", "5"]
shown = on_terminal(*SHORT)
tests.check("[....................] 0 of 1 rows: index:n=2" in shown and shown.rstrip().endswith("\x1b[K"),
            "a bar on a terminal, which is taken away", repr(shown))  # fmt: skip
shown = on_terminal(*SHORT, "--quiet")
tests.check(not shown.strip(), "nothing with --quiet", repr(shown))
LONG = [program, "soak", "--seconds", "4"]
result = execute(LONG, env=telling)
told = result.stderr.splitlines()
tests.check(result.returncode == 0 and told and all(re.fullmatch(r"kport soak: \d+ of 4 s(, \d+ s left)?", line) for line in told),
            "a line elsewhere", said(result))  # fmt: skip
tests.check_clock(len(told) == 1 and told[0].startswith(("kport soak: 2 of", "kport soak: 3 of")), "after 2 seconds", told)
result = execute([*LONG, "--quiet"], env=telling)
tests.check(result.returncode == 0 and result.stderr == "", "no line with --quiet", said(result))

# --- Peers ---

result = bench("concat", "-n", "2", "-m", "8:8", "-i", "50", "--peers", "--json")
if result.returncode == 2:
    tests.check("built without peers" in result.stderr and result.stdout == "", "--peers: not in this build, and told",
                said(result))  # fmt: skip
else:
    row = json.loads(result.stdout)["rows"][0]
    times, missing = row["peers_us"], row["peers_missing"]
    tests.check(result.returncode == 0 and times["by_hand"] > 0 and times["pthread_barrier"] > 0,
                "--peers: by hand and pthread_barrier_t", said(result))  # fmt: skip
    tests.check(all((times[key] is None) == (key in missing) for key in times) and len(times) == 6,
                "who has no time has a reason", row)  # fmt: skip
    calls = row["peers_calls"]
    tests.check(row["turns"] == len(row["batches_us"]) and all((times[key] is None) == (calls[key] == 0) for key in times) and
                abs(row["turn_us"] / statistics.median(row["batches_us"]) - 1) < 1e-6,
                "who has a time has calls, and kport's median is that of its turns", row)  # fmt: skip
    # Few calls are marked, and only the peers that are asked for are there.
    result = bench("concat", "-n", "2", "-m", "8:8", "-i", "8", "--peers=by_hand,pthread_barrier")
    lines = [line for line in result.stdout.splitlines() if line]
    head = next((re.split(r"\s{2,}", line.strip()) for line in lines if line.startswith("# Size")), [])
    printed = next((line for line in lines if line.startswith("8 ")), "")
    tests.check(head[3:] == ["Turns", "Calls", "kport(us)", "By hand", "pthread_barrier_t"] and
                re.search(r" \d +8 +[\d.]+\? +[\d.]+\? +[\d.]+\?$", printed) and "# ?: in 1 row a time rests on fewer" in result.stdout,
                "a row of eight calls is marked; peers by name", said(result))  # fmt: skip
    # Without -i, a row has turns enough, unless the machine is too busy for the time announced.
    result = bench("concat", "-n", "2", "-m", "8:8", "--peers=by_hand", "--csv")
    head, printed = [line.split(",", 9) for line in result.stdout.splitlines()[:2]]
    tests.check(head[6:9] == ["turns", "calls", "turn_us"] and head[9].startswith("by_hand_us,algorithm"), "CSV with peers", said(result))
    tests.check_clock(int(printed[6]) >= 5 and int(printed[7]) >= 20, "half a second has turns enough", said(result))
    result = bench("concat", "-n", "2", "--peers=by_foot")
    tests.check(result.returncode == 2 and '--peers is "by_foot"; it may be a list of by_hand, ' in result.stderr,
                "a peer that is none", said(result))  # fmt: skip
    # The peers' mpirun takes a second longer to start, and notes each start. Twice the expected time is announced.
    launchers = [name for name in ("mpirun.openmpi", "mpirun.mpich") if shutil.which(name)]
    name = "the announced time counts the start of the peers"
    if not launchers or not (times["openmpi"] or times["mpich"]):
        tests.skip(name, "no MPI is among the peers")
    else:
        with tempfile.TemporaryDirectory() as folder:
            for launcher in launchers:
                slow = pathlib.Path(folder, launcher)
                slow.write_text(f'#!/bin/sh\nsleep 1\necho >>{folder}/starts\nexec {shutil.which(launcher)} "$@"\n')
                slow.chmod(0o755)
            command = with_wrapper([program, "bench", "concat", "-n", "2", "-m", "8:8", "-i", "5", "--peers"])
            path = f"{folder}:{os.environ['PATH']}"
            with subprocess.Popen(command, env=telling | {"PATH": path}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True) as running:  # fmt: skip
                told = next((line for line in running.stderr if "at most" in line), "at most 0 s")
                starts = pathlib.Path(folder, "starts").exists()
                running.terminate()
                running.stderr.read()
            # 10 and twice the 6 seconds of the peers and the one of a start.
            tests.check(starts and int(re.search(r"at most (\d+) s", told)[1]) >= 24, name, f"{starts}: {told}")
        result = bench("allreduce", "-n", "2", "-m", "8:8", "-i", "5", "--peers", "--json")
        row = json.loads(result.stdout)["rows"][0] if result.returncode == 0 else {}
        tests.check(row and "the median of a peer's turns" in json.loads(result.stdout)["peers_timed"] and
                    all((row["peers_us"][mpi] or 0) > 0 or row["peers_missing"][mpi] for mpi in ["openmpi", "mpich"]) and
                    "there is none for this" in row["peers_missing"]["by_hand"], "allreduce beside an MPI", said(result))  # fmt: skip
    result = bench("allreduce:type=int32", "-n", "2", "-m", "8:8", "-i", "5", "--peers")
    tests.check(result.returncode == 2 and "sum or maximum of float64 or int64" in result.stderr,
                "an allreduce that no peer knows", said(result))  # fmt: skip
    result = bench("latency", "-n", "2", "--peers")
    tests.check(result.returncode == 2 and "osu_latency" in result.stderr, "latency: what times the MPI", said(result))
    result = bench("scan", "-n", "2", "-m", "8:8", "-i", "5", "--peers")
    tests.check(result.returncode == 2 and not result.stdout and "of scan there are none; peers exist for index" in result.stderr,
                "what the peers do not do is refused at once", said(result))  # fmt: skip
for words, told in [
        (["osu_latency"], "is latency meant?"),
        (["osu_allreduce"], "is allreduce meant?"),
        (["alltoal"], "is alltoall meant?"),
        (["MPI_Alltoall"], "is alltoall meant?"),
        (["broadcats"], "is broadcast meant?"),
        (["bsp", "-m", "8"], "bsp may have -n"),
        (["index", "-n", "2:4"], "a list has commas, as in 2,4"),
        (["index", "-n", "2", "--bind", "core", "--peers"], "bench index:pin=1 --peers"),
]:
    result = bench_as_is(*words)
    tests.check(result.returncode == 2 and told in result.stderr, f"{' '.join(words)}: {told}", said(result))
result = bench("index", "-n", "4", "-k", "1", "-m", "8:8", "-i", "5", "-a", "radix,r=2,radix/r=4", "--csv")
tests.check(result.returncode == 0 and "radix,r=2" in result.stdout and "radix,r=4" in result.stdout,
            "-a takes a comma before a parameter, too", said(result))  # fmt: skip
result = bench("index", "-n", "2", "-m", "8:8", "-i", "1")
tests.check(result.stdout.splitlines()[-1].startswith("# In 1 row P50 is the median of fewer than 5 samples; more"),
            "one sample is no median", said(result))  # fmt: skip
result = execute([program, "bench", "index", "-n", "2", "-m", "8:8", "-i", "5"], env=telling | {"PMI_SIZE": "3", "PMI_RANK": "0"})
tests.check(result.returncode == 0 and "mpirun has started 3 processes" in result.stderr, "under mpirun, each by itself", said(result))
with tempfile.TemporaryDirectory() as folder:
    for place in (folder, os.path.join(folder, "build", "tools")):
        os.makedirs(place, exist_ok=True)
        alone = shutil.copy(program, place)
        open(os.path.join(folder, "build", "build.ninja"), "a").close() if place != folder else None
        found = execute([alone, "bench", "bsp"], env={**os.environ, "LD_LIBRARY_PATH": library})
        hint = f"; this builds it: ninja -C {folder}/build tools/kportrun\n"
        tests.check(found.returncode == 2 and "kportrun, which is not beside this program" in found.stderr and
                    (hint in found.stderr) == (place != folder), "what builds a program that is missing", said(found))  # fmt: skip
tests.end()
