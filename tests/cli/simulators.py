"""The texts for LogGOPSim and SimGrid, read by rules of their own: what is wrong in such a text is an error
here. tests/cli/predict.py and tests/cli/simgrid.py use this."""

import collections
import re

# The grammar of LogGOPSim's txt2bin: one operation or dependency a line.
GOAL_LINES = [
    ("message", r"(?:(\w+)[ \t]*:[ \t]*)?(send|recv)[ \t]+(\d+)[ \t]*b[ \t]+(to|from)[ \t]+(\d+)"
                r"(?:[ \t]+tag[ \t]+(\d+))?(?:[ \t]+cpu[ \t]+(\d+))?(?:[ \t]+nic[ \t]+(\d+))?[ \t]*"),
    ("calc", r"(?:(\w+)[ \t]*:[ \t]*)?calc[ \t]+(\d+)(?:[ \t]+cpu[ \t]+(\d+))?[ \t]*"),
    ("requires", r"(\w+)[ \t]+(i?requires)[ \t]+(\w+)[ \t]*"),
    ("rank", r"rank[ \t]+(\d+)[ \t]*\{[ \t]*"),
    ("end", r"\}[ \t]*"),
    ("empty", r"[ \t]*(?://.*)?"),
]  # fmt: skip
LABEL = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")
WORDS = {"rank", "num_ranks", "send", "recv", "calc"}


class Wrong(Exception):
    pass


def goal_line(line):
    for kind, pattern in GOAL_LINES:
        found = re.fullmatch(pattern, line)
        if found:
            return kind, found.groups()
    raise Wrong(f"no line of GOAL: {line}")


def check_order(tags, required):
    """`tags`: of each label the round of its message, or None of a computation. A message requires, through others, all
    messages of the rank's rounds before."""
    before = {}

    def messages_before(label):
        if label not in before:
            direct = required.get(label, set())
            before[label] = {other for other in direct if tags[other] is not None}.union(*map(messages_before, direct))
        return before[label]

    for label, tag in tags.items():
        if tag is not None and messages_before(label) != {other for other, t in tags.items() if t is not None and t < tag}:
            raise Wrong(f"{label} of round {tag} does not require just the messages of the rounds before")


def read_goal(text):
    """Returns the messages by (source, destination, tag): the lengths of their sends and of their receives."""
    first, _, rest = text.partition("\n")
    ranks = re.fullmatch(r"num_ranks[ \t]+(\d+)", first)
    if not ranks or not text.endswith("\n"):
        raise Wrong("num_ranks comes first, and a line has an end")
    count, rank, seen, labels, required = int(ranks[1]), None, set(), {}, {}
    ends = {"send": collections.defaultdict(list), "recv": collections.defaultdict(list)}
    for line in rest.split("\n"):
        kind, words = goal_line(line)
        if kind == "empty":
            continue
        if (kind == "rank") != (rank is None):
            raise Wrong(f"outside or inside of a rank: {line}")
        if kind == "rank":
            rank = int(words[0])
            if rank in seen or rank >= count:
                raise Wrong(f"rank {rank} again, or too large")
            seen.add(rank)
            labels, required = {}, {}
        elif kind == "end":
            check_order(labels, required)
            rank = None
        elif kind == "requires":
            if words[0] not in labels or words[2] not in labels or words[0] == words[2]:
                raise Wrong(f"a label that is not defined before: {line}")
            required.setdefault(words[0], set()).add(words[2])
        else:
            label, numbers = words[0], [word for word in words if word and word.isdigit()]
            if label and (label in labels or label in WORDS or not LABEL.fullmatch(label)):
                raise Wrong(f"a label again, or no label: {line}")
            labels[label] = int(words[5] or 0) if kind == "message" else None
            if kind == "message":
                _, verb, size, side, peer, tag, cpu, nic = words
                if (verb, side) not in (("send", "to"), ("recv", "from")) or int(cpu or 0) > 255 or int(nic or 0) > 255:
                    raise Wrong(f"{line}")
                if int(peer) >= count or int(peer) == rank or int(size) < 1:
                    raise Wrong(f"no such peer, or no bytes: {line}")
                key = (rank, int(peer), int(tag or 0)) if verb == "send" else (int(peer), rank, int(tag or 0))
                ends[verb][key].append(int(size))
            elif not numbers:
                raise Wrong(f"{line}")
    if rank is not None or len(seen) != count:
        raise Wrong("a rank is missing, or not ended")
    if ends["send"] != ends["recv"]:
        raise Wrong("messages without a partner of the same length")
    return ends["send"]


def replay(text, n):
    """Goes through a time-independent trace of SimGrid as its replay does: a wait ends when both sides have
    begun the message. Returns how many messages and bytes there were."""
    lines = [collections.deque() for _ in range(n)]
    for line in text.splitlines():
        words = line.split()
        lines[int(words[0])].append(words[1:])
    begun = {"isend": {}, "irecv": {}}
    open_requests = [[] for _ in range(n)]
    ended = 0

    def goes_on(rank, action):
        words = action[1:]
        if action[0] in ("isend", "irecv"):
            peer, tag, size = map(int, words)
            key = (rank, peer, tag) if action[0] == "isend" else (peer, rank, tag)
            if key in begun[action[0]] or peer == rank or not 0 <= peer < n:
                raise Wrong(f"{rank} {action}")
            begun[action[0]][key] = size
            open_requests[rank].append(key)
            return True
        if action[0] == "wait":
            key = (int(words[0]), int(words[1]), int(words[2]))
            if key not in open_requests[rank]:
                raise Wrong(f"{rank} waits for what it has not begun: {action}")
            waited = [key]
        elif action[0] == "waitall":
            waited = list(open_requests[rank])
        elif action[0] in ("init", "finalize") or (action[0] == "sleep" and float(words[0]) > 0):
            return True
        else:
            raise Wrong(f"{rank} {action}")
        if not all(key in begun["isend"] and key in begun["irecv"] for key in waited):
            return False
        for key in waited:
            open_requests[rank].remove(key)
        return True

    moved = True
    while moved:
        moved = False
        for rank in range(n):
            while lines[rank] and goes_on(rank, lines[rank][0]):
                last = lines[rank].popleft()
                moved = True
                ended += last[0] == "finalize"
    if ended != n or any(open_requests):
        raise Wrong(f"{n - ended} ranks have not ended; open: {open_requests}")
    if begun["isend"] != begun["irecv"]:
        raise Wrong("messages without a partner of the same length")
    return len(begun["isend"]), sum(begun["isend"].values())
