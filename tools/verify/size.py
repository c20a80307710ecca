"""Lines of the files that execute, of some commits (HEAD if none is named), comments and all.

usage: size.py [COMMIT...]

They are ports/, and lib/ without what is there before anything is executed: algorithms, topologies,
schedules and how they are built, checked, counted, drawn and chosen, problem strings and profiles; and
without routing, which is made of calls.
"""

import re
import subprocess
import sys

BEFORE_EXECUTION = re.compile(
    r"lib/(algorithms|draw|route|topology)/|lib/(?:\w+/)?(arena|arithmetic|bounds|builder|candidates|check|contributions|cost|draw"
    r"|drawing|fields|intervals|json|lengths_check|match|mirror|predict|problem|profile|replay|round|schedule|stamp"
    r"|symmetry|trials|tune|vector|verdict)\w*\.[ch]$")  # fmt: skip


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


for commit in sys.argv[1:] or ["HEAD"]:
    files = [name for name in git("ls-tree", "-r", "--name-only", commit, "--", "lib", "ports").splitlines()
             if re.search(r"\.[ch]$", name) and not BEFORE_EXECUTION.match(name)]  # fmt: skip
    lines = {name: git("show", f"{commit}:{name}").count("\n") for name in files}
    ports = sum(count for name, count in lines.items() if name.startswith("ports/"))
    print(f"{commit}: {sum(lines.values())} lines, {ports} of them in ports/, in {len(lines)} files")
