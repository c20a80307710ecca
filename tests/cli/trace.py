"""What --trace writes: the fields of the format, bars that nest, and beside the schedules as many
rounds, messages and bytes, and an arrow for every message.

usage: trace.py PROGRAM TRACED, tests/cli/traced.c
"""

import collections
import json
import os
import pathlib
import sys
import tempfile

from tap import Tests, execute, said

program, traced = sys.argv[1:3]
tests = Tests()
folder = pathlib.Path(tempfile.mkdtemp())

FIELDS = {
    "X": {"name", "cat", "ph", "pid", "tid", "ts", "dur"},
    "M": {"name", "cat", "ph", "pid", "tid", "ts", "args"},
    "s": {"name", "cat", "ph", "pid", "tid", "ts", "id", "args"},
    "f": {"name", "cat", "ph", "pid", "tid", "ts", "id", "bp", "args"},
}
# Who may lie in whom.
WITHIN = {"call": [None], "round": ["call"], "copy": ["round"], "wait": ["round", "call"]}


def nanoseconds(microseconds):
    """Exact: the file has three digits behind the point."""
    return round(microseconds * 1000)


class Bar:
    def __init__(self, event):
        self.category, self.row, self.args = event["cat"], event["tid"], event.get("args", {})
        self.begin = nanoseconds(event["ts"])
        self.end = self.begin + nanoseconds(event["dur"])
        self.parent, self.parts = None, []


def place(bars):
    """Bars that do not nest, of one row; each knows afterwards what it lies in."""
    stack, wrong = [], []
    for bar in sorted(bars, key=lambda b: (b.begin, -b.end)):
        while stack and stack[-1].end <= bar.begin:
            stack.pop()
        bar.parent = stack[-1] if stack else None
        if bar.parent and bar.end > bar.parent.end:
            wrong.append((bar.category, bar.begin, bar.end))
        if (bar.parent.category if bar.parent else None) not in WITHIN[bar.category]:
            wrong.append((bar.category, bar.parent and bar.parent.category))
        if bar.parent:
            bar.parent.parts.append(bar)
        stack.append(bar)
    return wrong


costs = {}


def cost(problem):
    if problem not in costs:
        result = execute([program, "cost", problem, "--json"])
        costs[problem] = json.loads(result.stdout) if result.returncode == 0 else None
    return costs[problem]


def sent(bar):
    return bar.args["sent"]


def check_bars(name, bars, n):
    wrong = [fault for row in range(n) for fault in place([b for b in bars if b.row == row])]
    tests.check(not wrong, f"{name}: bars nest", wrong[:5])
    rounds = [bar for bar in bars if bar.category == "round"]
    # Copying and waiting are all that a round is made of.
    torn = [b for b in rounds if sum(part.end - part.begin for part in b.parts) != b.end - b.begin]
    tests.check(rounds and not torn, f"{name}: rounds are waiting and copying", len(torn))
    waits = [bar for bar in bars if bar.category == "wait"]
    tests.check(waits, f"{name}: somebody waits")


def check_calls(name, bars, members):
    """Rounds, messages and bytes of every call, over all its members, beside its cost."""
    calls = collections.defaultdict(list)
    for bar in bars:
        if bar.category == "call":
            calls[bar.args["group"], bar.args["run"], bar.args["call"]].append(bar)
    wrong, compared, messages = [], 0, 0
    for key, parts in calls.items():
        problem = parts[0].args["problem"]
        rounds = [[p for p in bar.parts if p.category == "round"] for bar in parts]
        numbers = [[r.args["round"] for r in of_one] for of_one in rounds]
        every = [m for of_one in rounds for r in of_one for m in sent(r)]
        received = [m for of_one in rounds for r in of_one for m in r.args["received"]]
        messages += len(every)
        if {bar.args["problem"] for bar in parts} != {problem}:
            wrong.append((key, "other problems"))
        if sorted(bar.row for bar in parts) != members(key[0]):
            wrong.append((key, problem, "rows", [bar.row for bar in parts]))
        if sorted(m["bytes"] for m in every) != sorted(m["bytes"] for m in received):
            wrong.append((key, problem, "sent is not received"))
        if any(r.args["bytes_sent"] != sum(m["bytes"] for m in sent(r)) for of in rounds for r in of):
            wrong.append((key, problem, "sums"))
        if ":" not in problem or problem.startswith("indexv"):
            continue
        stated = cost(problem)
        compared += 1
        counted = {"messages": len(every), "bytes": sum(m["bytes"] for m in every)}
        if not stated or any(stated[what] != counted[what] for what in counted):
            wrong.append((key, problem, stated, counted))
        elif any(of_one != list(range(stated["c1"])) for of_one in numbers):
            wrong.append((key, problem, "rounds", numbers))
    tests.check(compared > 2 and not wrong, f"{name}: {compared} calls cost what is stated", wrong[:5])
    return calls, messages


