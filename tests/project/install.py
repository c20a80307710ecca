"""kport installed: programs against it through pkg-config, shared and static, the command line, its helper.
From the build folder of these tests, and from one without cmocka, which has no tests.

usage: install.py SOURCE_FOLDER BUILD_FOLDER long|short PROGRAM.C C_COMPILER...
short: without cmocka it is only configured, not built
"""

import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

from tap import Tests, execute, said

source, build, length, program = sys.argv[1:5]
compiler = sys.argv[5:]
tests = Tests()
pkg_config = shutil.which(os.environ.get("PKG_CONFIG", "pkg-config"))

if not pkg_config:
    print("1..0 # SKIP no pkg-config")
    sys.exit(77)


def asked(root, description, *options, name="kport"):
    """What pkg-config says about the kport under `root`, and about nothing else there is."""
    environment = dict(os.environ, PKG_CONFIG_LIBDIR=str(description.parent),
                       PKG_CONFIG_SYSROOT_DIR=str(root))  # fmt: skip
    result = execute([pkg_config, *options, name], env=environment)
    tests.check(result.returncode == 0, f"pkg-config {' '.join(options)} {name}", said(result))
    return shlex.split(result.stdout)


def compile_and_run(name, arguments, made, environment):
    result = execute(compiler + ["-std=c11", program] + arguments + ["-o", made])
    if tests.check(result.returncode == 0, f"compiles, {name}", said(result)):
        result = execute([made], env=environment)
        right = result.returncode == 0 and "rounds" in result.stdout
        tests.check(right, f"runs, {name}", said(result))


def install(folder, root, objects):
    """Installs what was built in `folder`, and uses it; with `objects`, builds some for --load against it."""
    result = execute(["meson", "install", "-C", folder, "--no-rebuild", "--destdir", root])
    tests.check(result.returncode == 0, "meson install", said(result))
    for wanted in ["kport.h", "kport/machine.h", "kport/kport.hpp", "libkport.so", "libkport.a", "kport.pc", "bin/kport"]:
        found = [path for path in root.rglob("*") if str(path).endswith("/" + wanted)]
        if not tests.check(len(found) == 1, f"installed: {wanted}", found):
            return
    description = next(root.rglob("kport.pc"))
    environment = dict(os.environ, LD_LIBRARY_PATH=str(next(root.rglob("libkport.so")).parent))
    flags = ["--cflags", "--libs"]
    compile_and_run("shared", asked(root, description, *flags), root / "shared", environment)
    archive = asked(root, description, *flags, "--static") + ["-static"]
    compile_and_run("static", archive, root / "static", os.environ)
    version = asked(root, description, "--modversion")
    result = execute([next(root.rglob("bin/kport")), "--version"])
    told = result.stdout.splitlines()[:1]
    tests.check(result.returncode == 0 and told == [f"kport {' '.join(version)}"], "kport --version", said(result))
    check_mpi(root)
    check_cmake(root, version[0])
    if objects:
        check_objects(root, description, environment)


def check_mpi(root):
    """An MPI program, compiled and run by what is installed, which finds its parts from where it is."""
    kportcc = next(root.rglob("bin/kportcc"), None)
    if not kportcc:
        tests.skip("kportcc", "this build has none")
        return
    program = root / "order"
    result = execute([kportcc, pathlib.Path(source) / "tests/mpi/launch/programs/order.c", "-o", program])
    tests.check(result.returncode == 0, "kportcc compiles, installed", said(result))
    result = execute([kportcc.with_name("kportrun"), "-n", "3", program, "ordered"])
    tests.check(result.stdout == "got 1\ngot 2\n", "kportrun runs it, installed", said(result))
    result = execute([program])
    tests.check(result.returncode == 0, "it starts by itself, installed", said(result))
    check_bsp(root, kportcc)


def check_bsp(root, kportcc):
    """The same for a program of BSPlib; and what pkg-config knows, for one that starts its own threads."""
    program = root / "right"
    text = pathlib.Path(source) / "tests/bsp/right.c"
    result = execute([kportcc, "-bsp", text, "-o", program])
    tests.check(result.returncode == 0, "kportcc -bsp compiles, installed", said(result))
    result = execute([kportcc.with_name("kportrun"), "-n", "3", program])
    tests.check(result.stdout == "3 processes, sum 6\n", "kportrun runs it, installed", said(result))
    flags = asked(root, next(root.rglob("kport-bsp.pc")), "--cflags", "--libs", name="kport-bsp")
    folder = next(root.rglob("libkport_bsp.so")).parent
    result = execute([*compiler, text, *flags, f"-Wl,-rpath,{folder}", "-o", root / "plain"])
    tests.check(result.returncode == 0, "a program of bsp.h compiles by pkg-config", said(result))
    result = execute([root / "plain", "4"])
    tests.check(result.stdout == "4 processes, sum 10\n", "it starts its own threads, installed", said(result))


CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(stranger C)
{lines}
"""
CORE = """
find_package(kport {version} EXACT REQUIRED)
add_executable(shared {program})
target_link_libraries(shared kport::kport)
add_executable(static {program})
target_link_libraries(static kport::static)
"""
BSP = """
find_package(kport REQUIRED COMPONENTS core bsp)
add_executable(bsp {program})
target_link_libraries(bsp kport::bsp)
"""
MPI = """
find_package(MPI REQUIRED COMPONENTS C)
add_executable(ring {program})
target_link_libraries(ring MPI::MPI_C)
"""


def cmake(folder, lines, found, builds=True, compilers=compiler):
    """The last command's result, for a project of these lines in a new folder."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(CMAKE.format(lines=lines))
    environment = dict(os.environ, CC=shlex.join(map(str, compilers)))
    result = execute(["cmake", found, "-S", folder, "-B", folder / "built"], env=environment)
    if builds and tests.check(result.returncode == 0, f"cmake, {folder.name}", said(result)):
        result = execute(["cmake", "--build", folder / "built"], env=environment)
        tests.check(result.returncode == 0, f"cmake --build, {folder.name}", said(result))
    return result


def check_cmake(root, version):
    """find_package(kport), and what it says of what it has not. CMake finds all from where its file is."""
    if not shutil.which("cmake"):
        tests.skip("CMake", "not installed")
        return
    found = f"-Dkport_DIR={next(root.rglob('cmake/kport'))}"
    cmake(root / "core", CORE.format(version=version, program=program), found)
    for name in ["shared", "static"]:
        result = execute([root / "core" / "built" / name])
        tests.check(result.returncode == 0 and "rounds" in result.stdout, f"CMake: runs, {name}", said(result))
    result = cmake(root / "other", CORE.format(version="9.9", program=program), found, builds=False)
    right = result.returncode != 0 and f"version: {version}" in result.stderr
    tests.check(right, "CMake: another version is refused, and this one named", said(result))
    result = cmake(root / "unknown", "find_package(kport REQUIRED COMPONENTS mpi)", found, builds=False)
    right = result.returncode != 0 and 'no component "mpi"' in result.stderr and "CC=kportcc" in result.stderr
    tests.check(right, "CMake: a component that is none is refused, and the others named", said(result))
    kportcc = next(root.rglob("bin/kportcc"), None)
    if kportcc:
        check_cmake_faces(root, found, kportcc)


def check_cmake_faces(root, found, kportcc):
    """A program of BSPlib links a target, and one of MPI is compiled by kportcc."""
    texts = pathlib.Path(source)
    cmake(root / "bsplib", BSP.format(program=texts / "tests/bsp/right.c"), found)
    result = execute([root / "bsplib" / "built" / "bsp", "4"])
    tests.check(result.stdout == "4 processes, sum 10\n", "CMake: runs, a program of BSPlib", said(result))
    cmake(root / "ranks", MPI.format(program=texts / "examples/mpi_ring.c"), found, compilers=[kportcc])
    result = execute([kportcc.with_name("kportrun"), "-n", "4", root / "ranks" / "built" / "ring"])
    tests.check(result.stdout == "4 ranks, sum 6\n", "CMake: runs, a program of MPI", said(result))


def taken_from_head(text, begins):
    """The lines of a file's head that stand together, the first of which begins so."""
    lines = [line.removeprefix(" *").removesuffix("*/").strip() for line in text.splitlines()]
    first = next(i for i, line in enumerate(lines) if line.startswith(begins))
    return "\n".join(itertools.takewhile(lambda line: line and not line.startswith("#"), lines[first:]))


def check_objects(root, description, environment):
    """Objects for --load are built as their heads say, and need no libkport; one that links it works too."""
    kport = next(root.rglob("bin/kport"))
    folder = root / "objects"
    folder.mkdir()
    environment = environment | {"PKG_CONFIG_LIBDIR": str(description.parent), "PKG_CONFIG_SYSROOT_DIR": str(root)}
    shutil.copy(pathlib.Path(source) / "examples" / "neighbor_exchange.c", folder)
    result = execute([kport, "new", "mine", "--operation", "concat"], cwd=folder)
    tests.check(result.returncode == 0, "kport new", said(result))
    for name, algorithm in [("neighbor_exchange", "neighbor-exchange"), ("mine", "mine")]:
        line = taken_from_head((folder / f"{name}.c").read_text(), "cc ").splitlines()[0]
        for more in ["", " $(pkg-config --libs kport)"]:
            command = shlex.join(compiler) + line.removeprefix("cc") + more
            result = execute(["sh", "-c", command], cwd=folder, env=environment)
            if tests.check(result.returncode == 0, command.removeprefix(shlex.join(compiler)), said(result)):
                check_loaded(kport, folder / f"{name}.so", algorithm, environment)
    (folder / "meson.build").write_text(taken_from_head((folder / "mine.c").read_text(), "project("))
    for command in [["meson", "setup", "built"], ["ninja", "-C", "built"]]:
        result = execute(command, cwd=folder, env=environment | {"CC": shlex.join(compiler)})
        tests.check(result.returncode == 0, f"{' '.join(command)}, an object", said(result))
    check_loaded(kport, folder / "built" / "mine.so", "mine", environment)


