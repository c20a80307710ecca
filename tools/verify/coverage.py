"""What gcovr's JSON says of lib/ and ports/: a line for each file that is not run in full, the
figure, and a list of every branch of ports/ that was not taken.

usage: coverage.py GCOVR_JSON LIST_OF_BRANCHES LEAST_PER_CENT
Status 1 if less of the lines was run.
"""

import json
import pathlib
import sys


def of_file(file):
    """Lines that count, those never run, and the branches never taken as "line: how many of"."""
    lines = [line for line in file["lines"] if not line.get("gcovr/noncode") and not line.get("gcovr/excluded")]
    missed = sorted({line["line_number"] for line in lines if line["count"] == 0})
    numbers = {line["line_number"] for line in lines}
    branches = []
    for line in lines:
        all_of_it = line["branches"]
        never = sum(branch["count"] == 0 for branch in all_of_it)
        if never and line["count"]:
            branches.append((line["line_number"], never, len(all_of_it)))
    return numbers, missed, branches


def ranges(numbers):
    """1, 2, 3, 7 as "1-3 7"."""
    found = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def main():
    data, listed, least = json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2], float(sys.argv[3])
    sums = {"lib": [0, 0], "ports": [0, 0]}
    branches_missed = []
    for file in sorted(data["files"], key=lambda file: file["file"]):
        name = file["file"]
        numbers, missed, branches = of_file(file)
        layer = sums[name.split("/")[0]]
        layer[0] += len(numbers) - len(missed)
        layer[1] += len(numbers)
        if missed:
            print(f"{name}: {len(missed)} of {len(numbers)} lines never run: {ranges(missed)}")
        if name.startswith("ports/"):
            source = pathlib.Path(name).read_text().splitlines()
            branches_missed += [f"{name}:{line}: {never} of {of}: {source[line - 1].strip()}\n"
                                for line, never, of in branches]  # fmt: skip
    pathlib.Path(listed).write_text("".join(branches_missed))
    run, lines = (sum(column) for column in zip(*sums.values()))
    percent = 100 * run / lines if lines else 0
    each = ", ".join(f"{name}/ {100 * a / b:.1f} %" for name, (a, b) in sums.items() if b)
    print(f"coverage: {percent:.1f} % of {lines} lines ({each}); {len(branches_missed)} lines of ports/ "
          f"with branches never taken: {listed}")  # fmt: skip
    sys.exit(0 if lines and percent >= least else 1)


main()
