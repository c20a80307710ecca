"""What a schedule of MSCCL does, found by trying every order of its steps. Knows nothing of what comes before what.

A step is carried out at once. A thread block carries out its next step when the signal that it waits for is given, when
its message is there, and when the connection has room. A thread block gives signals after the steps with hasdep only.
"""

import xml.etree.ElementTree

SENDS, RECEIVES = {"s", "rcs", "rrs", "rrcs"}, {"r", "rcs", "rrc", "rrs", "rrcs"}
READS, WRITES = {"s", "cpy", "re", "rrc", "rrs", "rrcs"}, {"r", "cpy", "re", "rcs", "rrc", "rrcs"}
REDUCES = {"allreduce", "reduce_scatter", "reduce"}


class Unknown(Exception):
    """There are too many orders."""


class Schedule:
    """A file, with every place of the memory as (rank, buffer, chunk)."""

    def __init__(self, text, inplace):
        root = xml.etree.ElementTree.fromstring(text)
        self.coll, self.n, self.chunks = root.get("coll"), int(root.get("ngpus")), int(root.get("nchunksperloop"))
        self.share, self.inplace, self.wrong = self.chunks // self.n, inplace, False
        self.blocks = []  # of lists of steps
        self.number = {}
        for gpu in root:
            rank = int(gpu.get("id"))
            sizes = {name[0]: int(gpu.get(name)) for name in ("i_chunks", "o_chunks", "s_chunks")}
            for tb in gpu:
                self.number[rank, int(tb.get("id"))] = len(self.blocks)
                ends = {"send": int(tb.get("send")), "recv": int(tb.get("recv"))}
                self.blocks.append([self.step(rank, sizes, ends, tb.get("chan"), step) for step in tb])
        self.check_connections(root)
        self.check_waits()
        self.conflicts = self.find_conflicts()

    def place(self, rank, buffer, chunk):
        if self.inplace and buffer == "i" and self.coll == "allgather":
            return rank, "o", rank * self.share + chunk
        if self.inplace and buffer == "o" and self.coll != "allgather":
            return rank, "i", chunk + (rank * self.share if self.coll == "reduce_scatter" else 0)
        return rank, buffer, chunk

    def range(self, rank, sizes, buffer, offset, count):
        if offset < 0 or offset + count > sizes[buffer]:
            self.wrong = True
            return []
        return [self.place(rank, buffer, offset + i) for i in range(count)]

    def step(self, rank, sizes, ends, chan, step):
        kind, count = step.get("type"), int(step.get("cnt")) if step.get("type") != "nop" else 0
        made = {"kind": kind, "count": count, "rank": rank, "reads": [], "writes": [], "send": None, "recv": None,
                "waits": (int(step.get("depid")), int(step.get("deps"))), "hasdep": step.get("hasdep") == "1"}  # fmt: skip
        if kind in READS and count:
            made["reads"] = self.range(rank, sizes, step.get("srcbuf"), int(step.get("srcoff")), count)
        if kind in WRITES and count:
            made["writes"] = self.range(rank, sizes, step.get("dstbuf"), int(step.get("dstoff")), count)
        if kind in SENDS and count:
            made["send"] = (rank, ends["send"], chan)
        if kind in RECEIVES and count:
            made["recv"] = (ends["recv"], rank, chan)
        self.wrong |= any(end is not None and -1 in end[:2] for end in (made["send"], made["recv"]))
        return made

    def check_connections(self, root):
        used = [(gpu.get("id"), end, tb.get(end), tb.get("chan")) for gpu in root for tb in gpu
                for end in ("send", "recv") if tb.get(end) != "-1"]  # fmt: skip
        self.wrong |= len(used) != len(set(used))
        for end in {step["send"] for block in self.blocks for step in block} - {None}:
            sent = [step["count"] for block in self.blocks for step in block if step["send"] == end]
            received = [step["count"] for block in self.blocks for step in block if step["recv"] == end]
            self.wrong |= sent != received

    def check_waits(self):
        for block in self.blocks:
            for step in block:
                if step["waits"][0] < 0:
                    step["waits"] = None
                    continue
                other = self.number.get((step["rank"], step["waits"][0]))
                at = step["waits"][1]
                there = other is not None and 0 <= at < len(self.blocks[other])
                later = enumerate(self.blocks[other]) if there else ()
                signals = [i for i, s in later if i >= at and s["hasdep"] and s["kind"] != "nop"]
                step["waits"] = (other, signals[0] if signals else at)
                self.wrong |= not signals

    def find_conflicts(self):
        """For each step, the steps of other thread blocks that touch a place that it changes, or the reverse."""
        every = [(i, k, step) for i, block in enumerate(self.blocks) for k, step in enumerate(block)]
        found = {(i, k): [] for i, k, _ in every}
        for i, k, a in every:
            for j, m, b in every:
                touched = (set(a["writes"]) & set(b["writes"] + b["reads"])) | (set(b["writes"]) & set(a["reads"]))
                if i != j and touched:
                    found[i, k].append((j, m))
        return found


class Values:
    """Symbols: None is nothing; a number stands for a chunk or for a sum of two others, in either order."""

    def __init__(self):
        self.numbers, self.parts = {}, []

    def of(self, key, parts):
        if key not in self.numbers:
            self.numbers[key] = len(self.parts)
            self.parts.append(parts)
        return self.numbers[key]

    def leaf(self, rank, chunk):
        return self.of(("leaf", rank, chunk), ((rank, chunk),))

    def sum(self, a, b):
        if a is None or b is None:
            return self.of("spoiled", (None,))
        return self.of(("sum", min(a, b), max(a, b)), tuple(sorted(self.parts[a] + self.parts[b], key=str)))


