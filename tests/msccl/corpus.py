"""Right schedules of MSCCL, small enough to explore every order of their steps.

A schedule is an Algorithm: for each rank a list of thread blocks, each with its steps. Its text is XML.
"""

import copy


class Step:
    """A step. `waits` is (id of a thread block, step), or None."""

    def __init__(self, type, src=("i", -1), dst=("o", -1), cnt=1, waits=None, hasdep=0):
        self.type, self.src, self.dst, self.cnt, self.waits, self.hasdep = type, src, dst, cnt, waits, hasdep


class Block:
    def __init__(self, send=-1, recv=-1, chan=0):
        self.send, self.recv, self.chan, self.steps = send, recv, chan, []

    def add(self, *arguments, **named):
        self.steps.append(Step(*arguments, **named))
        return self


class Algorithm:
    def __init__(self, coll, n, chunks, inplace, sizes, outofplace=None):
        self.coll, self.n, self.chunks, self.inplace, self.outofplace = coll, n, chunks, inplace, outofplace
        self.sizes = [list(sizes) for _ in range(n)]
        self.ranks = [[] for _ in range(n)]

    def block(self, rank, **named):
        self.ranks[rank].append(Block(**named))
        return self.ranks[rank][-1]

    def copy(self):
        return copy.deepcopy(self)

    def signal(self):
        """Sets hasdep where somebody waits."""
        for blocks in self.ranks:
            for block in blocks:
                for step in block.steps:
                    if step.waits:
                        blocks[step.waits[0]].steps[step.waits[1]].hasdep = 1
        return self

    def xml(self):
        out = [f'<algo name="test" proto="Simple" nchannels="4" nchunksperloop="{self.chunks}" ngpus="{self.n}" '
               f'coll="{self.coll}" inplace="{self.inplace}"'
               + (f' outofplace="{self.outofplace}"' if self.outofplace is not None else "") + ">"]  # fmt: skip
        for rank, blocks in enumerate(self.ranks):
            i, o, s = self.sizes[rank]
            out.append(f'<gpu id="{rank}" i_chunks="{i}" o_chunks="{o}" s_chunks="{s}">')
            for number, block in enumerate(blocks):
                out.append(f'<tb id="{number}" send="{block.send}" recv="{block.recv}" chan="{block.chan}">')
                for place, step in enumerate(block.steps):
                    depid, deps = step.waits or (-1, -1)
                    out.append(f'<step s="{place}" type="{step.type}" srcbuf="{step.src[0]}" srcoff="{step.src[1]}" '
                               f'dstbuf="{step.dst[0]}" dstoff="{step.dst[1]}" cnt="{step.cnt}" '
                               f'depid="{depid}" deps="{deps}" hasdep="{step.hasdep}"/>')  # fmt: skip
                out.append("</tb>")
            out.append("</gpu>")
        return "\n".join(out + ["</algo>", ""])


def ring_allreduce(n=3):
    """Reduce-scatter, then allgather, around a ring, by fused steps in one thread block a rank."""
    a = Algorithm("allreduce", n, n, 1, (n, 0, 0))
    for rank in range(n):
        block = a.block(rank, send=(rank + 1) % n, recv=(rank - 1) % n)
        at = lambda distance: ("i", (rank - distance) % n)
        block.add("s", at(0), at(0))
        for distance in range(1, n - 1):
            block.add("rrs", at(distance), at(distance))
        block.add("rrcs", at(n - 1), at(n - 1))
        for distance in range(n, 2 * n - 2):
            block.add("rcs", at(distance), at(distance))
        block.add("r", at(2 * n - 2), at(2 * n - 2))
    return a


def pairs_allreduce(n=3):
    """Every rank sums one chunk of all, in scratch, and sends the sum to all."""
    a = Algorithm("allreduce", n, n, 1, (n, 0, n))
    for rank in range(n):
        others = [other for other in range(n) if other != rank]
        for other in others:
            block = a.block(rank, send=other, recv=other)
            block.add("s", ("i", other), ("s", rank)).add("r", ("i", rank), ("s", other))
        summing = a.block(rank, chan=0)
        for number, other in enumerate(others):
            summing.add("re", ("s", other), ("i", rank), waits=(number, 1))
        for number, other in enumerate(others):
            block = a.ranks[rank][number]
            block.add("s", ("i", rank), ("i", rank), waits=(n - 1, n - 2)).add("r", ("i", other), ("i", other))
    return a.signal()


def once_allreduce(n=3):
    """Every rank sends all to all and sums everything itself, from its own chunk on."""
    a = Algorithm("allreduce", n, 1, 1, (1, 0, n))
    for rank in range(n):
        others = [other for other in range(n) if other != rank]
        for other in others:
            a.block(rank, send=other, recv=other).add("s", ("i", 0), ("s", rank)).add("r", ("i", 0), ("s", other))
        summing = a.block(rank)
        for number in range(len(others) - 1):
            summing.add("nop", cnt=0, waits=(number, 1))
        for number, other in enumerate(others):
            last = (len(others) - 1, 1) if number == 0 else None
            summing.add("re", ("s", other), ("i", 0), waits=last)
    return a.signal()


