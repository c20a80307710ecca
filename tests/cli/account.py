"""What kport check says of wrong schedules is true. Right schedules are exported and changed at random; the
account is held to a reading of the file that is written here anew, apart from the program.

usage: account.py PROGRAM [COUNT [SEED]]
"""

import json
import os
import pathlib
import random
import re
import sys
import tempfile

from tap import Tests, execute

program = str(pathlib.Path(sys.argv[1]).resolve())
count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
os.environ["KPORT_TUNE"] = "builtin"
PROBLEMS = [
    "index:n=4,k=2,b=2,alg=radix,r=2", "index:n=5,k=1,b=2,alg=radix,r=2", "concat:n=5,k=2,b=2,alg=circulant,prefer=c1",
    "concat:n=4,k=1,b=2,alg=ring", "broadcast:n=5,k=2,b=4,root=1,alg=tree", "broadcast:n=4,k=1,b=8,alg=scatter-concat",
    "scatter:n=5,k=2,b=2,root=2,alg=tree", "gather:n=5,k=2,b=2,root=1,alg=tree", "reduce:n=5,k=2,count=2,alg=tree",
    "allreduce:n=4,k=1,count=2,alg=recursive-doubling", "allreduce:n=4,k=1,count=4,alg=reduce-scatter-concat",
    "reduce-scatter:n=4,k=1,count=2,alg=ring", "scan:n=5,k=1,count=2",
]  # fmt: skip
REDUCES = {"reduce", "allreduce", "reduce-scatter", "scan"}
MANY_OUT, MANY_IN = {"index", "scatter", "reduce-scatter"}, {"index", "concat", "gather"}


# --- Reading a file ---


def places(text):
    """The units of pieces such as "in[3..6 by 8 x 2] out[0]", as pairs of a space and a number."""
    found = []
    for space, first, last, by, times in re.findall(r"(\w+)\[(\d+)(?:\.\.(\d+))?(?: by (-?\d+) x (\d+))?\]", text):
        for run in range(int(times or 1)):
            start = int(first) + run * int(by or 0)
            found += [(space, start + i) for i in range(int(last or first) - int(first) + 1)]
    return found


def read(text):
    """The problem's keys and the steps, in the order of the file."""
    lines = text.splitlines()
    operation, keys = lines[1].removeprefix("problem ").split(":")
    keys = dict(pair.split("=") for pair in keys.split(","))
    steps, split, current = [], False, -1
    for line in lines[2:]:
        if line.startswith("units"):
            split = True
        if line.startswith("round"):
            current = int(line.split()[1])
        step = re.match(r"  (\d+)(?:\.(\d+))?(?: -> (\d+)(?:\.(\d+))?)?: (.*) -> (left |right )?([^>]*?)(?: with (.*))?$", line)
        if not step:
            continue
        source, out_port, to, in_port, sent, side, put, operands = step.groups()
        steps.append({"round": current, "from": int(source), "move": to is None, "to": int(to or source),
                      "out": int(out_port or 0), "in": int(in_port or 0), "sent": places(sent), "side": side,
                      "put": places(put), "operands": places(operands or put)})  # fmt: skip
    n, k = int(keys["n"]), int(keys["k"])
    unit = int(keys.get("b") or keys.get("count")) if split else 1
    return {"operation": operation, "n": n, "k": k, "unit": unit, "root": int(keys.get("root", 0)), "steps": steps}


# --- Carrying it out ---


