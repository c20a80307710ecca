"""The primitives' headers, as a checker of the C11 memory model takes them: each compiles alone,
and includes nothing but the standard headers named here and the other primitives.

usage: primitives.py SOURCE_FOLDER C_COMPILER...
"""

import pathlib
import re
import sys

from tap import Tests, execute, said

PRIMITIVES = ["order.h", "sync/arrival.h", "sync/awaited.h", "carrier/inbox.h", "message/ring.h", "request/handshake.h", "sync/mailbox.h", "sync/pair.h", "sync/parking.h",
               "slot.h"]
STANDARD = {"stdalign.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}
OPTIONS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]

source = pathlib.Path(sys.argv[1])
compiler = sys.argv[2:]
tests = Tests()

for name in PRIMITIVES:
    path = source / "ports" / name
    result = execute([*compiler, *OPTIONS, f"-I{source}", "-fsyntax-only", "-x", "c",
                      "-include", path, "/dev/null"])
    tests.check(result.returncode == 0, f"{name} compiles alone", said(result))
    included = set(re.findall(r'#include [<"]([^>"]+)[>"]', path.read_text()))
    others = included - STANDARD - {f"ports/{other}" for other in PRIMITIVES}
    tests.check(not others, f"{name} depends on nothing else", f"it includes {sorted(others)}")

# Who uses them uses the same text: no word of theirs is touched with an order of its own.
for path in sorted((source / "ports").rglob("*.[ch]")):
    bare = re.findall(r".*\bmemory_order_\w+.*", path.read_text())
    if path.name == "order.h":
        continue
    tests.check(not bare, f"{path.name} names its memory orders", "\n".join(bare))
tests.end()
