"""kport tables: 30 cells for several sizes, the formulas worked out here, the schedules given to
`kport check --on` and `kport cost`, a reason for every difference.

usage: tables.py PROGRAM [full]
"""

import json
import math
import re
import sys

from tap import Tests, execute, said

program, full = sys.argv[1], "full" in sys.argv[2:]
tests = Tests()

TABLES = {1: ["bus", "shared-memory", "ring"], 2: ["torus", "hypercube", "switch"]}
OPERATIONS = ["one to one", "one to all", "all to all", "scatter", "multiscatter"]

# n, words, and the further options.
SIZES = [
    (16, 65536, {}),
    (16, 1000, {"beta": 7, "tau": 3}),
    (32, 1, {"at-once": 7}),
]
MORE = [(16, 1, {}), (32, 100000, {"at-once": 7}), (64, 4096, {"beta": 0, "at-once": 1}),
        (64, 1000000, {"beta": 5000}), (128, 12345, {"at-once": 15})]


def evaluate(formula, letters):
    """A formula as it is printed: a blank, or nothing before a bracket, is a product."""
    names = {"sqrt": math.sqrt, "ceil": math.ceil, "log": math.log2}
    text = formula.replace("^", "**")
    tokens = re.findall(r"N/b|k\*(?!\*)|\*\*|[A-Za-z]+|[0-9.]+|[-+*/()]", text)
    product = []
    for token in tokens:
        operand = token in letters or token[0].isdigit() or token in names or token == "("
        if product and operand and (product[-1] in letters or product[-1][0].isdigit() or product[-1] == ")"):
            product.append("*")
        product.append(token)
    words = [repr(float(letters[t])) if t in letters else t for t in product]
    return eval(" ".join(words), {"__builtins__": {}}, names)


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)


def call(n, words, options, *more):
    arguments = [program, "tables", "--n", n, "--words", words]
    for name, value in options.items():
        arguments += [f"--{name}", value]
    return execute(arguments + list(more))


def check_cells(table, name):
    cells = [(row["table"], row["architecture"], row["operation"]) for row in table["rows"]]
    expected = [(t, a, o) for t in TABLES for a in TABLES[t] for o in OPERATIONS]
    tests.check(len(cells) == 30 and cells == expected, f"{name}: 30 cells, none missing", cells)


def check_times(table, name):
    """Formulas, in both alphabets, and times."""
    beta, tau = table["beta"], table["tau"]
    here = {"n": table["n"], "M": table["words"], "beta": beta, "tau": tau, "a": table["at_once"]}
    paper = {"k": table["n"], "N/b": table["words"] * tau, "tau": beta, "k*": table["at_once"]}
    wrong = []
    for row in table["rows"]:
        times = [evaluate(row["formula"], here), evaluate(row["formula_in_paper"], paper)]
        for cost in [row["paper"], row["counted"], row["difference"]]:
            right = close(cost["time"], cost["startups"] * beta + cost["words"] * tau)
            wrong += [] if right else [(row["architecture"], row["operation"], cost)]
        if not all(close(time, row["paper"]["time"]) for time in times):
            wrong.append((row["architecture"], row["operation"], row["formula"], times))
        best = row["best_packets"]
        if best and not close(best["time"], evaluate(best["formula"], here)):
            wrong.append((row["architecture"], row["operation"], best))
    tests.check(not wrong, f"{name}: formulas and times", wrong)


def check_reasons(table, name):
    wrong, used = [], set()
    for row in table["rows"]:
        difference = {k: row["counted"][k] - row["paper"][k] for k in ["startups", "words", "time"]}
        same = all(close(difference[k], row["difference"][k]) for k in difference)
        there = abs(difference["startups"]) > 1e-4 or abs(difference["words"]) > 1e-4
        used |= set(row["slips"]) | set(row["reasons"])
        if not same or row["differs"] != there or bool(row["reasons"]) != there:
            wrong.append(row)
    tests.check(not wrong, f"{name}: every difference has a reason, nothing else has", wrong)
    numbers = set(range(1, len(table["notes"]) + 1))
    tests.check(used == numbers and all(table["notes"]), f"{name}: every note is used", used)