class Run:
    """Every place holds the set of the units that it is made of; a unit is (processor, number in out)."""

    def __init__(self, file):
        self.file, self.hops, self.faults, self.before = file, [], set(), {}
        op, n, unit = file["operation"], file["n"], file["unit"]
        self.held = {}
        for p in range(n):
            if op not in ("broadcast", "scatter") or p == file["root"]:
                for i in range(unit * (n if op in MANY_OUT else 1)):
                    self.held[self.place(p, ("out", i))] = frozenset([(p, i)])
        last = max([s["round"] for s in file["steps"]], default=-1)
        for now in range(-1, last + 1):
            self.carry_out(now, [s for s in file["steps"] if s["round"] == now])
        self.rounds = last + 1
        if not self.is_right():
            self.faults.add(self.rounds)

    def place(self, p, place):
        """A broadcast has one buffer."""
        op = self.file["operation"]
        return (p, "in" if op == "broadcast" and place[0] == "out" and p == self.file["root"] else place[0], place[1])

    def may_write(self, p, place):
        return place[0] == "scratch" or (place[0] == "in" and p in self.receivers())

    def obeys(self, steps):
        k, right = self.file["k"], True
        for end, peer, port in [("from", "to", "out"), ("to", "from", "in")]:
            for p in range(self.file["n"]):
                mine = [s for s in steps if s[end] == p]
                ports, peers = [s[port] for s in mine], [s[peer] for s in mine]
                right &= len(set(ports)) == len(ports) and len(set(peers)) == len(peers)
                right &= all(x < k for x in ports) and p not in peers
        return right

    def carry_out(self, now, steps):
        messages, moves = [s for s in steps if not s["move"]], [s for s in steps if s["move"]]
        right = self.obeys(messages)
        self.before[now] = held = dict(self.held)
        reads = {self.place(s["from"], x) for s in messages for x in s["sent"]}
        writes = set()
        for s in sorted(messages, key=lambda s: (s["to"], s["in"])):
            for operand, put in zip(s["operands"], s["put"]):
                target = self.place(s["to"], put)
                adds = bool(s["side"]) and operand == put
                right &= not (s["side"] and not adds and self.place(s["to"], operand) in writes)
                right &= self.may_write(s["to"], put) and target not in reads and (target not in writes or adds)
                writes |= {target}
            right &= self.copy(s, held)
        for s in moves:
            targets = {self.place(s["to"], x) for x in s["put"]}
            kept = {self.place(s["to"], a) for a, b in zip(s["sent"], s["put"]) if a == b}
            sources = {self.place(s["from"], x) for x in s["sent"]} - kept
            right &= not targets & reads and not targets & sources and all(self.may_write(s["to"], x) for x in s["put"])
            right &= self.copy(s, dict(self.held))
        if not right:
            self.faults.add(now)

    def copy(self, s, held):
        right = True
        for source, put, operand in zip(s["sent"], s["put"], s["operands"]):
            value = held.get(self.place(s["from"], source))
            target = self.place(s["to"], put)
            right &= value is not None
            there = self.held.get(self.place(s["to"], operand)) if s["side"] else frozenset()
            right &= there is not None
            value, there = value or frozenset(), there or frozenset()
            right &= not s["side"] or (not value & there and len({i for _, i in value | there}) <= 1)
            self.hops.append((s, self.place(s["from"], source), target, value))
            if s["side"] and operand != put:
                self.hops.append((dict(s, move=True, **{"from": s["to"]}), self.place(s["to"], operand), target, there))
            if value | there:
                self.held[target] = value | there
        return right

    def wanted(self, p, i):
        """What belongs in unit i of the incoming buffer of p."""
        f = self.file
        op, block, unit = f["operation"], i // f["unit"], i % f["unit"]
        if op in REDUCES:
            first = f["unit"] * p if op == "reduce-scatter" else 0
            return frozenset((q, first + unit) for q in range(p + 1 if op == "scan" else f["n"]))
        source = f["root"] if op in ("broadcast", "scatter") else block
        return frozenset([(source, f["unit"] * (p if op in MANY_OUT else 0) + unit)])

    def receivers(self):
        return [self.file["root"]] if self.file["operation"] in ("gather", "reduce") else range(self.file["n"])

    def is_right(self):
        units = self.file["unit"] * (self.file["n"] if self.file["operation"] in MANY_IN else 1)
        return all(self.held.get((p, "in", i)) == self.wanted(p, i) for p in self.receivers() for i in range(units))


# --- What the account says ---

BLOCK = r"the (?:block|operand) of processor (\d+)(?: for processor (\d+))?(?:, (?:bytes|elements) (\d+)-\d+)?"
PLACE = r"place (\d+) of (\w+)"
HOP = re.compile(rf"  (before|round (\d+)) +processor (\d+) (itself|sends it on port (\d+) to processor (\d+), port (\d+)): "
                 rf"{PLACE} (?:to|is combined into) {PLACE}")  # fmt: skip
STEP = re.compile(r"  round (\d+) +processor (\d+) (sends|receives) it on port (\d+) (?:to|from) processor (\d+)(.*)")


def origin_of(run, groups):
    rank, to, first = groups
    return (int(rank), run.file["unit"] * int(to or 0) + int(first or 0))


def is_place(run, cell, rank, number, space):
    same = run.place(rank, (space, 0))[1] == cell[1]
    return cell[0] == rank and same and cell[2] // run.file["unit"] == int(number)


