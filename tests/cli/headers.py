"""Every public header compiles alone, as C11 and as C++17, with no warning.

usage: headers.py INCLUDE_FOLDER C_COMPILER...
"""

import os
import pathlib
import shlex
import shutil
import sys
import tempfile

from tap import Tests, execute, said

include = pathlib.Path(sys.argv[1])
c_compiler = sys.argv[2:]
tests = Tests()

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def cxx_compiler():
    if os.environ.get("CXX"):
        return shlex.split(os.environ["CXX"])
    found = [name for name in ["c++", "g++", "clang++"] if shutil.which(name)]
    return found[:1]


LANGUAGES = [
    ("C11", c_compiler, ["-std=c11", "-Wstrict-prototypes"], ".c"),
    ("C++17", cxx_compiler(), ["-std=c++17"], ".cpp"),
]

headers = sorted(path.relative_to(include) for path in include.rglob("*.h*"))
tests.check(len(headers) > 1, "there are headers")
with tempfile.TemporaryDirectory() as folder:
    for header in headers:
        for language, compiler, options, ending in LANGUAGES:
            if header.suffix == ".hpp" and language == "C11":
                continue
            name = f"{header} as {language}"
            if not compiler:
                tests.skip(name, "no C++ compiler (c++, g++, clang++, or CXX)")
                continue
            source = pathlib.Path(folder) / f"alone{ending}"
            source.write_text(f"#include <{header}>\n#include <{header}>\nint main() {{ return 0; }}\n"
                              if language != "C11" else
                              f"#include <{header}>\n#include <{header}>\nint main(void) {{ return 0; }}\n")
            result = execute(compiler + options + WARNINGS +
                             [f"-I{include}", "-fsyntax-only", source])
            tests.check(result.returncode == 0, name, said(result))
tests.end()
