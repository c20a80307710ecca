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


def told(line):
    return re.sub(r"(verified: .* repeats) of \d+ calls$", r"\1", line)


# Listings show commands and what they print. Every line has to be printed, in this order, except
# those with times, which are the machine's, as is how many calls a repeat has, if more than one.
for listing in re.findall(r"```\n(\$ .*?)```", text, flags=re.S):
    for command, shown in re.findall(r"^\$ build/tools/kport (.*)\n((?:[^$].*\n|\n)*)", listing, flags=re.M):
        if not has_fibers and re.search(r"carrier=fibers|--interleave", command):
            continue  # this build refuses it, and says so
        result = execute([program] + command.split())
        lines = [line for line in shown.splitlines() if not re.search(r"\d us\b", line)]
        printed = iter([told(line) for line in result.stdout.splitlines()])
        missing = [line for line in lines if told(line) not in printed]
        right = result.returncode == 0 and len(lines) > 1 and not missing
        tests.check(right, f"kport {command} prints what is shown", f"{missing}\n{said(result)}")
tests.end()
