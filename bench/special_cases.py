"""What each special case gains: kport's rows of peers with it and without it, in turns.

usage: special_cases.py [OPTION...] [NAME...]    those of ports/without.h, all or the named ones
  --pairs N        runs with and without it of each row (15, at least 5)
  --budget MS      of a repetition, of which a run has three (20)
  --json FILE      everything that was measured, as JSON
  --document FILE  writes the gains into the table of that document
  --list           the cases, and the rows that are relevant to each
  --builds         what is to be built: a folder and what it is built without, a line each

A gain is the median, over the pairs, of the time without the case by the time with it; beside it the
bounds above and below which that median lies by 95 % each. A case is worth keeping if some row gains
8 %. Which rows are relevant to a case stands in ROWS below, and nowhere else. tools/dev bench
special-cases builds what is needed, and then runs this.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
WANTED = 1.08
REPETITIONS = 3

# Contestants of peers.
PLAIN, PINNED, MAIL, FIBERS = "kport", "kport, pinned", "kport, by mailboxes", "kport, fibers"
TURNS, TURNS_PINNED, TURNS_MAIL, TURNS_FIBERS = (
    "kport, by turns" + form for form in ["", ", pinned", ", by mailboxes", ", fibers"])
TWO, MANY = "index:n=2,b=8,pinned", "index:n=64,k=63,b=8"
PAST_CACHE = [("index:n=8,b=1048576", PLAIN), ("index:n=64,b=65536", PLAIN),
              ("scatter:n=8,b=1048576", PLAIN), ("gather:n=64,b=1048576", PLAIN)]
OF_TWO = [(TWO, PLAIN), ("broadcast:n=2,b=8,pinned", PLAIN), ("scatter:n=2,b=8,pinned", PLAIN),
          ("gather:n=2,b=8,pinned", PLAIN), ("programs:two,n=2", TURNS)]
OF_FIBERS = [("barrier:n=4096,fibers", FIBERS), (MANY + ",fibers", FIBERS),
             ("programs:five,n=64,fibers", TURNS_FIBERS)]
SHARING = [("barrier:n=64", PLAIN), (MANY, PLAIN), ("gather:n=8,b=8", PLAIN),
           ("programs:five,n=8", TURNS)]
SHARING_PINNED = [("barrier:n=64", PINNED), (MANY, PINNED), ("gather:n=64,b=8", PINNED),
                  ("programs:five,n=8", TURNS_PINNED)]
LONG_PINNED = [("index:n=8,b=65536", PINNED), ("concat:n=8,b=65536", PINNED),
               ("index:n=64,b=65536", PINNED), ("scatter:n=8,b=1048576", PINNED)]
OF_MESSAGES = [("ping-pong:n=2,b=8,pinned", PLAIN), ("window:n=2,b=8,pinned", PLAIN)]
FOUND_AGAIN = [(TWO, PLAIN), (MANY + ",fibers", FIBERS), ("programs:five,n=2", TURNS),
               ("programs:sixteen,n=2", TURNS), ("programs:sixteen,n=64,fibers", TURNS_FIBERS)]

# The one table of what is relevant to what.
ROWS = {
    "plain-key": FOUND_AGAIN,
    "kept-code": [*FOUND_AGAIN, (MANY, PLAIN)],
    "one-message": [*OF_TWO, ("broadcast:n=64,b=8", PLAIN), ("gather:n=64,b=8", PLAIN),
                    ("scatter:n=64,b=8", PINNED), ("programs:five,n=2", TURNS)],
    "of-two": OF_TWO,
    "joined": [(MANY, PLAIN), (MANY + ",fibers", FIBERS), ("programs:five,n=64", TURNS)],
    "folded": [("programs:two,n=64", TURNS), ("programs:two,n=64,fibers", TURNS_FIBERS),
               ("programs:five,n=64,fibers", TURNS_FIBERS), ("programs:sixteen,n=64,fibers", TURNS_FIBERS)],
    "moves-meanwhile": [(TWO, PLAIN), ("index:n=8,b=65536", PLAIN), ("concat:n=8,b=65536", PLAIN),
                        ("index:n=8,b=1048576", PLAIN), ("gather:n=2,b=4096,pinned", PLAIN)],
    "short-requests": [("index:n=2,b=8,pinned,started", PLAIN), ("index:n=8,b=8,started", PLAIN),
                       ("index:n=2,b=8,fibers,started", FIBERS), ("index:n=8,b=8,fibers,started", FIBERS)],
    "puts": [("gather:n=2,b=1048576,pinned", PLAIN), ("gather:n=8,b=1048576", PLAIN),
             ("gather:n=8,b=1048576", PINNED), ("gather:n=64,b=1048576", PLAIN)],
    "halves": [("broadcast:n=2,b=1048576,pinned", PLAIN), ("scatter:n=2,b=1048576,pinned", PLAIN),
               ("broadcast:n=8,b=1048576", PLAIN), ("broadcast:n=64,b=1048576", PLAIN)],
    "together": LONG_PINNED,
    "backwards": LONG_PINNED,
    "eight-bytes": [(MANY, PLAIN), (MANY + ",fibers", FIBERS), *OF_TWO],
    "stream-64": PAST_CACHE,
    "stream-16": PAST_CACHE,
    "stream-ahead": PAST_CACHE,
    "long-buffer": [("scatter:n=8,b=4096", PLAIN), ("scatter:n=64,b=4096", PLAIN),
                 ("scatter:n=8,b=4096,batch", MAIL), ("programs:sixteen,n=64", TURNS)],
    "odd-buffers": [("gather:n=64,b=4096", PLAIN), (MANY, PLAIN), (MANY + ",fibers", FIBERS)],
    "near-buffer": OF_TWO,
    "in-box": [("broadcast:n=8,b=8,batch", MAIL), ("gather:n=8,b=8,batch", MAIL),
               ("scatter:n=2,b=8,pinned,batch", MAIL), ("programs:five,n=8", TURNS_MAIL)],
    "pair": [("barrier:n=2,pinned", PLAIN), *OF_TWO],
    "kept-on-cores": SHARING,
    "core-sets": SHARING_PINNED,
    "worker-sets": OF_FIBERS,
    "fetch-to-write": [("barrier:n=2,pinned", PLAIN), *OF_TWO],
    "asymmetric": OF_MESSAGES,
    "looks": [("barrier:n=2,pinned", PLAIN), *OF_TWO],
    "early-yields": SHARING,
    "longer-yields": [("apps:gauss,n=2", PLAIN), ("barrier:n=2,pinned", PLAIN), ("index:n=2,b=8,pinned", PLAIN),
                      ("programs:sixteen,n=2", TURNS)],
    "last-looks": SHARING_PINNED,
    "fiber-ahead": OF_FIBERS,
    "fiber-spins": OF_FIBERS,
}  # fmt: skip
# What another case would hide is measured without that one, on both sides.
ALSO_WITHOUT = {"stream-16": "stream-64"}


def left_out(name):
    """Of both sides: what is left out, by commas."""
    base = ALSO_WITHOUT.get(name, "")
    return base, ",".join(filter(None, [base, name]))


def folder_of(without):
    return "build-bench" + (f"-without-{without.replace(',', '-')}" if without else "")


def bound_of_median(count):
    """As in run_row.c: which of so many in order is, by 95 %, not below the median; None: too few."""
    term, below = 0.5**count, 0.0
    for i in range(count):
        below += term
        if below >= 0.95:
            return i
        term *= (count - i) / (i + 1)
    return None


def median_and_bounds(ratios):
    ordered, bound = sorted(ratios), bound_of_median(len(ratios))
    return statistics.median(ordered), ordered[len(ordered) - 1 - bound], ordered[bound]


def microseconds(without, row, contestant, environment, budget):
    """Of a call; None if that contestant is not here."""
    folder = root / folder_of(without) / "bench"
    with tempfile.NamedTemporaryFile() as file:
        command = [folder / "peers", "--inside", "--row", row, "--contestant", contestant,
                   "--repetitions", str(REPETITIONS), "--budget", str(budget), "--json", file.name]  # fmt: skip
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
        found = [one for one in json.load(file)["rows"] if one["row"] == row]
    here = found[0]["contestants"] if found else []
    if any("failed" in one.get("note", "") for one in here):
        sys.exit(f"special_cases.py: {folder_of(without)}: {row}: {here[0]['note']}")
    return statistics.median(here[0]["us"]) if here and here[0]["us"] else None


def measure_row(name, row, contestant, options):
    """The row as it goes into JSON; None if it cannot be had here."""
    # A profile that kport tune has left on this machine is no part of it.
    environment = dict(os.environ, KPORT_TUNE="builtin")
    sides, times = left_out(name), ([], [])
    for pair in range(options.pairs):
        # Neither is always the first.
        for side in (0, 1) if pair % 2 == 0 else (1, 0):
            time = microseconds(sides[side], row, contestant, environment, options.budget)
            if time is None:
                return None
            times[side].append(time)
    ratios = [without / with_it for with_it, without in zip(*times)]
    median, low, high = median_and_bounds(ratios)
    return {"row": row, "contestant": contestant, "us_with": times[0], "us_without": times[1],
            "ratios": ratios, "median": median, "low": low, "high": high}  # fmt: skip


def largest_of(rows):
    return max(rows, key=lambda row: row["median"], default=None)


def verdict_of(rows):
    largest = largest_of(rows)
    if largest is None:
        return "not to be measured here"
    gains = largest["median"] >= WANTED
    certain = largest["low"] >= WANTED if gains else largest["high"] < WANTED
    return f"{'8 % or more' if gains else 'less than 8 %'}{'' if certain else ', not certain'}"


def measure(name, options):
    measured = []
    for row, contestant in ROWS[name]:
        print(f"special-cases: {name}: {row} [{contestant}]", file=sys.stderr, flush=True)
        measured.append(measure_row(name, row, contestant, options))
    rows = [row for row in measured if row]
    return {"case": name, "also_without": ALSO_WITHOUT.get(name), "rows": rows,
            "verdict": verdict_of(rows)}  # fmt: skip


def cells_of(case):
    """Of the table: the row with the largest gain, the gain with its bounds, and the verdict."""
    largest = largest_of(case["rows"])
    if largest is None:
        return "—", "—", case["verdict"]
    gain = f"{largest['median']:.2f} ({largest['low']:.2f}–{largest['high']:.2f})"
    form = largest["contestant"].removeprefix("kport").removeprefix(", by turns").strip(", ")
    return f"`{largest['row']}`{', ' + form if form else ''}", gain, case["verdict"]


def processor():
    """As the system names it, with its family and model: a name may be that of several generations."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    told = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", text, re.M))
    name = told.get("model name", os.uname().machine)
    numbers = [f"{key.removeprefix('cpu ')} {told[key]}" for key in ["cpu family", "model"] if key in told]
    return ", ".join([name, *numbers, f"{len(os.sched_getaffinity(0))} cores"])


