"""Whether kport bench and peers say the same of kport, for the same problem: they time it by
programs of their own.

usage: agrees.py KPORT PEERS [ROUNDS [ROW...]]

Runs the two in turn, ROUNDS times each (9, at least 2), and prints of each row, all or those whose name contains
a ROW, the median of all batches of each, 50 ms of calls in both programs, and their ratio; in brackets
the quartiles and extremes of the ratios of neighbouring runs. Status 1 if a ratio is off by more than
10 %.
"""

import json
import statistics
import subprocess
import sys
import tempfile

kport, peers = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
named = sys.argv[4:]
AT_MOST = 1.10

# The row of peers, its contestant, and what kport bench calls it.
ROWS = [
    ("index:n=2,b=8,pinned", "kport", "index:n=2,b=8,pin=1"),
    ("index:n=64,k=63,b=8", "kport", "index:n=64,k=63,b=8"),
    ("index:n=64,k=63,b=8,fibers", "kport, fibers", "index:n=64,k=63,b=8,carrier=fibers,workers=2"),
    ("index:n=8,b=65536", "kport", "index:n=8,b=65536"),
    ("concat:n=8,b=65536", "kport", "concat:n=8,b=65536"),
    ("broadcast:n=64,b=4096", "kport", "broadcast:n=64,b=4096"),
    ("broadcast:n=64,b=4096", "kport, by mailboxes", "broadcast:n=64,b=4096,rounds=mailboxes"),
    ("gather:n=8,b=4096", "kport", "gather:n=8,b=4096"),
    ("barrier:n=64", "kport", "barrier:n=64"),
]


def by_peers(row, contestant):
    with tempfile.NamedTemporaryFile() as file:
        command = [peers, "--inside", "--row", row, "--contestant", contestant, "--repetitions", "5", "--json", file.name]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        found = [one for one in json.load(file)["rows"] if one["row"] == row]
    return found[0]["contestants"][0]["us"]


def by_bench(problem):
    done = subprocess.run([kport, "bench", problem, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["rows"][0]["batches_us"]


agrees = True
for row, contestant, problem in ROWS:
    if named and not any(name in problem for name in named):
        continue
    times = [], []
    for i in range(rounds):
        # Neither is always the first.
        for which in (0, 1) if i % 2 else (1, 0):
            times[which].append(by_bench(problem) if which == 0 else by_peers(row, contestant))
    ours, theirs = (statistics.median(sum(lists, [])) for lists in times)
    ratio = ours / theirs
    ratios = [statistics.median(one) / statistics.median(other) for one, other in zip(*times)]
    low, _, high = statistics.quantiles(ratios, n=4, method="inclusive")
    right = 1 / AT_MOST <= ratio <= AT_MOST
    agrees = agrees and right
    print(f"{problem:46} bench {ours:10.3f} us, peers {theirs:10.3f} us, ratio {ratio:.3f} "
          f"({low:.3f}-{high:.3f}, {min(ratios):.3f}-{max(ratios):.3f}): {'agrees' if right else 'DOES NOT AGREE'}",
          flush=True)  # fmt: skip
sys.exit(0 if agrees else 1)
