"""`kport check FILE.xml` beside the oracle: right schedules, and changed ones, in every order of their steps.

usage: check.py KPORT [MUTANTS [SEED]]
"""

import json
import pathlib
import random
import sys
import tempfile

from tap import Tests, execute

from corpus import CORPUS
from mutants import mutate
from oracle import Unknown, judge

kport = sys.argv[1]
mutants, seed = (int(given) for given in (sys.argv[2:] + ["150", "1"][len(sys.argv) - 2 :]))
tests = Tests()
folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name) / "schedule.xml"


def check(text, *options):
    path.write_text(text)
    done = execute([kport, "check", path, "--json", *options])
    return done.returncode, json.loads(done.stdout) if done.returncode in (0, 1) else done.stderr


def differs(text):
    """What the checker finds else than the oracle; an empty string if nothing."""
    right, same_order, depth = judge(text)
    status, found = check(text)
    if status != (0 if right else 1) or found["correct"] != right:
        return f"status {status}, but right is {right}: {found}\n{text}"
    if right and (found["same_order"] != same_order or found["depth_needed"] != depth):
        return f"same order {same_order}, depth {depth}, but {found}\n{text}"
    return ""


for name, make in CORPUS.items():
    text = make().xml()
    tests.check(judge(text)[0] and not differs(text), f"{name} is right", differs(text))

counts = {True: 0, False: 0}
unknown, wrong = 0, []
numbers = random.Random(seed)
names = sorted(CORPUS)
while sum(counts.values()) < mutants:
    algorithm = CORPUS[numbers.choice(names)]()
    if not mutate(numbers, algorithm, numbers.choice((1, 1, 1, 2))):
        continue
    text = algorithm.xml()
    try:
        difference = differs(text)
    except Unknown:
        unknown += 1
        continue
    counts[judge(text)[0]] += 1
    if difference:
        wrong.append(difference)
tests.check(not wrong, f"{mutants} changed schedules are found as they are", "\n\n".join(wrong[:3]))
tests.check(counts[True] > mutants // 20 and counts[False] > mutants // 4 and unknown < mutants // 10,
            "some of them are right, most are wrong", f"{counts}, {unknown} with too many orders")  # fmt: skip
tests.end()
