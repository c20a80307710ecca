"""kport predict and kport compare beside arithmetic that stands here: LogGP's time of a ring, of a tree and of an index
in one round, and the lengths at which another algorithm becomes the best.

usage: by_hand.py PROGRAM
"""

import csv
import fractions
import io
import json
import random
import sys

from tap import Tests, execute, said

program = sys.argv[1]
tests = Tests()


def output(*arguments):
    result = execute([program, *arguments])
    return result.stdout if result.returncode == 0 else said(result)


# --- LogGP ---

# L, o, g, G: gaps that are shorter than the overhead, between it and the rest of a message, and longer than all.
CONSTANTS = [(1.7, 0.31, 0.11, 0.0013), (5, 0.4, 0.9, 0.02), (0.8, 0.05, 6.5, 0.0005)]


def message(m, L, o, g, G):
    """The time from the start of a message of m bytes until it may be used."""
    return o + L + (m - 1) * G + o


def between(m, L, o, g, G):
    """The time between the starts of two messages on the longest chain. The second one begins when its sender may use
    the first one, or when its port is free after the sender's own message before it."""
    return (m - 1) * G + max(o + L + o, o, g)


def cases(b):
    """Problems, with the number of rounds on the longest chain; every message has b bytes."""
    for n in (2, 3, 7, 12):
        yield f"concat:n={n},k=1,b={b},alg=ring", n - 1
    for n, k in ((5, 2), (8, 2), (9, 2), (10, 3)):  # by two ports, one for each way around
        yield f"concat:n={n},k={k},b={b},alg=ring", n // 2
    for k in (1, 2, 3):
        for levels in (1, 2, 3):
            yield f"broadcast:n={(k + 1)**levels},k={k},b={b},alg=tree", levels
    for n in (2, 4, 9):
        yield f"index:n={n},k={n - 1},b={b},alg=radix,r={n}", 1


for constants in CONSTANTS:
    wrong, count = [], 0
    L, o, g, G = constants
    for b in (1, 30, 5000):
        for problem, rounds in cases(b):
            expected = (rounds - 1) * between(b, *constants) + message(b, *constants)
            # In these problems a sender that waits for its receiver waits for nothing else.
            for S in (0, 5000)[: 1 + (b > 1)]:
                text = output("predict", problem, "--engine", "loggp", "--network", f"flat,L={L},o={o},g={g},G={G},S={S}", "--csv")
                rows = list(csv.DictReader(io.StringIO(text)))
                count += 1
                if len(rows) != 1 or abs(float(rows[0].get("loggp_us") or 0) - expected) > 2e-9 * expected:
                    wrong.append((problem, S, expected, text))
    tests.check(not wrong and count >= 100, f"LogGP of {count} problems with L = {L}, o = {o}, g = {g}, G = {G}", wrong[:3])

# --- Where the best algorithm changes ---


def parameters_of(row, n):
    """All values of the parameters of an algorithm, of which it has at most one; those that do not serve go later."""
    names = [parameter["name"] for parameter in row["parameters"]]
    return [f"{names[0]}={value}" for value in range(1, n + 1)] if names else [""]


def costs_of(problem, row, n, unit):
    """C1, and C2 of an element, for each value of the parameters. None if some C2 is not in proportion to the length."""
    found = {}
    for values in parameters_of(row, n):
        way = row["algorithm"] + ("," + values if values else "")
        costs = [execute([program, "cost", f"{problem},b={b},alg={way}", "--json"]) for b in (unit, 720 * unit)]
        if any(result.returncode for result in costs):
            continue
        one, many = (json.loads(result.stdout) for result in costs)
        if one["c1"] != many["c1"] or 720 * one["c2"] != many["c2"]:
            return None
        found[way] = (one["c1"], one["c2"])
    return found


def compare_with_hand(operation, n, k, beta, tau, low, high, listed):
    """Returns what is wrong, and the number of changes."""
    unit = 8 if operation == "allreduce" else 1
    ways, names = {}, []
    for row in listed:
        found = costs_of(f"{operation}:n={n},k={k}", row, n, unit) if len(row["parameters"]) <= 1 else None
        ways |= found or {}
        names += [row["algorithm"]] if found else []
    text = output("compare", operation, "--n", n, "--k", k, "--beta", beta, "--tau", tau, "-m", f"{low}:{high}",
                  "-a", ",".join(names), "--json")  # fmt: skip
    try:
        data = json.loads(text)
    except ValueError:
        return [(operation, n, k, text)], 0
    # Whole numbers of 1e-6 us, so that equal times are equal.
    of_round, of_byte = (int(fractions.Fraction(text) * 10**6) for text in (beta, tau))
    times = [(way, c1 * of_round, c2 * of_byte) for way, (c1, c2) in ways.items()]

    def least(b):
        best = min(rounds + b // unit * bytes for _, rounds, bytes in times)
        return {way for way, rounds, bytes in times if rounds + b // unit * bytes == best}

    wrong, changes = [], data["changes"]
    rows = [row for row in data["rows"] if row["b"] == low and row["best"]]
    best = changes[0]["from"] if changes else rows[0]["problem"].split(",alg=")[1]
    starts = {change["b"]: change for change in changes}
    for b in range(low, max(row["b"] for row in data["rows"]) + 1, unit):
        change = starts.pop(b, None)
        if change:
            wrong += [(b, "a change too much", change)] if change["from"] != best or best in least(b) else []
            best = change["to"]
        wrong += [] if best in least(b) else [(b, best, least(b))]
    wrong += [("never reached", starts)] if starts else []
    for row in data["rows"]:
        way = row["problem"].split(",alg=")[1]
        wrong += [(row, "star")] if row["best"] != (way in least(row["b"])) else []
    return [(operation, n, k, beta, tau, *each) for each in wrong], len(changes)


algorithms = json.loads(output("list", "--json"))["algorithms"]
numbers, changes, wrong = random.Random(23), 0, []
for i in range(10):
    operation = ("index", "concat", "index", "allreduce", "index")[i % 5]
    n, k = numbers.randrange(6, 14), numbers.randrange(1, 3)
    beta = numbers.uniform(0.5, 20)
    tau = beta / 10 ** numbers.uniform(2, 3.5)
    beta, tau = f"{beta:.3f}", f"{tau:.6f}"
    listed = [row for row in algorithms if row["operation"] == operation and "hierarchical" not in row["algorithm"]]
    errors, count = compare_with_hand(operation, n, k, beta, tau, 8, 2048, listed)
    changes += count
    wrong += errors
tests.check(not wrong and changes > 10, f"{changes} changes of the best, for 10 sets of n, k, beta and tau", wrong[:5])

# Both take one round and send one block, so they are equal.
rows = json.loads(output("compare", "index", "--n", "2", "-m", "8:16", "--json"))["rows"]
tests.check(len(rows) > 3 and sum(row["best"] for row in rows) > 2, "equal times have a star each", rows)
tests.end()