def doubling_allreduce():
    """Recursive doubling on four ranks, out of place, a channel a round."""
    a = Algorithm("allreduce", 4, 1, 0, (1, 1, 0))
    for rank in range(4):
        first = a.block(rank, send=rank ^ 1, recv=rank ^ 1)
        first.add("cpy", ("i", 0), ("o", 0)).add("s", ("i", 0), ("o", 0)).add("rrc", ("o", 0), ("o", 0))
        second = a.block(rank, send=rank ^ 2, recv=rank ^ 2, chan=1)
        second.add("s", ("o", 0), ("o", 0), waits=(0, 2)).add("rrc", ("o", 0), ("o", 0))
    return a.signal()


def ring_allgather(n=3, inplace=1):
    a = Algorithm("allgather", n, n, inplace, (0 if inplace else 1, n, 0))
    for rank in range(n):
        block = a.block(rank, send=(rank + 1) % n, recv=(rank - 1) % n)
        if not inplace:
            block.add("cpy", ("i", 0), ("o", rank))
        block.add("s", ("o", rank), ("o", rank))
        for distance in range(1, n - 1):
            block.add("rcs", ("o", (rank - distance) % n), ("o", (rank - distance) % n))
        block.add("r", ("o", (rank + 1) % n), ("o", (rank + 1) % n))
    return a


def split_allgather(n=3):
    """Receiving and sending are thread blocks of their own, so that a send waits for a receive."""
    a = Algorithm("allgather", n, n, 1, (0, n, 0))
    for rank in range(n):
        send, receive = a.block(rank, send=(rank + 1) % n), a.block(rank, recv=(rank - 1) % n)
        for distance in range(n - 1):
            at, to = ("o", (rank - distance) % n), ("o", (rank - distance - 1) % n)
            send.add("s", at, at, waits=(1, distance - 1) if distance else None)
            receive.add("r", to, to)
    return a.signal()


def alltoall(n=3, channels=1):
    a = Algorithm("alltoall", n, n * channels, 0, (n * channels, n * channels, 0))
    for rank in range(n):
        a.block(rank).add("cpy", ("i", rank * channels), ("o", rank * channels), cnt=channels)
        for other in (other for other in range(n) if other != rank):
            for chan in range(channels):
                block = a.block(rank, send=other, recv=other, chan=chan)
                block.add("s", ("i", other * channels + chan), ("o", rank * channels + chan))
                block.add("r", ("i", rank * channels + chan), ("o", other * channels + chan))
    return a


def ring_reducescatter(n=3, inplace=1):
    a = Algorithm("reduce_scatter", n, n, inplace, (n, 0 if inplace else 1, 0))
    for rank in range(n):
        block = a.block(rank, send=(rank + 1) % n, recv=(rank - 1) % n)
        at = lambda distance: ("i", (rank - distance) % n)
        block.add("s", at(1), at(1))
        for distance in range(2, n):
            block.add("rrs", at(distance), at(distance))
        if inplace:
            block.add("rrc", at(0), at(0))
        else:
            block.add("rrc", at(0), ("o", 0))
    return a


def chain_broadcast(n=3, chunks=2):
    """Chunks follow each other down a chain; two channels."""
    a = Algorithm("broadcast", n, chunks, 1, (chunks, chunks, 0))
    for rank in range(n):
        for chan in range(chunks):
            at = ("o", chan)
            block = a.block(rank, send=rank + 1 if rank + 1 < n else -1, recv=rank - 1, chan=chan)
            block.add("s" if rank == 0 else "rcs" if rank + 1 < n else "r", ("i", chan) if rank == 0 else at, at)
    return a


def twice_broadcast():
    """Rank 2 gets the same chunk over two ways, into the same place: the race is benign."""
    a = Algorithm("broadcast", 3, 1, 1, (1, 1, 0))
    a.block(0, send=1).add("s", ("i", 0), ("o", 0))
    a.block(0, send=2).add("s", ("i", 0), ("o", 0))
    a.block(1, send=2, recv=0).add("rcs", ("i", 0), ("o", 0))
    a.block(2, recv=0).add("r", ("i", 0), ("o", 0))
    a.block(2, recv=1).add("r", ("i", 0), ("o", 0))
    return a


