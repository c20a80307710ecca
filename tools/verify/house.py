"""The house in figures, for some commits (HEAD if none is named).

usage: house.py [COMMIT...]

C files in the largest folder, and in the largest but lib/algorithms; headers of ports/ that lib/ includes;
files of lib/ that stand in a cycle of calls; functions and objects that the public headers declare. The cycles
are found in the symbols of objects, so the files of lib/ are compiled, which takes half a minute a commit.
"""

import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def largest(names, but=()):
    folders = collections.Counter(name.rpartition("/")[0] or "." for name in names)
    folder, count = max(((f, c) for f, c in folders.items() if f not in but), key=lambda one: one[1])
    return f"{count} in {folder}"


def symbols_of(folder, name):
    """The symbols that the object of a C file defines, and those that it uses."""
    made = folder / name.replace("/", "_")
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-DKP_NO_CALL_SITES", "-I.", "-Iinclude", "-c", name,
                    "-o", made], cwd=folder, check=True)  # fmt: skip
    lines = subprocess.run(["nm", made], check=True, capture_output=True, text=True).stdout.splitlines()
    symbols = [line.split()[-2:] for line in lines]
    return {s for kind, s in symbols if kind != "U" and kind.isupper()}, {s for kind, s in symbols if kind == "U"}


def in_cycles(commit, names):
    """The files of lib/ that call themselves by way of others."""
    sources = [name for name in names if name.startswith("lib/") and name.endswith(".c")]
    with tempfile.TemporaryDirectory() as memory, concurrent.futures.ThreadPoolExecutor() as pool:
        folder = pathlib.Path(memory)
        whole = subprocess.run(["git", "archive", commit], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], check=True, input=whole)
        symbols = dict(zip(sources, pool.map(lambda name: symbols_of(folder, name), sources)))
    owner = {symbol: name for name in sources for symbol in symbols[name][0]}
    calls = {name: {owner[symbol] for symbol in symbols[name][1] if symbol in owner} for name in sources}
    before = None
    while calls != before:
        before = calls
        calls = {name: used.union(*(before[one] for one in used)) for name, used in before.items()}
    return sorted(name for name in sources if name in calls[name])


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
    cycles = in_cycles(commit, names)
    print(f"{commit}: C files in the largest folder: {largest(names)}; but lib/algorithms: "
          f"{largest(names, ['lib/algorithms'])}; headers of ports/ that lib/ includes: {len(seen)} "
          f"({', '.join(sorted(seen))}); files of lib/ in cycles: {len(cycles)}"
          f"{' (' + ', '.join(cycles) + ')' if cycles else ''}; public symbols: {len(public)}")  # fmt: skip
