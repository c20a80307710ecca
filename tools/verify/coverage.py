"""What gcovr's JSON says of lib/ and ports/: a line for each file that is not run in full, the
figure, and every branch of a folder that was never taken and has no mark.

usage: coverage.py GCOVR_JSON LEAST_PER_CENT [FOLDER]

A mark is a comment in the source that says why the tests do not take a branch:

    untaken: REASON         no test takes it
    seldom taken: REASON    some runs of the tests take it, others do not

A mark at the end of a line covers this line. A mark in a comment that stands alone covers the code
below it, as far as the first line that ends with `;`, `{` or `)`.

Status 1 if less of the lines was run, a branch was never taken and has no mark, an `untaken` covers no
such branch of a line that was run, or a `seldom taken` covers no branch at all. Without FOLDER lines
alone are looked at.
"""

import json
import pathlib
import re
import sys

# Strings and characters are found too, so that no comment begins in one.
COMMENT = re.compile(r"""(?P<comment>/\*.*?\*/)|(["'])(?:\\.|(?!\2)[^\\\n])*\2""", re.S)
MARK = re.compile(r"\b(untaken|seldom taken): \w", re.I)


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


def branches_of(data):
    """By file and line: how many branches were never taken, and how many there are. Of a line that was
    never run none are counted: the branch that does not lead to it tells."""
    found = {}
    for file in data["files"]:
        lines = found[file["file"]] = {}
        for line in lines_of(file):
            if line["branches"]:
                never, of = lines.get(line["line_number"], (0, 0))
                counted = line["branches"] if line["count"] else []
                never += sum(branch["count"] == 0 for branch in counted)
                lines[line["line_number"]] = (never, of + len(counted))
    return found


def code_below(code, line):
    """The numbers of the lines that a mark covers which stands alone and ends in line number `line`. `code`
    has no comments."""
    last = line
    while last < len(code) - 1 and not code[last].rstrip().endswith((";", "{", ")")):
        last += 1
    return set(range(line + 1, last + 2))


def marks_of(source):
    """Of each mark: the number of its line, its kind and the numbers of the lines that it covers."""
    code = COMMENT.sub(lambda found: "\n" * found[0].count("\n") if found["comment"] else found[0], source)
    code = code.split("\n")
    for found in COMMENT.finditer(source):
        mark = MARK.search(re.sub(r"[\s*]+", " ", found["comment"] or ""))
        if mark:
            line = source.count("\n", 0, found.start()) + 1
            alone = not code[line - 1].strip()
            covers = code_below(code, line + found[0].count("\n")) if alone else {line}
            yield line, mark[1].lower(), covers


def all_explained(branches, folder):
    """Compares the branches with the marks in a folder's files, and says where they differ."""
    unexplained, stale, rows = [], [], []
    for path in sorted(pathlib.Path(folder).rglob("*.[ch]")):
        source, lines, explained = path.read_text(), branches.get(str(path), {}), set()
        text = source.split("\n")
        never = {number for number, row in lines.items() if row[0]}
        for number, kind, covers in marks_of(source):
            explained |= covers
            if covers.isdisjoint(never if kind == "untaken" else lines):
                stale.append(f"{path}:{number}: explained, but no such branch: {text[number - 1].strip()}")
        for number in sorted(never - explained):
            unexplained.append(f"{path}:{number}: {lines[number][0]} of {lines[number][1]} branches never taken, "
                               f"and not explained: {text[number - 1].strip()}")  # fmt: skip
        rows += lines.values()
    for found in unexplained + stale:
        print(found)
    print(f"branches of {folder}/: {sum(row[0] for row in rows)} of {sum(row[1] for row in rows)} never taken, "
          f"on {sum(row[0] > 0 for row in rows)} lines; {len(unexplained)} not explained, "
          f"{len(stale)} explanations without a branch")  # fmt: skip
    return not unexplained and not stale


def main():
    data, least = json.loads(pathlib.Path(sys.argv[1]).read_text()), float(sys.argv[2])
    data["files"].sort(key=lambda file: file["file"])
    explained = len(sys.argv) < 4 or all_explained(branches_of(data), sys.argv[3])
    sys.exit(0 if share_of_lines(data) >= least and explained else 1)


main()
