"""What it costs that every call is compared with the others' and that its place is known.

usage: agreement.py CHECKED UNCHECKED [N [CALLS [PAIRS]]]

Runs the two programs in turn and prints, for an index of 8 bytes and for the barrier, the median of
the ratios of neighbouring runs with its quartiles. Status 1 if the index costs more than 3 %.
"""

import statistics
import subprocess
import sys

checked, unchecked = sys.argv[1:3]
n, calls, pairs = (int(number) for number in (sys.argv[3:] + ["2", "200000", "31"][len(sys.argv) - 3:]))


def run(program):
    done = subprocess.run([program, str(n), str(calls)], capture_output=True, text=True, check=True)
    return [float(number) for number in done.stdout.split()]


ratios = [[], []]
times = [[], []]
for i in range(pairs):
    # Neither is always the first.
    order = [checked, unchecked] if i % 2 else [unchecked, checked]
    result = {program: run(program) for program in order}
    for what in range(2):
        ratios[what].append(result[checked][what] / result[unchecked][what])
        times[what].append(result[checked][what])
for what, name in enumerate([f"index:n={n},b=8", f"barrier:n={n}"]):
    low, middle, high = statistics.quantiles(ratios[what], n=4)
    print(f"{name}: {statistics.median(times[what]):.1f} ns, "
          f"{middle:.3f} of the time without comparing ({low:.3f} ... {high:.3f})")
sys.exit(0 if statistics.median(ratios[0]) <= 1.03 else 1)