def check_loaded(kport, made, algorithm, environment):
    result = execute([kport, "run", f"concat:n=4,k=1,b=8,alg={algorithm}", "--load", made], env=environment)
    right = result.returncode == 0 and "verified: every byte" in result.stdout
    tests.check(right, f"the installed program loads {made.name}", said(result))


def check_exports(home):
    """In the folder "kport" of a home, kport is found by the lines of the manual."""
    guide = (pathlib.Path(source) / "doc/manual/guides/embedding.md").read_text()
    exports = "\n".join(re.findall(r"^(export .*\$HOME/kport.*)$", guide, re.M))
    compiled = f"{shlex.join(compiler)} {program} $(pkg-config --cflags --libs kport) -o embed && ./embed"
    environment = {**os.environ, "HOME": str(home)}
    result = execute(["sh", "-ec", f"{exports}\n{compiled}\nkport --version"], cwd=home, env=environment)
    right = result.returncode == 0 and "rounds" in result.stdout and "kport " in result.stdout
    tests.check(right, "a prefix of one's own, by the lines of the manual", said(result))
    if not shutil.which("man") or not (home / "kport" / "share" / "man").exists():
        tests.skip("man finds the pages", "no man, or no pages")
        return
    result = execute(["sh", "-ec", f"{exports}\nman -w kport"], cwd=home, env=environment)
    tests.check(str(home / "kport") in result.stdout, "man finds the pages", said(result))


def check_peers(folder, prefix):
    """The installed program starts its helper from the folder that was configured, and says where that is not."""
    result = execute(["meson", "install", "-C", folder, "--no-rebuild"])
    tests.check(result.returncode == 0, "meson install, into its prefix", said(result))
    check_exports(prefix.parent)
    command = [prefix / "bin" / "kport", "bench", "barrier", "-n", "2", "-i", "5", "--peers", "--json"]
    result = execute(command)
    if "built without peers" in result.stderr:
        tests.skip("the helper of the installed program", "this build has no peers")
        return
    row = json.loads(result.stdout)["rows"][0] if result.returncode == 0 else {}
    tests.check(row and row["peers_us"]["by_hand"] > 0, "the installed program times its peers", said(result))
    (prefix / "libexec" / "kport" / "kport-peers").unlink()
    result = execute(command)
    told = "kport-peers" in result.stderr and str(prefix / "libexec" / "kport") in result.stderr
    tests.check(result.returncode == 2 and not result.stdout and told, "without its helper it says so", said(result))


def without_cmocka(folder):
    """An environment in which Meson does not find cmocka, but all else that is here."""
    hiding = folder / "pkg-config"
    hiding.write_text(f'#!/bin/sh\ncase "$*" in *cmocka*) exit 1 ;; esac\nexec {shlex.quote(pkg_config)} "$@"\n')
    hiding.chmod(0o755)
    return dict(os.environ, PKG_CONFIG=str(hiding), CMAKE="false", CC=shlex.join(compiler))


def set_up(folder, environment, *options):
    # Not optimized, and without what no check here asks for, which is faster to build.
    return execute(["meson", "setup", "-Doptimization=0", "-Ddebug=false", "-Dmpi=disabled", *options, folder, source],
                   env=environment)  # fmt: skip


def check_without_tests(folder, name, result, why):
    left_out = re.search(r"^ *tests *: left out, (.*)$", result.stdout, re.M)
    told = left_out and why in left_out[1]
    tests.check(result.returncode == 0 and told, f"meson setup, {name}", said(result))
    result = execute(["meson", "introspect", "--tests", folder])
    tests.check(result.returncode == 0 and json.loads(result.stdout) == [], f"no tests, {name}", said(result))


with tempfile.TemporaryDirectory() as name:
    install(build, pathlib.Path(name) / "root", True)

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    hidden = without_cmocka(folder)
    result = set_up(folder / "enabled", hidden, "-Dtests=enabled")
    tests.check(result.returncode != 0 and re.search("ERROR: .*cmocka", result.stdout),
                "-Dtests=enabled without cmocka is refused", said(result))  # fmt: skip
    result = set_up(folder / "disabled", os.environ, "-Dtests=disabled")
    check_without_tests(folder / "disabled", "-Dtests=disabled", result, "-Dtests=disabled")
    bare = folder / "bare"
    check_without_tests(bare, "without cmocka", set_up(bare, hidden, f"--prefix={folder / 'kport'}", "--libdir=lib", "--libexecdir=libexec"), "cmocka")
    if length == "long":
        result = execute(["ninja", "-C", bare], env=hidden)
        if tests.check(result.returncode == 0, "ninja, without cmocka", said(result)):
            install(bare, folder / "root", False)
            check_peers(bare, folder / "kport")
tests.end()
