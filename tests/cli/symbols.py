"""What the libraries show to others: exactly the functions that the public headers declare.

usage: symbols.py INCLUDE_FOLDER SHARED_LIBRARY STATIC_LIBRARY
"""

import pathlib
import re
import shutil
import sys

from tap import Tests, execute, said

include, shared, static = (pathlib.Path(argument) for argument in sys.argv[1:])
tests = Tests()

# What any program needs; before glibc 2.34 threads were a library of their own, and where unwinding
# is not the loader's it is the compiler's runtime that does it.
SYSTEM = re.compile(r"(libc|libpthread|libgcc_s|ld\d*(-linux[\w-]*)?)\.so[.\d]*|ld-[\w.-]+\.so[.\d]*")


def declared():
    names = set()
    for header in include.rglob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
        names.update(re.findall(r"\bKP_API\b[^;{]*?\b(\w+)\s*[(\[]", text))
    return names


def defined(options, library):
    result = execute(["nm", "--defined-only", "-P"] + options + [library])
    tests.check(result.returncode == 0, f"nm reads {library.name}", said(result))
    lines = (line.split() for line in result.stdout.splitlines())
    return {words[0] for words in lines if len(words) >= 2 and words[1].isupper()}


if not all(shutil.which(tool) for tool in ["nm", "readelf"]):
    print("1..0 # SKIP no nm or readelf (binutils)")
    sys.exit(77)

public = declared()
# What libkport_mpi uses beyond that.
FACE = "".join((include.parent / folder / "face.h").read_text() for folder in ["ports", "lib/call", "lib/layout", "lib/problem"])
faced = set(re.findall(r"\bKP_FACE\b[^;{]*?\b(kp_\w+)\s*\(", FACE)) | {"kp_self"}  # kp_face_data reads it
tests.check(len(public) > 10, "the headers declare functions", sorted(public))

exported = defined(["-D"], shared) - {"_init", "_fini"}
tests.check(exported >= public, "every declared function is exported", sorted(public - exported))
tests.check(exported >= faced, "so is what libkport_mpi and libkport_bsp use", sorted(faced - exported))
tests.check(exported <= public | faced, "nothing else is exported", sorted(exported - public - faced))

every = defined(["-g"], static)
# The compiler's own, on 32-bit x86.
own = re.compile(r"kp_|__x86\.get_pc_thunk\.")
foreign = sorted(name for name in every if not own.match(name))
tests.check(every >= public, "the static library has them too", sorted(public - every))
tests.check(not foreign, "its global symbols begin with kp_", foreign)

result = execute(["readelf", "-d", "-W", shared])
needed = re.findall(r"\(NEEDED\).*\[(.*)\]", result.stdout)
others = [name for name in needed if not SYSTEM.fullmatch(name)]
tests.check(bool(needed) and not others, "links nothing but libc and threads", needed)
tests.end()