def late_broadcast():
    """Rank 1 waits for its first receive, but its thread block signals only after the second one."""
    a = Algorithm("broadcast", 3, 2, 1, (2, 2, 0))
    chunks = [("o", 0), ("o", 1)]
    for rank, send, recv, type in ((0, 1, -1, "s"), (1, -1, 0, "r"), (2, -1, 1, "r")):
        block = a.block(rank, send=send, recv=recv)
        for at in chunks if rank < 2 else reversed(chunks):
            block.add(type, at, at)
    a.ranks[1][0].steps[1].hasdep = 1
    a.block(1, send=2).add("s", chunks[1], chunks[1], waits=(0, 0)).add("s", chunks[0], chunks[0])
    return a


def chain_reduce(n=3):
    a = Algorithm("reduce", n, 1, 0, (1, 1, 0))
    for rank in range(n):
        block = a.block(rank, send=rank - 1, recv=rank + 1 if rank + 1 < n else -1)
        if rank + 1 == n:
            block.add("s", ("i", 0), ("o", 0))
        elif rank > 0:
            block.add("rrs", ("i", 0), ("o", 0))
        else:
            block.add("rrc", ("i", 0), ("o", 0))
    return a


def star_reduce(n=3):
    """Two thread blocks add to one place, and nothing says which comes first."""
    a = Algorithm("reduce", n, 1, 1, (1, 1, 0))
    for rank in range(1, n):
        a.block(rank, send=0).add("s", ("i", 0), ("o", 0))
        a.block(0, recv=rank).add("rrc", ("i", 0), ("i", 0))
    return a


def nodes_allreduce():
    """Two nodes of two ranks: a sum within the node, one between the nodes, and the result within the node."""
    a = Algorithm("allreduce", 4, 1, 1, (1, 0, 1))
    for rank in range(4):
        near, far = rank ^ 1, rank ^ 2
        if rank % 2 == 1:
            a.block(rank, send=near, recv=near).add("s", ("i", 0), ("i", 0)).add("r", ("i", 0), ("i", 0))
            continue
        a.block(rank, send=near, recv=near).add("rrc", ("i", 0), ("i", 0)).add("s", ("i", 0), ("i", 0), waits=(1, 2))
        block = a.block(rank, send=far, recv=far, chan=1)
        block.add("s", ("i", 0), ("s", 0), waits=(0, 0)).add("r", ("i", 0), ("s", 0)).add("re", ("s", 0), ("i", 0))
    return a.signal()


def counted_exchange():
    """Two chunks in a message; the second message waits for room if the depth is one."""
    a = Algorithm("alltoall", 2, 8, 0, (8, 8, 0))
    for rank in range(2):
        block = a.block(rank, send=1 - rank, recv=1 - rank)
        block.add("cpy", ("i", 4 * rank), ("o", 4 * rank), cnt=4)
        for part in range(2):
            block.add("s", ("i", 4 * (1 - rank) + 2 * part), ("o", 4 * rank + 2 * part), cnt=2)
        for part in range(2):
            block.add("r", ("i", 4 * rank + 2 * part), ("o", 4 * (1 - rank) + 2 * part), cnt=2)
    return a


def instances_allreduce():
    """Two rings of two ranks, each with a chunk of its own and its own channel."""
    a = Algorithm("allreduce", 2, 4, 1, (4, 0, 0))
    for rank in range(2):
        for instance in range(2):
            block = a.block(rank, send=1 - rank, recv=1 - rank, chan=instance)
            at = lambda part: ("i", 2 * part + instance)
            block.add("s", at(rank), at(rank)).add("rrcs", at(1 - rank), at(1 - rank)).add("r", at(rank), at(rank))
    return a


def both_allreduce():
    """Right in place and out of place."""
    a = Algorithm("allreduce", 2, 2, 1, (2, 2, 0), outofplace=1)
    for rank in range(2):
        block = a.block(rank, send=1 - rank, recv=1 - rank)
        block.add("s", ("i", rank), ("i", rank)).add("rrcs", ("i", 1 - rank), ("o", 1 - rank))
        block.add("r", ("o", rank), ("o", rank))
    return a


CORPUS = {
    "ring-allreduce": ring_allreduce, "pairs-allreduce": pairs_allreduce, "once-allreduce": once_allreduce,
    "doubling-allreduce": doubling_allreduce, "ring-allgather": ring_allgather,
    "ring-allgather-out": lambda: ring_allgather(3, 0), "split-allgather": split_allgather,
    "alltoall": alltoall, "alltoall-channels": lambda: alltoall(2, 2), "ring-reducescatter": ring_reducescatter,
    "ring-reducescatter-out": lambda: ring_reducescatter(3, 0), "chain-broadcast": chain_broadcast,
    "twice-broadcast": twice_broadcast, "late-broadcast": late_broadcast, "chain-reduce": chain_reduce, "star-reduce": star_reduce,
    "nodes-allreduce": nodes_allreduce, "counted-exchange": counted_exchange,
    "instances-allreduce": instances_allreduce, "both-allreduce": both_allreduce,
}  # fmt: skip