def lies(run, line, origin):
    """Whether a line about a message or a move that took the block along is wrong."""
    _, now, rank, itself, out, to, port, number, space, put, target = HOP.match(line).groups()
    now, rank = int(now or -1), int(rank)
    to = rank if itself == "itself" else int(to)
    for s, source, end, value in run.hops:
        if (s["round"], s["from"], s["to"], s["move"]) != (now, rank, to, itself == "itself") or origin not in value:
            continue
        ports = s["move"] or (s["out"], s["in"]) == (int(out), int(port))
        if ports and is_place(run, source, rank, number, space) and is_place(run, end, to, put, target):
            return False
    return True


def check_way(run, lines, at, wrong):
    """Checks a way, which begins in this line."""
    origin = origin_of(run, re.search(BLOCK, lines[at]).groups())
    moved = [hop for hop in run.hops if origin in hop[3]]
    first = re.fullmatch(rf"  at first  in {PLACE}(?: \(.*\))?( and of in)? at processor (\d+)", lines[at + 1])
    if not first or int(first[4]) != origin[0] or bool(first[3]) != (run.file["operation"] == "broadcast"):
        wrong.append(f"it does not begin so: {lines[at + 1]}")
    for line in lines[at + 1 :]:
        if not line.startswith("  "):
            break
        early = re.match(r"  it does not move before round (\d+)", line)
        if HOP.match(line) and lies(run, line, origin):
            wrong.append(f"no such step: {line}")
        if line == "  it goes nowhere" and moved:
            wrong.append("it does go somewhere")
        if early and any(s["round"] < int(early[1]) for s, *_ in moved):
            wrong.append("it has moved before")
        step = STEP.match(line)
        if step and not HOP.match(line):
            now, rank, verb, port, peer, _ = step.groups()
            ends = ("from", "to", "out") if verb == "sends" else ("to", "from", "in")
            if not any((s["round"], s[ends[0]], s[ends[1]], s[ends[2]]) == (int(now), int(rank), int(peer), int(port))
                       and any(origin in run.before[int(now)].get(run.place(s["from"], x), ()) for x in s["sent"])
                       for s in run.file["steps"] if not s["move"]):  # fmt: skip
                wrong.append(f"no such message with the block: {line}")


def check_fate(run, line, wrong):
    """What has become of a block that is missing at the end."""
    found = re.match(rf"What is missing (?:at the end )?is {BLOCK}, in {PLACE} at processor (\d+)\. (.*)", line)
    if not found:
        return
    origin, (number, space, rank, fate) = origin_of(run, found.groups()[:3]), found.groups()[3:]
    rank, hops = int(rank), [hop for hop in run.hops if origin in hop[3]]
    here = any(p == rank and origin in value for (p, *_), value in run.held.items())
    came = any(end[0] == rank for _, _, end, _ in hops)
    there = [s["round"] for s, _, end, _ in hops if is_place(run, end, rank, number, space)]
    told = re.match(r"It came there (?:in round (\d+)|before)", fate)
    if told:
        right = there and int(told[1] or -1) in there
    elif fate.startswith("No message takes"):
        right = not came and not here
    elif fate.startswith(f"Processor {rank} has it in "):
        right = here and (not there or run.file["unit"] > 1)
    else:
        right = came and not here
    if not right:
        wrong.append(f"not so: {line}")


def check_partners(run, line, wrong):
    found = re.match(r"In round (\d+) processor (\d+) (sends to|receives from) (.*)\.", line)
    if not found:
        return
    now, rank, verb, listed = int(found[1]), int(found[2]), found[3], found[4]
    ends = ("from", "to", "out") if verb == "sends to" else ("to", "from", "in")
    there = sorted((s[ends[1]], len(s["sent"]), s[ends[2]]) for s in run.file["steps"]
                   if s["round"] == now and s[ends[0]] == rank and not s["move"])  # fmt: skip
    told = sorted(tuple(map(int, x)) for x in re.findall(r"(\d+) \((\d+) (?:block|byte|element)s?, port (\d+)\)", listed))
    if told != there:
        wrong.append(f"the file has {there}: {line}")


