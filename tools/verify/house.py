"""The house in figures, for some commits (HEAD if none is named).

usage: house.py [COMMIT...]

C files in the largest folder, and in the largest but lib/algorithms; headers of ports/ that lib/ includes;
functions and objects that the public headers declare. What stands in cycles is the test layers's to say, which
needs a build.
"""

import collections
import re
import subprocess
import sys


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def largest(names, but=()):
    folders = collections.Counter(name.rpartition("/")[0] or "." for name in names)
    folder, count = max(((f, c) for f, c in folders.items() if f not in but), key=lambda one: one[1])
    return f"{count} in {folder}"


for commit in sys.argv[1:] or ["HEAD"]:
    names = [name for name in git("ls-tree", "-r", "--name-only", commit).splitlines() if re.search(r"\.[ch]$", name)]
    seen, public = set(), set()
    for name in names:
        if name.startswith(("lib/", "include/")):
            text = git("show", f"{commit}:{name}")
            if name.startswith("lib/"):
                seen |= set(re.findall(r'#include "(ports/[^"]+)"', text))
            else:
                public |= set(re.findall(r"\bKP_API[^;{]*?\b(kp_\w+)\s*(?:\(|\[|;)", text))
    print(f"{commit}: C files in the largest folder: {largest(names)}; but lib/algorithms: "
          f"{largest(names, ['lib/algorithms'])}; headers of ports/ that lib/ includes: {len(seen)} "
          f"({', '.join(sorted(seen))}); public symbols: {len(public)}")  # fmt: skip
