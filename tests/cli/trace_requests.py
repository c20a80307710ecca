"""What a trace says of requests and of messages with tags: when each started, went on and ended.

usage: trace_requests.py PROGRAM TRACED_REQUESTS, tests/cli/traced_requests.c
"""

import collections
import json
import pathlib
import sys
import tempfile

from tap import Tests, execute, said

program, traced = sys.argv[1:3]
tests = Tests()
folder = pathlib.Path(tempfile.mkdtemp())
N, TIMES = 4, 3


def check_requests(name, events):
    lines = collections.defaultdict(list)
    for event in events:
        if event["cat"] == "request" and event["ph"] in "be":
            lines[event["id"]].append(event)
    kinds = collections.Counter()
    for events_of_one in lines.values():
        events_of_one.sort(key=lambda e: e["ts"])  # stable, so a round of no length stays a pair
    wrong = []
    for key, line in lines.items():
        first, last, inner = line[0], line[-1], line[1:-1]
        kinds[first["name"]] += 1
        if (first["ph"], last["ph"], first["name"]) != ("b", "e", last["name"]) or \
                any(not e["name"].startswith("round ") for e in inner):
            wrong.append((key, line))
    tests.check(not wrong, f"{name}: each request starts and ends, and its rounds lie between", wrong[:2])
    each = {"index": 1, "broadcast": 1, "barrier": 1, "indexv": 1, "send": 2, "receive": 2}
    tests.check(kinds == {what: count * N * TIMES for what, count in each.items()}, f"{name}: all requests", kinds)
    return lines


def check_bars(name, events, lines):
    """The bars in the processors' rows."""
    bars = [e for e in events if e["ph"] == "X" and e["cat"] == "request"]
    by = collections.defaultdict(list)
    for bar in bars:
        by[f"1.{bar['tid']}.{bar['args']['request']}"].append(bar)
    tests.check(by.keys() == lines.keys(), f"{name}: every request goes on", (len(by), len(lines)))
    wrong = [key for key, of_one in by.items()
             if not any("started" in b["args"] for b in of_one) or not any("ended" in b["args"] for b in of_one)
             or min(b["ts"] for b in of_one) != lines[key][0]["ts"]]
    tests.check(not wrong, f"{name}: the first bar starts it, the last one ends it", wrong[:3])
    tests.check(any(len(of_one) > 1 for of_one in by.values()), f"{name}: some go on more than once")
    rows = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            begin = round(event["ts"] * 1000)
            rows[event["tid"]].append((begin, -begin - round(event["dur"] * 1000), event["name"]))
    crossed = []
    for row in rows.values():
        stack = []
        for begin, end, what in sorted(row):
            while stack and stack[-1] <= begin:
                stack.pop()
            if stack and -end > stack[-1]:
                crossed.append((what, begin, -end, stack[-1]))
            stack.append(-end)
    tests.check(not crossed, f"{name}: bars nest", crossed[:3])


def check_messages(name, events):
    starts = [e for e in events if e["ph"] == "b" and e["name"] in ("send", "receive")]
    ends = [e for e in events if e["ph"] == "e" and e["name"] in ("send", "receive")]
    for tag, length, room in [(7, 20, 30), (9, 8, 8)]:
        sent = [e["args"] for e in starts if e["name"] == "send" and e["args"]["tag"] == tag]
        received = [e for e in ends if e["name"] == "receive" and e["args"]["tag"] == tag]
        asked = [e["args"] for e in starts if e["name"] == "receive" and e["args"]["tag"] == tag]
        tests.check(len(sent) == len(received) == N * TIMES and all(a["bytes"] == length for a in sent),
                    f"{name}: messages with tag {tag}", (len(sent), len(received)))
        tests.check(all(e["args"]["bytes"] == length and e["args"]["with"] == (e["tid"] - 1) % N for e in received),
                    f"{name}: what was received with tag {tag}", received[:2])
        tests.check(tag == 9 or all("with" not in a and a["bytes"] == room for a in asked if "ended" not in a),
                    f"{name}: what was asked for with tag {tag}", asked[:2])


def check_rounds(name, lines):
    index = [line for line in lines.values() if line[0]["name"] == "index"]
    sent = [e["args"]["bytes_sent"] for line in index for e in line if e["name"] == "round 0" and e["ph"] == "b"]
    tests.check(len(sent) == N * TIMES and set(sent) == {24 * (N - 1)}, f"{name}: the rounds of an index", sent[:4])


fibers = execute([program, "run", "index:n=2,k=1,b=1,carrier=fibers", "--repeat", "1"]).returncode == 0
for carrier in ["threads", "fibers"] if fibers else ["threads"]:
    path = folder / f"{carrier}.json"
    result = execute([traced, path, carrier])
    tests.check(result.returncode == 0, f"{carrier}: a trace is written", said(result))
    events = json.loads(path.read_text())["traceEvents"]
    lines = check_requests(carrier, events)
    check_bars(carrier, events, lines)
    check_messages(carrier, events)
    check_rounds(carrier, lines)
    calls = [e for e in events if e["ph"] == "X" and e["cat"] == "call"]
    tests.check({e["name"] for e in calls} == {"barrier"} and len(calls) == N * TIMES,
                f"{carrier}: only blocking calls are bars of calls", {e["name"] for e in calls})
    path.unlink()
folder.rmdir()
tests.end()