def check_filling(run, line, wrong):
    found = re.match(rf"Nothing has come to {PLACE} of processor (\d+) before\. (.*)", line)
    if not found or run.file["unit"] > 1:
        return
    number, space, rank, filled = found.groups()
    rounds = [(s["round"], s["from"], s["move"]) for s in run.file["steps"] for x in s["put"]
              if s["to"] == int(rank) and x == (space, int(number))]  # fmt: skip
    told = re.match(r"It is filled by the message from processor (\d+) in round (\d+)", filled)
    if told and (int(told[2]), int(told[1]), False) not in rounds:
        wrong.append(f"no such message: {line}")
    moved = re.match(r"It is filled by a later move of this processor, (?:before the first|round (\d+))", filled)
    if moved and (int(moved[1] or -1), int(rank), True) not in rounds:
        wrong.append(f"no such move: {line}")
    if not told and not moved and filled != "Nothing fills it later.":
        wrong.append(f"not understood: {line}")


def check_holders(run, line, now, wrong):
    """Who has the block that a message without one should have carried."""
    found = re.match(rf"The message takes it to {PLACE} at processor (\d+), where {BLOCK} belongs at the end\. (.*)", line)
    if not found:
        return
    number, space, rank, *block, holders = found.groups()
    named = re.fullmatch(r"Before this round processors? (\d+)((?:, \d+)*(?: and \d+)?) (?:has|have) it\.", holders)
    origin = origin_of(run, block)
    there = {p for (p, *_), value in run.before[now].items() if value == frozenset([origin])}
    if not named or {int(p) for p in re.findall(r"\d+", holders)} != there:
        wrong.append(f"{there} have it: {line}")
    if origin != min(run.wanted(int(rank), int(number) * run.file["unit"] + origin[1] % run.file["unit"])):
        wrong.append(f"another block belongs there: {line}")


def check_picture(run, svg, wrong):
    for now, source, to in re.findall(r">in round (\d+), from processor (\d+) to processor (\d+)(?! \(nobody)", svg):
        if not any((s["round"], s["from"], s["to"]) == (int(now), int(source), int(to)) for s in run.file["steps"]):
            wrong.append(f"the picture marks {source} to {to} in round {now}")
    if svg.count(">!</text>") not in (1, 2):
        wrong.append("the picture has no mark")


def check_same(finding, svg, wrong):
    """The sentence, the account and the picture speak of the same message or place."""
    account, now, ends = finding["account"], finding["round"], (finding["processor"], finding["peer"])
    place = re.match(rf"at the end processor (\d+) holds .* in {PLACE}, where", finding["sentence"])
    if place and f"place {place[2]} of {place[3]} at processor {place[1]}" not in account:
        wrong.append("the account is about another place")
    if place or now is None or ends[1] is None or ends[0] == ends[1]:
        return
    marked = re.search(r">in round (\d+), from processor (\d+) to processor (\d+)", svg)
    if not marked or (int(marked[1]), {int(marked[2]), int(marked[3])}) != (now, set(ends)):
        wrong.append(f"the picture marks {marked and marked[0]}")
    # Of two messages that are too many the first is the one of the sentence.
    for line in re.findall(r".*(?:wrong|too many)  <-- here", account)[:1]:
        named = re.search(r"processor (\d+) \w+ it on port \d+ \w+ processor (\d+)", line)
        if not named or {int(named[1]), int(named[2])} != set(ends):
            wrong.append(f"the account is about another message: {line}")


def check(text, folder):
    """Returns what is untrue, and whether the schedule is wrong."""
    path = folder / "x.txt"
    path.write_text(text)
    run, wrong = Run(read(text)), []
    result = execute([program, "check", f"@{path}", "--json", "--svg", folder / "x.svg"])
    if result.returncode == 2:
        return ["" if result.stderr.startswith("kport: ") and not result.stdout else "status 2 without a sentence"], None
    told = json.loads(result.stdout)
    if told["correct"] != (not run.faults) or result.returncode != (not told["correct"]):
        return [f"status {result.returncode}, and the faults are in {run.faults}"], False
    for finding in [] if told["correct"] else told["findings"]:
        lines = finding["account"].splitlines()
        sentence = finding["sentence"]
        at_end = sentence.startswith("at the end")
        now = run.rounds if at_end else -1 if finding["round"] is None else finding["round"]
        if now != min(run.faults):
            wrong.append(f"the first fault is in {min(run.faults)}: {sentence}")
        if "round -1" in sentence + finding["account"]:
            wrong.append("round -1")
        for at, line in enumerate(lines):
            check_fate(run, line, wrong)
            check_partners(run, line, wrong)
            check_filling(run, line, wrong)
            check_holders(run, line, now, wrong)
            if line.startswith("The way of"):
                check_way(run, lines, at, wrong)
    if not told["correct"]:
        check_same(told["findings"][0], (folder / "x.svg").read_text(), wrong)
        check_picture(run, (folder / "x.svg").read_text(), wrong)
        if not any("The way of" in f["account"] or "In round" in f["account"] or "there are:" in f["account"]
                   or "combines" in f["account"] for f in told["findings"]):  # fmt: skip
            wrong.append("there is no account")
    return [f"{w}\n{told['findings'][0]['sentence']}\n{told['findings'][-1]['account']}" for w in wrong], not told["correct"]


