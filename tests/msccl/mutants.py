"""Changes to schedules of MSCCL: each makes one small mistake, or one change that is none."""


def steps(algorithm):
    return [(rank, block, at) for rank, blocks in enumerate(algorithm.ranks) for block in blocks
            for at in range(len(block.steps))]  # fmt: skip


def some(random, algorithm, wanted=lambda step: True):
    found = [(rank, block, at) for rank, block, at in steps(algorithm) if wanted(block.steps[at])]
    return random.choice(found) if found else None


def dependency_dropped(random, a):
    found = some(random, a, lambda step: step.waits)
    if found:
        found[1].steps[found[2]].waits = None
    return bool(found)


def dependency_moved(random, a):
    found = some(random, a, lambda step: step.waits)
    if found:
        step = found[1].steps[found[2]]
        step.waits = (step.waits[0], max(0, step.waits[1] + random.choice((-1, 1))))
    return bool(found)


def dependency_added(random, a):
    rank, block, at = some(random, a)
    other = random.randrange(len(a.ranks[rank]))
    if not a.ranks[rank][other].steps:
        return False
    to = random.randrange(len(a.ranks[rank][other].steps))
    block.steps[at].waits = (other, to)
    a.ranks[rank][other].steps[to].hasdep = 1
    return True


def signal_dropped(random, a):
    found = some(random, a, lambda step: step.hasdep)
    if found:
        found[1].steps[found[2]].hasdep = 0
    return bool(found)


def steps_swapped(random, a):
    rank, block, at = some(random, a)
    if at + 1 == len(block.steps):
        return False
    block.steps[at], block.steps[at + 1] = block.steps[at + 1], block.steps[at]
    return True


def step_dropped(random, a):
    rank, block, at = some(random, a)
    del block.steps[at]
    return True


def step_doubled(random, a):
    rank, block, at = some(random, a)
    block.steps.insert(at, block.steps[at])
    return True


def offset_moved(random, a):
    step = (lambda found: found[1].steps[found[2]])(some(random, a))
    end = random.choice(("src", "dst"))
    buffer, offset = getattr(step, end)
    setattr(step, end, (buffer, max(0, offset + random.choice((-1, 1)))))
    return True


def buffer_changed(random, a):
    step = (lambda found: found[1].steps[found[2]])(some(random, a))
    end = random.choice(("src", "dst"))
    setattr(step, end, (random.choice("ios"), getattr(step, end)[1]))
    return True


def count_changed(random, a):
    step = (lambda found: found[1].steps[found[2]])(some(random, a))
    step.cnt = max(0, step.cnt + random.choice((-1, 1)))
    return True


def kind_changed(random, a):
    step = (lambda found: found[1].steps[found[2]])(some(random, a))
    step.type = random.choice({"s": "s", "r": ("r", "rrc"), "rrc": ("r", "rrc"), "rcs": ("rrs", "rrcs"),
                               "rrs": ("rcs", "rrcs"), "rrcs": ("rcs", "rrs"), "cpy": ("cpy", "re"),
                               "re": ("cpy", "re"), "nop": ("nop",)}[step.type])  # fmt: skip
    return True


def channel_changed(random, a):
    _, block, _ = some(random, a)
    block.chan = random.randrange(2)
    return True


def block_split(random, a):
    """The rest of a thread block becomes one of its own: nothing orders the two parts."""
    rank, block, at = some(random, a)
    rest = block.steps[at:]
    if at == 0 or any(step.type not in ("cpy", "re", "nop") for step in rest):
        return False
    a.block(rank).steps = rest
    del block.steps[at:]
    return True


def place_kept(random, a):
    """One more thread block copies a place to itself, at any time."""
    rank = random.randrange(len(a.ranks))
    buffer = random.choice("ios")
    chunks = a.sizes[rank]["ios".index(buffer)]
    if chunks == 0:
        return False
    at = (buffer, random.randrange(chunks))
    a.block(rank).add("cpy", at, at)
    return True


MUTATIONS = [dependency_dropped, dependency_moved, dependency_added, signal_dropped, steps_swapped, step_dropped,
             step_doubled, offset_moved, buffer_changed, count_changed, kind_changed, channel_changed,
             block_split, place_kept]  # fmt: skip


def mutate(random, algorithm, count):
    """Up to `count` changes; the names of those that were made."""
    made = []
    for _ in range(count):
        mutation = random.choice(MUTATIONS)
        if any(block.steps for blocks in algorithm.ranks for block in blocks) and mutation(random, algorithm):
            made.append(mutation.__name__)
    return made