def check_schedules(table, name):
    """Each is accepted on its architecture, and costs there what `kport cost` counts; on the shared
    memory, where writing takes time but sends nothing, what comes out of dividing here."""
    n, a, words = table["n"], table["at_once"], table["words"]
    readers, all_turns, block = math.ceil((n - 1) / a), math.ceil(n / a), math.ceil(words / n)
    small = math.ceil(words / n**2)
    memory = {
        "one to one": (2, 2 * words),
        "one to all": (1 + readers, (1 + readers) * words),
        "all to all": (2 * all_turns, all_turns * n * block),
        "scatter": (1 + readers, (n - 1 + readers) * block),
        "multiscatter": (2 * all_turns, 2 * all_turns * (n - 1) * small),
    }
    wrong = []
    for row in table["rows"]:
        on = row["architecture"] + (f",at_once={a}" if row["architecture"] == "shared-memory" else "")
        checked = execute([program, "check", row["schedule"], "--on", on])
        cost = json.loads(execute([program, "cost", row["schedule"], "--json"]).stdout)
        expected = (cost["c1"], cost["c2"])
        if row["architecture"] == "shared-memory":
            expected = memory[row["operation"]]
        counted = (row["counted"]["startups"], row["counted"]["words"])
        if checked.returncode != 0 or counted != expected:
            wrong.append((row["schedule"], on, counted, expected, said(checked)))
    tests.check(not wrong, f"{name}: schedules are accepted and cost that", wrong)


def check_text(table, text, name):
    counted = re.findall(r"^    counted +(\S+) start-ups +(\S+) words", text, re.M)
    expected = [(row["counted"]["startups"], row["counted"]["words"]) for row in table["rows"]]
    same = [(float(s), float(w)) for s, w in counted] == expected
    tests.check(same, f"{name}: the text has the same 30 cells", text)
    differing = re.findall(r"^    difference.*$", text, re.M)
    lacking = [line for line in differing if not re.search(r"\[\d+\]", line)]
    right = len(differing) == sum(row["differs"] for row in table["rows"]) and not lacking
    tests.check(right, f"{name}: every difference in the text has a footnote", lacking)
    feet = re.findall(r"^\[(\d+)\] (.+)$", text, re.M)
    tests.check([note for _, note in feet] == table["notes"], f"{name}: the footnotes", feet)


def check_packets(table):
    """What is counted with the best whole number of packets is near the time for a real one."""
    cells = {(row["architecture"], row["operation"]): row for row in table["rows"]}
    for cell in [("ring", "one to all"), ("hypercube", "one to one"), ("hypercube", "one to all")]:
        best, time = cells[cell]["best_packets"]["time"], cells[cell]["counted"]["time"]
        tests.check(0.99 * best <= time <= 1.01 * best, f"best packets: {cell}", (best, time))
    for cell in [("ring", "one to one"), ("torus", "one to one"), ("switch", "one to all")]:
        best, time = cells[cell]["best_packets"]["time"], cells[cell]["counted"]["time"]
        tests.check(time < best, f"better than the best packets on one way: {cell}", (best, time))


for n, words, options in SIZES + MORE * full:
    name = f"n={n}, M={words}, {options}"
    result = call(n, words, options, "--json")
    if not tests.check(result.returncode == 0 and not result.stderr, name, said(result)):
        continue
    table = json.loads(result.stdout)
    check_cells(table, name)
    check_times(table, name)
    check_reasons(table, name)
    check_schedules(table, name)
    check_text(table, call(n, words, options).stdout, name)
    if (n, words) == (16, 65536):
        check_packets(table)
tests.end()