# --- Changes ---


def changed(text, draw):
    """The text with one change of a step."""
    lines = text.splitlines()
    steps = [i for i, line in enumerate(lines) if re.match(r"  \d", line)]
    messages = [i for i in steps if re.match(r"  [\d.]+ -> ", lines[i])]
    at = draw.choice(messages or steps)
    n = int(re.search(r"n=(\d+)", lines[1])[1])
    head = re.match(r"  (\d+)(?:\.(\d+))? -> (\d+)(?:\.(\d+))?(:.*)", lines[at])
    kind = draw.randrange(8)
    if kind == 0:
        del lines[draw.choice(steps)]
    elif kind == 1:
        lines.insert(at, lines[at])
    elif kind == 2 and len(messages) > 1:
        other = draw.choice(messages)
        lines[at], lines[other] = lines[other], lines[at]
    elif kind in (3, 4, 5) and head:
        source, out, to, port, rest = head.groups()
        ends = [int(source), int(out or 0), int(to), int(port or 0)]
        ends[draw.randrange(4)] = draw.randrange(n if kind != 5 else 3)
        copy = f"  {ends[0]}.{ends[1]} -> {ends[2]}.{ends[3]}{rest}"
        if kind == 4:
            lines.insert(at, copy)
        else:
            lines[at] = copy
    else:
        at = draw.choice(steps)
        numbers = list(re.finditer(r"(?<=\[)\d+(?=\])", lines[at])) or list(re.finditer(r"(?<=\[)\d+", lines[at]))
        number = draw.choice(numbers)
        lines[at] = lines[at][: number.start()] + str(draw.randrange(n)) + lines[at][number.end() :]
    return "\n".join(lines) + "\n"


# Schedules whose account was once untrue. Of two messages on one port, one begins with an empty place, or
# has nothing else.
FOUND = {
    "a message that begins with an empty place": """kport schedule 1
problem index:n=4,k=2,b=2
scratch 1
before
  0: out[0] -> in[0]
  1: out[1] -> in[1]
  2: out[2] -> in[2]
  3: out[3] -> in[3]
round 0
  0.0 -> 1.0: out[3] out[1] -> scratch[0] in[0]
  1.0 -> 2.0: out[0] out[2] -> scratch[0] in[1]
  2.0 -> 3.0: out[1] out[3] -> scratch[0] in[2]
  3.0 -> 1.0: scratch[0] out[1] -> in[2..3]
""",
    "a message of empty places": """kport schedule 1
problem reduce:n=5,k=2,count=2,type=float64,op=sum
scratch 1
round 0
  3.0 -> 0.0: out[0] -> right in[0] with out[0]
  1.0 -> 0.0: scratch[0] -> right in[0]
""",
}


tests = Tests()
draw = random.Random(seed)
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    texts = [execute([program, "export", problem]).stdout for problem in PROBLEMS]
    for problem, text in zip(PROBLEMS, texts):
        untrue, wrong = check(text, folder)
        tests.check(untrue == [] and wrong is False, f"{problem} is right", "\n".join(untrue) + text)
    for problem, text in FOUND.items():
        untrue, wrong = check(text, folder)
        tests.check(wrong and not [words for words in untrue if words], problem, "\n".join(untrue) + text)
    seen = {"wrong": 0, "right": 0, "refused": 0}
    for i in range(count):
        problem = draw.randrange(len(texts))
        text = changed(texts[problem], draw)
        if draw.randrange(4) == 0:
            text = changed(text, draw)
        untrue, wrong = check(text, folder)
        seen["refused" if wrong is None else "wrong" if wrong else "right"] += 1
        untrue = [words for words in untrue if words]
        if untrue:
            tests.check(False, f"change {i} of {PROBLEMS[problem]}", "\n".join(untrue) + text)
    tests.check(seen["wrong"] > count // 2 and seen["right"] > 0, f"{count} changes: {seen}", seen)
tests.end()
