"""kport installed, and a program against it through pkg-config, shared and static.

usage: install.py BUILD_FOLDER PROGRAM.C C_COMPILER...
"""

import os
import pathlib
import shlex
import shutil
import sys
import tempfile

from tap import Tests, execute, said

build, source = sys.argv[1:3]
compiler = sys.argv[3:]
tests = Tests()

if not shutil.which("pkg-config"):
    print("1..0 # SKIP no pkg-config")
    sys.exit(77)


def flags(root, description, *options):
    """What pkg-config says about the kport under `root`, and about nothing else there is."""
    environment = dict(os.environ, PKG_CONFIG_LIBDIR=str(description.parent),
                       PKG_CONFIG_SYSROOT_DIR=str(root))  # fmt: skip
    result = execute(["pkg-config", "--cflags", "--libs", *options, "kport"], env=environment)
    tests.check(result.returncode == 0, f"pkg-config {' '.join(options)} kport", said(result))
    return shlex.split(result.stdout)


def compile_and_run(name, arguments, program, environment):
    result = execute(compiler + ["-std=c11", source] + arguments + ["-o", program])
    if tests.check(result.returncode == 0, f"compiles, {name}", said(result)):
        result = execute([program], env=environment)
        right = result.returncode == 0 and "rounds" in result.stdout
        tests.check(right, f"runs, {name}", said(result))


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder) / "root"
    result = execute(["meson", "install", "-C", build, "--no-rebuild", "--destdir", root])
    tests.check(result.returncode == 0, "meson install", said(result))
    for wanted in ["kport.h", "kport/machine.h", "kport/kport.hpp", "libkport.so", "libkport.a", "bin/kport"]:
        found = [path for path in root.rglob("*") if str(path).endswith("/" + wanted)]
        tests.check(len(found) == 1, f"installed: {wanted}", found)
    descriptions = list(root.rglob("kport.pc"))
    if tests.check(len(descriptions) == 1, "installed: kport.pc", descriptions):
        library = next(root.rglob("libkport.so")).parent
        environment = dict(os.environ, LD_LIBRARY_PATH=str(library))
        shared = flags(root, descriptions[0])
        compile_and_run("shared", shared, f"{folder}/shared", environment)
        archive = flags(root, descriptions[0], "--static") + ["-static"]
        compile_and_run("static", archive, f"{folder}/static", os.environ)
tests.end()