# So far the clock of one core may be behind that of another. An arrow never ends before it begins, so
# it may then end after its receiver's round.
SKEW_NS = 1000


def round_at(bars, row, time, number, late=0):
    return [b for b in bars[row] if b.begin <= time <= b.end + late and b.args["round"] == number]


def check_arrows(name, events, bars, messages):
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    count = sum(e["ph"] in "sf" for e in events)
    tests.check(starts.keys() == ends.keys() and count == 2 * len(starts), f"{name}: arrows have two ends")
    tests.check(len(starts) == messages, f"{name}: an arrow for every message", (len(starts), messages))
    rounds = collections.defaultdict(list)
    for bar in bars:
        if bar.category == "round":
            rounds[bar.row].append(bar)
    wrong = []
    for key, start in starts.items():
        end = ends.get(key, start)
        a, b = start["args"], end["args"]
        here, there = start["tid"], end["tid"]
        if (a["to"], b["from"]) != (there, here) or start["ts"] > end["ts"]:
            wrong.append((start, end))
        message = {"port": a["port"], "bytes": a["bytes"]}
        leaves = [r for r in round_at(rounds, here, nanoseconds(start["ts"]), a["round"])
                  if r.parent.args["call"] == a["call"] and {**message, "to": there} in sent(r)]
        late = SKEW_NS if start["ts"] == end["ts"] else 0
        comes = [r for r in round_at(rounds, there, nanoseconds(end["ts"]), b["round"], late)
                 if r.parent.args["call"] == b["call"] and {**message, "from": here} in r.args["received"]]
        if len(leaves) != 1 or len(comes) != 1:
            wrong.append((start, end, len(leaves), len(comes)))
    tests.check(not wrong, f"{name}: arrows go from round to round", wrong[:3])


def check_file(name, path, n):
    try:
        whole = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        tests.check(False, f"{name}: a file of JSON", error)
        return None
    events, facts = whole["traceEvents"], whole["otherData"]["machines"][0]
    unknown = [e for e in events if not e.keys() >= FIELDS.get(e["ph"], {"none"})]
    tests.check(not unknown, f"{name}: all fields are there", unknown[:3])
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    tests.check(list(names) == list(range(n)) and names[n - 1].startswith(f"processor {n - 1}"),
                f"{name}: {n} rows", names)
    tests.check(whole["otherData"]["dropped"] == 0 and facts["n"] == n, f"{name}: nothing was dropped")
    groups = [list(range(n)) if g == "world" else sorted(g) for g in facts["groups"]]
    bars = [Bar(event) for event in events if event["ph"] == "X"]
    tests.check({bar.row for bar in bars} == set(range(n)), f"{name}: every row has bars")
    check_bars(name, bars, n)
    calls, messages = check_calls(name, bars, lambda group: groups[group])
    check_arrows(name, events, bars, messages)
    return calls


# --- The command ---

PROBLEMS = [
    ("index:n=8,k=2,b=1024,alg=radix,r=3", 8),
    ("index:n=5,k=4,b=8", 5),
    ("concat:n=7,k=2,b=5000", 7),
    ("reduce:n=6,k=1,count=100,root=2", 6),
    ("broadcast:n=9,k=2,b=16,root=4,rounds=mailboxes", 9),
    ("index:n=4,k=1,b=4000,rounds=mailboxes", 4),
    ("gather:n=6,k=2,b=8,root=1", 6),
]
fibers = "fibers by" in execute([program, "--version"]).stdout
if "fibers" in execute([program, "--version"]).stdout and \
        execute([program, "run", "index:n=2,k=1,b=1,carrier=fibers", "--repeat", "1"]).returncode == 0:
    PROBLEMS += [(problem + ",carrier=fibers,workers=2", n) for problem, n in PROBLEMS[:5]]
    fibers = True
for i, (problem, n) in enumerate(PROBLEMS):
    path = folder / f"{i}.json"
    result = execute([program, "run", problem, "--repeat", "2", "--trace", path])
    tests.check(result.returncode == 0 and not result.stderr, f"kport run {problem} --trace", said(result))
    calls = check_file(problem, path, n)
    own = [parts for parts in calls.values() if ":" in parts[0].args["problem"]]
    tests.check(len(own) == 3, f"{problem}: a warm-up and two repeats", len(own))
    with_worker = [bar for parts in calls.values() for bar in parts if "worker" in bar.args]
    tests.check(bool(with_worker) == ("fibers" in problem), f"{problem}: a fiber's worker is told")

