"""The tools of a programmer on a program of kportcc: gdb, valgrind and the sanitizers of its compiler.

usage: debug.py SOURCE_FOLDER TOOLS_FOLDER
"""

import os
import pathlib
import re
import shutil
import sys
import tempfile

from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
faults = source / "tests" / "mpi" / "launch" / "programs" / "faults.c"
line = 1 + next(i for i, text in enumerate(faults.read_text().splitlines()) if "a debugger stops at" in text)
tests = Tests()
folder = tempfile.TemporaryDirectory()
made = pathlib.Path(folder.name)
CARRIERS = ["fibers", "threads"]


def compiled(name, *options):
    result = execute([tools / "kportcc", "-g", *options, faults, "-o", made / name])
    return made / name if result.returncode == 0 else None


def run(*arguments, before=()):
    return execute([*before, tools / "kportrun", "-n", "4", *arguments], timeout=100)


plain = compiled("plain")
tests.check(plain, "the program compiles")

# --- gdb ---

# A container may forbid what debuggers do.
allowed = shutil.which("gdb") and execute(["gdb", "-q", "-batch", "-ex", "run", "/bin/true"])
if allowed and "exited normally" in allowed.stdout:
    commands = ["set pagination off", f"break faults.c:{line} if rank == 2", "run", "print rank", "print counter",
                "print &counter", "backtrace 1", "delete", f"break faults.c:{line} if rank == 3", "continue",
                "print counter = 1000", "print &counter", "delete", f"break faults.c:{line} if rank == 2",
                "continue", "print counter", "kill"]  # fmt: skip
    for carrier in CARRIERS:
        script = made / "script"
        script.write_text("\n".join(commands) + "\n")
        result = execute(["sh", "-c", '"$0" --gdb -n 4 --carrier "$1" "$2" <"$3"', tools / "kportrun", carrier, plain, script],
                         timeout=100)  # fmt: skip
        said_ = result.stdout
        values = dict(re.findall(r"\$(\d) = (.*)", said_))
        places = [re.search(r"0x\w+", values.get(number, "")) for number in "35"]
        right = (values.get("1") == "2" and "main (" in said_ and values.get("4") == "1000" and all(places)
                 and places[0][0] != places[1][0] and values.get("6") not in [None, "1000"])  # fmt: skip
        tests.check(right, f"gdb, {carrier}: each rank has its own value of a global", said(result))
    result = execute(["gdb", "-q", "-batch", "-ex", f"break faults.c:{line}", "-ex", "run", "-ex", "print rank", plain])
    tests.check("$1 = 0" in result.stdout, "gdb, of the program by itself", said(result))
else:
    tests.skip("gdb", "it is not there, or may not trace programs here")

# --- valgrind ---

if shutil.which("valgrind"):
    valgrind = ["valgrind", "-q", "--error-exitcode=9"]
    for carrier in CARRIERS:
        result = run("--carrier", carrier, plain, before=valgrind)
        tests.check(result.returncode == 0 and not result.stderr, f"valgrind, {carrier}: a right program", said(result))
    result = run(plain, "memory", before=valgrind)
    right = result.returncode == 9 and re.search(r"Invalid write of size 4\n.* main \(faults\.c:\d+\)", result.stderr)
    tests.check(right, "valgrind, a wrong program: where it is wrong", said(result))
    pointer = made / "pointer"
    execute([tools / "kportcc", "-g", faults.with_name("pointer.c"), "-o", pointer])
    result = run(pointer, "x", before=valgrind)
    right = re.search(r"MPI_Recv at .*pointer\.c:\d+: the source is rank 77", result.stderr)
    tests.check(right, "valgrind: the place of a call by address", said(result))
else:
    tests.skip("valgrind", "not installed")

# --- Sanitizers ---

for name, fault, report in [
    ("address", "memory", r"heap-buffer-overflow[^$]*#0 .* in main .*faults\.c"),
    ("address -cc=clang", "memory", r"heap-buffer-overflow[^$]*#0 .* in main .*faults\.c"),
    ("thread", "race", r"data race[^$]*#0 count .*faults\.c"),
    ("undefined", None, ""),
    ("undefined -cc=clang", None, ""),
]:  # fmt: skip
    program = compiled(name.replace(" ", ""), *f"-fsanitize={name}".split())
    if not program or execute([program]).returncode != 0:
        tests.skip(f"-fsanitize={name}", "the compiler has none that runs here")
        continue
    for carrier in CARRIERS:
        result = run("--carrier", carrier, program)
        tests.check(result.returncode == 0 and not result.stderr, f"-fsanitize={name}, {carrier}: a right program", said(result))
        if fault:
            result = run("--carrier", carrier, program, fault)
            right = result.returncode != 0 and re.search(report, result.stderr)
            tests.check(right, f"-fsanitize={name}, {carrier}: the mistake of rank 2", said(result))
    if name != "thread":
        continue
    # Threads of a rank call MPI one at a time: that is no race, and a race of the program is found.
    program = made / "serialized"
    execute([tools / "kportcc", "-g", "-fsanitize=thread", faults.parent / "serialized.c", "-o", program])
    result = execute([tools / "kportrun", "-n", "3", "--carrier", "threads", program], timeout=120)
    right = result.returncode == 0 and not result.stderr and result.stdout.count(" right") == 3
    tests.check(right, "-fsanitize=thread: threads of a rank call MPI", said(result))
    result = execute([tools / "kportrun", "-n", "2", "--carrier", "threads", program, "race"], timeout=120)
    right = result.returncode != 0 and re.search(r"data race[^$]*#0 talk .*serialized\.c", result.stderr)
    tests.check(right, "-fsanitize=thread: threads of a rank call MPI and have a race", said(result))
tests.end()
