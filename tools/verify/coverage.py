"""What gcovr's JSON says of lib/ and ports/: a line for each file that is not run in full, the
figure, and every branch of ports/ that was not taken and is not explained.

usage: coverage.py GCOVR_JSON LEAST_PER_CENT [EXPLANATIONS]
Status 1 if less of the lines was run, a branch has no explanation, or an explanation no branch;
without EXPLANATIONS lines alone are looked at.
"""

import json
import pathlib
import re
import sys


def lines_of(file):
    return [line for line in file["lines"] if not line.get("gcovr/noncode") and not line.get("gcovr/excluded")]


def ranges(numbers):
    """1, 2, 3, 7 as "1-3 7"."""
    found = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def share_of_lines(data):
    """Per cent of all, after a line for each file that was not run in full."""
    sums = {"lib": [0, 0], "ports": [0, 0]}
    for file in data["files"]:
        numbers = {line["line_number"] for line in lines_of(file)}
        missed = sorted(numbers - {line["line_number"] for line in lines_of(file) if line["count"]})
        layer = sums[file["file"].split("/")[0]]
        layer[0] += len(numbers) - len(missed)
        layer[1] += len(numbers)
        if missed:
            print(f"{file['file']}: {len(missed)} of {len(numbers)} lines never run: {ranges(missed)}")
    run, lines = (sum(column) for column in zip(*sums.values()))
    percent = 100 * run / lines if lines else 0
    each = ", ".join(f"{name}/ {100 * a / b:.1f} %" for name, (a, b) in sums.items() if b)
    print(f"coverage: {percent:.1f} % of {lines} lines ({each})")
    return percent


def function_of_each(source):
    """The function that each line is in: the last one whose first line stands at the margin."""
    inside, functions = "", []
    for line in source:
        starts = re.match(r"(?!typedef|#)(?:[A-Z_]+ )?[a-z][^;=]*?(\w+)\)?\(", line)
        inside = starts.group(1) if starts else inside
        functions.append(inside)
    return functions


def branches_of(data):
    """By "FILE: FUNCTION: TEXT OF THE LINE": the line's number and how many branches were never taken
    of how many. Lines that were never run are told by the branch that does not lead to them."""
    found = {}
    for file in data["files"]:
        name = file["file"]
        if not name.startswith("ports/"):
            continue
        source = pathlib.Path(name).read_text().splitlines()
        functions = function_of_each(source)
        for line in lines_of(file):
            number, branches = line["line_number"], line["branches"]
            if not branches or not line["count"]:
                continue
            never = sum(branch["count"] == 0 for branch in branches)
            key = f"{name}: {functions[number - 1]}: {source[number - 1].strip()}"
            found.setdefault(key, []).append((number, never, len(branches)))
    return found


def explanations_of(path):
    """The lines that are explained, and of these the ones that a run now and then takes: "?"."""
    explained, sometimes = set(), set()
    for line in pathlib.Path(path).read_text().splitlines():
        key = line.removeprefix("? ")
        if key.startswith("ports/"):
            explained.add(key)
            if key != line:
                sometimes.add(key)
    return explained, sometimes


def compare(branches, explained, sometimes):
    never = {key: [row for row in rows if row[1]] for key, rows in branches.items()}
    never = {key: rows for key, rows in never.items() if rows}
    unexplained = sorted(set(never) - explained)
    stale = sorted(key for key in explained if key not in (branches if key in sometimes else never))
    for key in unexplained:
        for number, count, of in never[key]:
            print(f"never taken, and not explained, line {number}, {count} of {of}:\n{key}")
    for key in stale:
        print(f"explained, but there is no such branch, or it is taken:\n{key}")
    print(f"branches of ports/: {sum(row[1] for rows in never.values() for row in rows)} of "
          f"{sum(row[2] for rows in branches.values() for row in rows)} never taken, on {len(never)} lines; "
          f"{len(unexplained)} not explained, {len(stale)} explanations without a branch")  # fmt: skip
    return not unexplained and not stale


def main():
    data, least = json.loads(pathlib.Path(sys.argv[1]).read_text()), float(sys.argv[2])
    data["files"].sort(key=lambda file: file["file"])
    all_explained = len(sys.argv) < 4 or compare(branches_of(data), *explanations_of(sys.argv[3]))
    sys.exit(0 if share_of_lines(data) >= least and all_explained else 1)


main()
