"""Whether kport bench and peers say the same of kport, for the same problem: they time it by
programs of their own.

usage: agrees.py KPORT PEERS [PAIRS [ROW...]]

Runs the two in turn, PAIRS times each (61, at least 10), about 60 ms of calls in every run. For each row,
all or those whose name contains a ROW, it prints of either's runs the first decile and, in brackets, the
median, and the ratio of both. Status 1 if a ratio of first deciles is off by more than 10 %.

Of deciles because a shared host changes its speed, up to twofold, for some tenths of a second to minutes:
that only ever adds time, and between programs that take turns medians fall into one speed or the other
by luck. What an undisturbed run takes is what the two have to agree on.
"""

import json
import statistics
import subprocess
import sys
import tempfile

kport, peers = sys.argv[1:3]
pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 61
named = sys.argv[4:]
AT_MOST = 1.10
REPETITIONS, BUDGET_MS = 3, 20

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
        command = [peers, "--inside", "--row", row, "--contestant", contestant, "--json", file.name]
        command += ["--repetitions", str(REPETITIONS), "--budget", str(BUDGET_MS)]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        found = [one for one in json.load(file)["rows"] if one["row"] == row]
    return statistics.median(found[0]["contestants"][0]["us"])


def by_bench(problem, calls):
    command = [kport, "bench", problem, "--json", "-i", str(calls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return statistics.median(json.loads(done.stdout)["rows"][0]["batches_us"])


def one_row(row, contestant, problem):
    calls = max(1, int(REPETITIONS * BUDGET_MS * 1e3 / by_peers(row, contestant)))
    times = [], []
    for i in range(pairs):
        # Neither is always the first.
        for which in (0, 1) if i % 2 else (1, 0):
            times[which].append(by_peers(row, contestant) if which else by_bench(problem, calls))
    deciles = [statistics.quantiles(runs, n=10, method="inclusive")[0] for runs in times]
    medians = [statistics.median(runs) for runs in times]
    ratio = deciles[0] / deciles[1]
    right = 1 / AT_MOST <= ratio <= AT_MOST
    print(f"{problem:46} bench {deciles[0]:8.3f} us ({medians[0]:8.3f}), "
          f"peers {deciles[1]:8.3f} us ({medians[1]:8.3f}), "
          f"ratio {ratio:.3f} ({medians[0] / medians[1]:.3f}): {'agrees' if right else 'DOES NOT AGREE'}",
          flush=True)  # fmt: skip
    return right


chosen = [row for row in ROWS if not named or any(name in row[2] for name in named)]
sys.exit(0 if all([one_row(*row) for row in chosen]) else 1)
