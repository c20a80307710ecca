"""What it costs that every round is recorded: index of 1 KiB among 64 processors.

usage: tracing.py PROGRAM [PAIRS]

Runs it with and without a trace in turns, on threads and on fibers, with the ports of the main job
and with all, and prints the median of the ratios of neighbouring turns with its quartiles. Status 1
if any costs more than 5 %.
"""

import statistics
import subprocess
import sys

program = sys.argv[1]
pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 201
# n, k, carrier, calls a turn: a few thousandths of a second.
JOBS = [(64, 4, "threads", 6), (64, 63, "threads", 12), (64, 4, "fibers", 16), (64, 63, "fibers", 24)]
MOST = 1.05

worst = 0
for n, k, carrier, calls in JOBS:
    arguments = [str(number) for number in (n, k, carrier, calls, pairs)]
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    turns = [[float(number) for number in line.split()] for line in done.stdout.splitlines()]
    ratios = [on / off for off, on in turns]
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(f"index:n={n},k={k},b=1024,carrier={carrier}: "
          f"{statistics.median(off for off, _ in turns):.0f} us without a trace, "
          f"{middle:.3f} of that with it ({low:.3f} ... {high:.3f})")
    worst = max(worst, middle)
sys.exit(0 if worst <= MOST else 1)
