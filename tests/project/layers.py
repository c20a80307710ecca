"""The layers of doc/design.md: who includes whom, and whose functions call whose.

usage: layers.py SOURCE_FOLDER [NM LIBRARY]

NM lists the symbols of LIBRARY, the static one.
"""

import pathlib
import re
import sys

from tap import Tests, execute, said

# What lib/ and the program see of ports/.
SEEN = {"ports/port.h", "ports/member.h"}
# What lib/mpi and lib/bsp, libraries of their own, see of it.
FACE = {"ports/face.h", "ports/fail/finding.h", "lib/call/face.h", "lib/layout/face.h", "lib/problem/face.h"}
# Which folders of lib/ a folder of lib/ includes, beside itself.
FOLDERS = {
    "problem": set(),
    "schedule": {"problem"},
    "algorithms": {"schedule"},
    "bsp": set(),
    "check": {"problem", "schedule"},
    "cost": {"problem", "schedule", "tune"},
    "draw": {"check", "problem", "schedule"},
    "topology": {"problem", "schedule"},
    "tune": {"call", "execute", "problem"},
    "call": {"check", "execute", "layout", "problem", "schedule", "tune"},
    "execute": {"call", "layout", "problem", "schedule", "tune"},
    "layout": {"execute", "schedule"},
    "mpi": set(),
    "lengths": {"call", "execute", "layout", "problem", "schedule", "tune"},
    "request": {"call", "execute", "layout", "lengths", "problem"},
    "route": {"call", "schedule"},
}
# Includes beyond that: an algorithm for blocks with lengths is built from its lender's schedule; the table of
# algorithms begins with the library's; a problem's block has whole elements; and a program of kportcc has a copy for
# each rank, whatever it is written against.
NAMED = {
    ("lib/schedule/schedule_build.c", "lib/algorithms/lengths.h"),
    ("lib/problem/rows.c", "lib/algorithms/table.h"),
    ("lib/problem/problem.c", "lib/schedule/elements.h"),
    ("lib/bsp/plain.c", "lib/mpi/private/host.h"),
}
# What the program includes of lib/ and ports/; all else it does by public headers.
SEEN_BY_TOOLS = {
    "lib/algorithms/torus.h", "lib/call/machine.h", "lib/check/account.h", "lib/check/contributions.h",
    "lib/check/order.h", "lib/check/verdict.h", "lib/draw/draw.h", "lib/problem/fields.h",
    "lib/problem/operation.h", "lib/problem/operator.h", "lib/problem/problem.h", "lib/problem/rows.h",
    "lib/route/count.h", "lib/route/random.h", "lib/route/service.h", "lib/schedule/elements.h",
    "lib/schedule/vector.h", "lib/tune/candidates.h",
    "lib/tune/profile.h", "ports/port.h",
}  # fmt: skip
# Of the insides of ports/: what a member, a processor or a group has.
INSIDES = re.compile(r"\b(?:member|group|self|proc)->\w+|->shared\b|\bstruct kp_(?:shared|published|proc|machine|group)\b")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def is_face(path):
    return path.is_relative_to(root / "lib/mpi") or path.is_relative_to(root / "lib/bsp")


def includes(path):
    return set(re.findall(r'#include "([^"]+)"', path.read_text()))


def found(paths, pattern):
    """Lines of code in which the pattern is found."""
    lines = []
    for path in paths:
        text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), path.read_text())
        lines += [f"{path.relative_to(root)}:{number}: {line.strip()}"
                  for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]  # fmt: skip
    return "\n".join(lines)


def calls(nm, library, sources):
    """{user: {used: symbols}}, of the library's files."""
    object_of = {str(path).replace("/", "_") + ".o": str(path) for path in sources}
    result = execute([nm, "-A", library])
    tests.check(result.returncode == 0, "the library's symbols are listed", said(result))
    defined, wanted = {}, []
    for line in result.stdout.splitlines():
        place, *kind, name = line.split()
        source = object_of.get(place.rstrip(":").split(":")[1])
        if source and kind[-1] == "U":
            wanted.append((source, name))
        elif source and kind[-1].isupper():
            defined[name] = source
    graph = {source: {} for source in object_of.values()}
    for source, name in wanted:
        if defined.get(name, source) != source:
            graph[source].setdefault(defined[name], []).append(name)
    tests.check({*defined.values()} >= {"lib/call/call.c", "ports/port.c"}, "they are those of lib/ and ports/")
    return graph


