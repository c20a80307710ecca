"""Shows the use of each public function: lines of a program of the repository that calls it. All of these are
compiled and run by tests.
"""

import re
import textwrap

# Where to look, programs to read first.
PLACES = ["examples/*.c", "tests/apps/*.c", "tools/kport/**/*.c", "tests/*/test_*.c"]
WITHOUT = ("tests/misuse/", "tests/fuzz/", "tests/wrong/")
AROUND = 2
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def plain(source):
    """A program's lines without comments, each in its place."""
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source).splitlines()


def statement(lines, at):
    """The first and the last line of the statement that has line `at`."""
    first, last = at, at
    while first > 0 and lines[first - 1].strip() and not lines[first - 1].rstrip().endswith((";", "{", "}", ":")):
        first -= 1
    while last + 1 < len(lines) and not lines[last].rstrip().endswith((";", "{")):
        last += 1
    return first, last


def excerpt(lines, at):
    """The statement with some lines around it, as far as its function goes."""
    first, last = statement(lines, at)
    before, after = first, last
    while before > max(0, first - AROUND) and lines[before - 1].startswith(" "):
        before -= 1
    while after + 1 < min(len(lines), last + AROUND + 1) and lines[after + 1].startswith(" "):
        after += 1
    # Neither the end of the block before, nor a condition without what it leads to.
    while before < first and lines[before].strip() == "}":
        before += 1
    while after > last and re.match(r"\s*(if|for|while|else|switch|case)\b.*[^;]$", lines[after].rstrip()):
        after -= 1
    shown = [line.rstrip() for line in lines[before : after + 1]]
    return textwrap.dedent("\n".join(line for line in shown if line))


def first_use(name, lines, pattern):
    """The first line that calls the function: indented, and no definition."""
    call = re.compile(r"^\s.*" + pattern.format(name))
    return next((at for at, line in enumerate(lines) if call.search(line) and "#define" not in line), None)


def of(names, root, places=PLACES, pattern=r"\b{}\("):
    """For each name its lines and the file that has them. `pattern` finds a use of a name."""
    found = {}
    for place in places:
        for path in sorted(root.glob(place)):
            shown = path.relative_to(root).as_posix()
            if shown.startswith(WITHOUT):
                continue
            text = path.read_text()
            lines = plain(text)
            for name in [name for name in names if name not in found and name in text]:
                at = first_use(name, lines, pattern)
                if at is not None:
                    found[name] = (excerpt(lines, at), shown)
    return found
