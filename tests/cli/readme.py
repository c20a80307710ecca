"""The README says what is so: its program is examples/embed.c, its commands and files exist.

usage: readme.py SOURCE_FOLDER PROGRAM
"""

import os
import pathlib
import re
import sys

from tap import Tests, execute, said

root = pathlib.Path(sys.argv[1])
program = sys.argv[2]
tests = Tests()
os.environ["KPORT_TUNE"] = "builtin"  # what kport explain prints is not that of a profile left here

text = (root / "README.md").read_text()
listings = re.findall(r"```c\n(.*?)```", text, flags=re.S)
embed = (root / "examples" / "embed.c").read_text()
tests.check(embed in listings, "its program is examples/embed.c, letter by letter")

used = set(re.findall(r"tools/dev ([a-z]+)", text))
described = execute([root / "tools" / "dev", "help"])
known = {"help"} | set(re.findall(r"^\W*(?:tools/dev )?([a-z]+)\b", described.stdout, flags=re.M))
tests.check(used and used <= known, "its tools/dev commands exist", sorted(used - known))

linked = [target for target in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in target]
gone = [target for target in linked if not (root / target).exists()]
tests.check(not gone, "its links lead somewhere", gone)

has_fibers = "switched by" in execute([program, "--version"]).stdout


CUT = "…"


def told(line):
    """A line without what is the machine's: times, and how many calls a repeat has, if more than one."""
    line = re.sub(r"(verified: .* repeats) of \d+ calls$", r"\1", line)
    return re.sub(r"[\d.]+", "0", line) if re.search(r"\d us\b", line) else line


def misfit(shown, printed):
    """The first line shown that does not stand there, or what is left out without a line "…"; None if
    all fits. A line "…" stands for one line or more."""
    at = 0
    shown, printed = [told(line) for line in shown], [told(line) for line in printed]
    for i, line in enumerate(shown):
        if line == CUT:
            continue
        end = printed.index(line, at) if line in printed[at:] else -1
        if end < 0:
            return f"not printed: {line}"
        if (end > at) != (i > 0 and shown[i - 1] == CUT):
            return f"'{CUT}' is wanted exactly where lines are left out: before {line}"
        at = end + 1
    if (at < len(printed)) != (shown[-1:] == [CUT]):
        return f"'{CUT}' is wanted exactly where lines are left out: at the end"
    return None


for shown, printed, fits in [
    ("a b c", "a b c", True),
    ("a … c", "a b c", True),
    ("a …", "a b c", True),
    ("… c", "a b c", True),
    ("a c", "a b c", False),
    ("a b", "a b c", False),
    ("b c", "a b c", False),
    ("a … b c", "a b c", False),
    ("a b c …", "a b c", False),
    ("a x c", "a b c", False),
]:
    right = (misfit(shown.split(), printed.split()) is None) == fits
    tests.check(right, f"of {printed}, {shown} {'fits' if fits else 'does not fit'}")

# Listings show commands and what they print.
for listing in re.findall(r"```\n(\$ .*?)```", text, flags=re.S):
    for command, shown in re.findall(r"^\$ build/tools/kport (.*)\n((?:[^$].*\n|\n)*)", listing, flags=re.M):
        if not has_fibers and re.search(r"carrier=fibers|--interleave", command):
            continue  # this build refuses it, and says so
        result = execute([program] + command.split())
        wrong = misfit(shown.splitlines(), result.stdout.splitlines())
        right = result.returncode == 0 and not wrong
        tests.check(right, f"kport {command} prints what is shown", f"{wrong}\n{said(result)}")
tests.end()