def reached(graph, start):
    seen, ahead = set(), [start]
    while ahead:
        for used in graph[ahead.pop()]:
            if used not in seen:
                seen.add(used)
                ahead.append(used)
    return seen


def said_calls(graph, pairs):
    return "\n".join(f"{user} calls {used}: {', '.join(graph[user][used])}"
                     for user, used in pairs if used in graph[user])  # fmt: skip


root = pathlib.Path(sys.argv[1])
tests = Tests()
lib = sorted((root / "lib").rglob("*.[ch]"))
ports = sorted((root / "ports").rglob("*.[ch]"))
above = lib + sorted((root / "tools/kport").rglob("*.[ch]"))
tests.check(min(len(lib), len(ports), len(above) - len(lib)) > 10, "there are C files")

private = [f"{path.relative_to(root)}: {name}" for path in above
           for name in sorted(includes(path) - (FACE if is_face(path) else SEEN))
           if name.startswith("ports/")]  # fmt: skip
tests.check(not private, "lib/ and the program include port.h and member.h of ports/, and no other",
            "\n".join(private))  # fmt: skip
tests.check(set(FOLDERS) == {path.name for path in (root / "lib").iterdir() if path.is_dir()},
            "each folder of lib/ says what it includes")  # fmt: skip
foreign = []
for path in lib:
    name = str(path.relative_to(root))
    folder = path.relative_to(root / "lib").parts[0] if is_face(path) else path.parent.name
    may = {"lib/" + other for other in FOLDERS.get(folder, set()) | {folder}}
    may |= set() if folder == "algorithms" else {"ports"}
    foreign += [f"{name}: {used}" for used in sorted(includes(path))
                if used.startswith(("lib/", "ports/")) and used.rpartition("/")[0] not in may
                and not (is_face(path) and (used.startswith(f"lib/{folder}/") or used in FACE)) and (name, used) not in NAMED]  # fmt: skip
tests.check(not foreign, "folders of lib/ include what they may", "\n".join(foreign))
tools = [f"{path.relative_to(root)}: {used}" for path in above if path not in lib for used in sorted(includes(path))
         if used.startswith(("lib/", "ports/")) and used not in SEEN_BY_TOOLS]  # fmt: skip
tests.check(not tools, "the program includes what is named of lib/ and ports/", "\n".join(tools))
preloaded = sorted((root / "tools/pmpi").rglob("*.[ch]"))
strange = [f"{path.relative_to(root)}: {used}" for path in preloaded for used in sorted(includes(path))
           if used not in {"kport.h", *(path.name for path in preloaded if path.suffix == ".h")}]  # fmt: skip
tests.check(len(preloaded) > 5 and not strange, "the preloaded object includes public headers and its own only", "\n".join(strange))
beyond = sorted((root / "ports/carrier/mpi").glob("*.[ch]"))
strange = [f"{path.relative_to(root)}: {used}" for path in beyond for used in sorted(includes(path))
           if used not in {"ports/carrier/mpi/wires.h", "ports/carrier/wire.h", "ports/order.h"}]  # fmt: skip
tests.check(len(beyond) > 3 and not strange, "a carrier beyond libkport includes the wire's interface only",
            "\n".join(strange))  # fmt: skip
inside = found([path for path in lib if not is_face(path)], INSIDES)
tests.check(not inside, "lib/ names nothing of what members, groups and machines are made of", inside)
others = found(ports, re.compile(r'#include "(?!ports/|kport/)'))
tests.check(not others, "ports/ includes nothing but its own and what is public", others)
tuning = found(ports, re.compile(r"\bkp_config\b"))
tests.check(not tuning, "ports/ knows no more of a configuration than kp_machine_config", tuning)

if len(sys.argv) > 2:
    graph = calls(*sys.argv[2:], [path.relative_to(root) for path in lib + ports if path.suffix == ".c"])
    upward = [(user, used) for user in graph for used in graph[user]
              if user.startswith("ports/") and used.startswith("lib/")]  # fmt: skip
    tests.check(not upward, "ports/ calls nothing of lib/", said_calls(graph, upward))
    cycle = {source: reached(graph, source) for source in graph if source.startswith("lib/")}
    cycle = {source: far for source, far in cycle.items() if source in far}
    again = [(user, used) for user in cycle for used in cycle if used in cycle[user] and user in cycle[used]]
    tests.check(not cycle, "no file of lib/ calls another that calls it", said_calls(graph, again))
tests.end()