class Run:
    def __init__(self, schedule, depth=None):
        self.s, self.depth, self.values = schedule, depth, Values()
        places = {place for block in schedule.blocks for step in block for place in step["reads"] + step["writes"]}
        places |= {place for place, _ in self.wanted()}
        self.index = {place: i for i, place in enumerate(sorted(places))}
        self.first = self.initial()

    def initial(self):
        s, memory = self.s, [None] * len(self.index)
        for rank in range(s.n):
            for chunk in range(s.share if s.coll == "allgather" else s.chunks):
                place = s.place(rank, "i", chunk)
                if place in self.index:
                    memory[self.index[place]] = self.values.leaf(rank, chunk)
        return tuple(0 for _ in s.blocks), tuple(memory), ()

    def wanted(self):
        """Places, and what they must hold: (ranks, chunk)."""
        s = self.s
        everyone = tuple(range(s.n))
        for rank in range(s.n):
            for chunk in range(s.share if s.coll == "reduce_scatter" else s.chunks):
                place = s.place(rank, "o", chunk)
                if s.coll == "allreduce" or (s.coll == "reduce" and rank == 0):
                    yield place, (everyone, chunk)
                elif s.coll == "reduce_scatter":
                    yield place, (everyone, rank * s.share + chunk)
                elif s.coll == "allgather":
                    yield place, ((chunk // s.share,), chunk % s.share)
                elif s.coll == "alltoall":
                    yield place, ((chunk // s.share,), rank * s.share + chunk % s.share)
                elif s.coll == "broadcast":
                    yield place, ((0,), chunk)

    def enabled(self, state, block):
        done, _, queues = state
        steps = self.s.blocks[block]
        if done[block] == len(steps):
            return None
        step, waiting = steps[done[block]], dict(queues)
        if step["waits"] and done[step["waits"][0]] <= step["waits"][1]:
            return None
        if step["recv"] and not waiting.get(step["recv"]):
            return None
        if step["send"] and self.depth and len(waiting.get(step["send"], ())) >= self.depth:
            return None
        return step

    def carry_out(self, state, block, step):
        done, memory, queues = state
        memory, queues = list(memory), dict(queues)
        message = None
        if step["recv"]:
            message, *rest = queues[step["recv"]]
            queues[step["recv"]] = tuple(rest)
        read = [memory[self.index[place]] for place in step["reads"]]
        there = [memory[self.index[place]] for place in step["writes"]]
        if step["kind"] == "re":
            moved = [self.values.sum(a, b) for a, b in zip(read, there)]
        elif step["recv"] and step["kind"] != "r" and step["kind"] != "rcs":
            moved = [self.values.sum(a, b) for a, b in zip(read, message)]
        else:
            moved = message if step["recv"] else read
        for place, value in zip(step["writes"], moved):
            memory[self.index[place]] = value
        if step["send"]:
            queues[step["send"]] = queues.get(step["send"], ()) + (tuple(moved),)
        done = done[:block] + (done[block] + 1,) + done[block + 1 :]
        return done, tuple(memory), tuple(sorted((end, queue) for end, queue in queues.items() if queue))

    def ends(self):
        """Whether every step is carried out. The order does not matter for that."""
        state, moved = self.first, True
        while moved:
            moved = False
            for block in range(len(self.s.blocks)):
                step = self.enabled(state, block)
                while step:
                    state, moved = self.carry_out(state, block, step), True
                    step = self.enabled(state, block)
        return all(done == len(block) for done, block in zip(state[0], self.s.blocks))

    def moves(self, state):
        """The steps that can be next. One that touches nothing that others will touch can as well be the only one."""
        found = []
        for block in range(len(self.s.blocks)):
            step = self.enabled(state, block)
            if not step:
                continue
            if all(at < state[0][other] for other, at in self.s.conflicts[block, state[0][block]]):
                return [(block, step)]
            found.append((block, step))
        return found

    def results(self, most):
        seen, stack, results = {self.first}, [self.first], set()
        while stack:
            state = stack.pop()
            moves = self.moves(state)
            if not moves:
                results.add(state[1])
            for block, step in moves:
                after = self.carry_out(state, block, step)
                if after not in seen:
                    seen.add(after)
                    stack.append(after)
            if len(seen) > most:
                raise Unknown
        return results

    def is_right(self, memory):
        for place, (ranks, chunk) in self.wanted():
            held = memory[self.index[place]]
            if held is None or self.values.parts[held] != tuple(sorted(((r, chunk) for r in ranks), key=str)):
                return False
        return True

    def same_order(self, memory):
        if self.s.coll not in REDUCES:
            return None
        by_chunk = {}
        for place, (_, chunk) in self.wanted():
            by_chunk.setdefault(chunk, set()).add(memory[self.index[place]])
        return all(len(held) == 1 for held in by_chunk.values())


def judge(text, most=20000):
    """(right, same order, depth needed): what a checker must find. The latter two are None unless it is right."""
    root = xml.etree.ElementTree.fromstring(text)
    modes = [mode for mode, name in ((True, "inplace"), (False, "outofplace"))
             if root.get(name) == "1" or (not mode and root.get("inplace") == "0")]  # fmt: skip
    same, depth = None, None
    for mode in modes:
        schedule = Schedule(text, mode)
        if schedule.wrong or not Run(schedule).ends():
            return False, None, None
        run = Run(schedule)
        results = run.results(most)
        if not all(run.is_right(memory) for memory in results):
            return False, None, None
        orders = {run.same_order(memory) for memory in results}
        same = None if None in orders else same is not False and orders == {True}
        depth = 0 if not any(step["send"] for block in schedule.blocks for step in block) else 1
        while depth and not Run(schedule, depth).ends():
            depth += 1
    return True, same, depth