# --- Every kind of call ---

LENGTHS = sum((7 * i + 3 * j) % 50 for i in range(6) for j in range(6) if i != j)
for carrier in ["threads", "fibers"] if fibers else ["threads"]:
    for rounds in ["barrier", "mailboxes"]:
        name, path = f"traced {carrier} {rounds}", folder / f"{carrier}-{rounds}.json"
        result = execute([traced, path, carrier, rounds])
        tests.check(result.returncode == 0, name, said(result))
        calls = check_file(name, path, 6)
        seen = collections.Counter(parts[0].args["problem"].split(":")[0] for parts in calls.values())
        # index: 3 calls and 2 of plans a time, 3 in each of 2 groups, and those of routing.
        some = {"broadcast": 3, "reduce": 3, "indexv": 3, "exchange": 6, "barrier": 3, "route": 3, "concat": 6}
        tests.check(all(seen[what] == some[what] for what in some) and seen["index"] >= 9 + 6 + 3,
                    f"{name}: all calls", seen)
        waits = [part for parts in calls.values() for bar in parts for part in bar.parts
                 if part.category == "round" and part.args["operation"] == "index"
                 and any(piece.category == "wait" for piece in part.parts)]
        tests.check(waits, f"{name}: somebody waits in an index")
        bytes_sent = [sum(part.args["bytes_sent"] for bar in parts for part in bar.parts
                          if part.category == "round")
                      for parts in calls.values() if parts[0].args["problem"].startswith("indexv")]
        tests.check(bytes_sent == 3 * [LENGTHS], f"{name}: lengths of their own", (bytes_sent, LENGTHS))
        problems = {bar.args["problem"] for parts in calls.values() for bar in parts}
        tests.check(any("root=5" in problem for problem in problems), f"{name}: roots are told", problems)

# --- Files ---

target = folder / "kept.json"
target.write_text("as it was")
for arguments, words in [
    (["--trace", folder / "no" / "such.json"], ["such.json", "No such file"]),
    (["--trace", folder], [str(folder), "regular file"]),
    (["--trace", ""], ['"" could not be written']),
    (["--trace", target, "--interleave", "1..2"], ["--interleave is 1..2", "one seed"]),
    (["--trace"], ["--trace"]),
]:
    result = execute([program, "run", "index:n=3,k=1,b=8", "--repeat", "1", *arguments])
    right = result.returncode in (1, 2) and all(word in result.stderr for word in words)
    tests.check(right and not result.stdout, f"refused: {' '.join(map(str, arguments[:3]))}", said(result))
tests.check(target.read_text() == "as it was", "a file stays as it was where nothing is written")
result = execute([program, "run", "index:n=3,k=1,b=8", "--repeat", "1", "--trace", target])
tests.check(result.returncode == 0 and json.loads(target.read_text()), "and is replaced where it is")
left = [entry for entry in os.listdir(folder) if entry.endswith(".tmp")]
tests.check(not left, "nothing is left behind", left)

# A run that is long enough to overwrite its beginning says so, and still is a whole file.
path = folder / "long.json"
result = execute([program, "run", "index:n=2,k=1,b=8", "--repeat", "1000", "--trace", path])
whole = json.loads(path.read_text())
tests.check(result.returncode == 0 and "overwritten" in result.stderr, "what was overwritten is told", said(result))
tests.check(whole["otherData"]["dropped"] > 0 and whole["otherData"]["machines"][0]["records"] == 1024,
            "and stands in the file", whole["otherData"])


def rows_of(whole):
    rows = collections.defaultdict(list)
    for event in whole["traceEvents"]:
        if event["ph"] == "X":
            rows[event["pid"], event["tid"]].append(Bar(event))
    return rows


tests.check(not any(place(bars) for bars in rows_of(whole).values()), "what is left nests")

# Many machines, one after the other: the last are kept.
path = folder / "bench.json"
result = execute([program, "bench", "index", "-n", "4", "-m", "8:1K", "-i", "300", "--trace", path])
tests.check(result.returncode == 0 and path.exists(), "kport bench --trace", said(result))
whole = json.loads(path.read_text())
rows, machines = rows_of(whole), whole["otherData"]["machines"]
tests.check(0 < len(machines) <= 8 and len(rows) == 4 * len(machines), "rows of the last machines", len(machines))
tests.check(not any(place(bars) for bars in rows.values()), "kport bench: bars nest")
starts, ends = ([e["id"] for e in whole["traceEvents"] if e["ph"] == phase] for phase in "sf")
tests.check(starts and starts == ends, "kport bench: arrows have two ends")

for entry in folder.iterdir():
    entry.unlink()
folder.rmdir()
tests.end()