def taken_on(options):
    return f"{processor()}, {options.pairs} pairs"


def check_document(options):
    """One document tells of one processor: some cases alone are not measured anew on another one."""
    if options.pairs < 15:
        sys.exit("special-cases: --document wants 15 pairs or more")
    if len(options.names) < len(ROWS) and f"\nGains: {taken_on(options)}.\n" not in options.document.read_text():
        sys.exit(f"special-cases: the gains in {options.document} were not taken on {taken_on(options)}: "
                 "all have to be measured, not some")  # fmt: skip


def write_document(path, cases, where):
    """The last three cells of each case's line, and the line that says where they were taken."""
    text = path.read_text()
    for case in cases:
        line = re.compile(rf"^(\| `{case['case']}` \|.*?\|.*?\|).*$", re.M)
        gained = " | ".join(cells_of(case))
        text, found = line.subn(lambda known: f"{known.group(1)} {gained} |", text)
        if found != 1:
            sys.exit(f"special_cases.py: {path} has {found} lines for {case['case']}")
    text = re.sub(r"^Gains: .*$", lambda _: f"Gains: {where}.", text, flags=re.M)
    path.write_text(text)


def arguments():
    parser = argparse.ArgumentParser(prog="tools/dev bench special-cases", usage=__doc__.replace("%", "%%"),
                                     add_help=False)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--budget", type=float, default=20)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--document", type=pathlib.Path)
    for flag in ["list", "builds", "help"]:
        parser.add_argument(f"--{flag}", action="store_true")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in ROWS]
    if unknown:
        parser.exit(2, f"special-cases: \"{unknown[0]}\" is none of them; --list tells them\n")
    if options.pairs < 5:
        parser.exit(2, f"special-cases: --pairs is {options.pairs}; it may be 5 or more\n")
    options.names = options.names or list(ROWS)
    return options


def main():
    options = arguments()
    if options.builds:
        asked = [] if options.help or options.list else options.names
        for without in sorted({side for name in asked for side in left_out(name)}):
            print(folder_of(without), without)
    elif options.help:
        print(__doc__, end="")
    elif options.list:
        for name in options.names:
            print(name)
            for row, contestant in ROWS[name]:
                print(f"  {row} [{contestant}]")
    if options.builds or options.help or options.list:
        return
    if options.document:
        check_document(options)
    print(f"Without by with, medians of pairs and their 95 % bounds: {taken_on(options)}.\n")
    print("| case | row with the largest gain | gain | verdict |\n|---|---|---|---|", flush=True)
    cases = []
    for name in options.names:
        cases.append(measure(name, options))
        print(f"| `{name}` | {' | '.join(cells_of(cases[-1]))} |", flush=True)
        if options.json:  # after every case, so that a run that is interrupted leaves what it has
            options.json.write_text(json.dumps({"processor": processor(), "pairs": options.pairs,
                                                "wanted": WANTED, "cases": cases}, indent=1))
    if options.document:
        write_document(options.document, cases, taken_on(options))


main()
