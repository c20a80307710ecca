"""What it costs that every call is compared with the others' and that its place is known.

usage: agreement.py CHECKED UNCHECKED [N [CALLS [PAIRS]]]

Runs the two programs in turn, PAIRS times for each of a few lengths of computing between the calls,
and prints, for an index of 8 bytes and for the barrier: how much longer the call takes, as a part
of the time that it takes without comparing and without computing. Status 1 if that is more than 3 %
for the index, over all lengths of computing or without any.

Why there is computing between the calls: between two threads that wait for one another with a pause
between their looks, a call that follows another at once takes as long as the looks happen to meet.
A few instructions more or less, or the same ones at another address, then show as up to a tenth of
the time more or less. Each length of computing is another such moment; the median of all is told,
and what it is without computing beside it.
"""

import statistics
import subprocess
import sys

NAMES = ("index, b=8", "barrier")
STEADY, TRIES = 0.12, 6  # a look counts if its quartiles are this near to one another
STEPS = (0, 6, 12, 18, 24, 30, 36, 42)  # of three or four cycles: up to some 40 ns

checked, unchecked = sys.argv[1:3]
given = sys.argv[3:]
n, calls, pairs = (int(number) for number in given + ["2", "60000", "31"][len(given):])


def run(program, steps):
    command = [program, str(n), str(calls), str(steps)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(number) for number in done.stdout.split()]


def measure():
    """Of index and barrier: nanoseconds without comparing and computing; by the length of
    computing, how many more comparing takes."""
    bare = [[], []]
    longer = [{steps: [] for steps in STEPS} for _ in bare]
    for i in range(pairs):
        for steps in STEPS:
            # Neither is always the first.
            order = [checked, unchecked] if i % 2 else [unchecked, checked]
            result = {program: run(program, steps) for program in order}
            for what in range(2):
                bare[what] += [result[unchecked][what]] if steps == 0 else []
                longer[what][steps].append(result[checked][what] - result[unchecked][what])
    return bare, longer


def tell():
    """Prints a line each; of the index: the larger share, and how far the quartiles are apart."""
    told = []
    for what, (bare, longer) in enumerate(zip(*measure())):
        time = statistics.median(bare)
        shares = [one / time for ones in longer.values() for one in ones]
        low, middle, high = statistics.quantiles(shares, n=4)
        at_once = statistics.median(longer[0]) / time
        print(f"{NAMES[what]}:n={n}: {time:.1f} ns without comparing, {middle:+.1%} with it "
              f"({low:+.1%} ... {high:+.1%}); {at_once:+.1%} without computing", flush=True)
        told.append((max(middle, at_once), high - low))
    return told[0]


share, spread = tell()
for _ in range(TRIES - 1):
    if spread <= STEADY:
        break
    print("the machine changes its speed while this is measured: again")
    share, spread = tell()
if spread > STEADY:
    print("the machine does not stay at one speed for long enough: nothing can be said")
sys.exit(0 if share <= 0.03 and spread <= STEADY else 1)
