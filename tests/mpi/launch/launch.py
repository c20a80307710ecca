"""kportcc and kportrun: programs are compiled, run as ranks and alone, and end as they say.

usage: launch.py SOURCE_FOLDER TOOLS_FOLDER
"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
programs = source / "tests" / "mpi" / "launch" / "programs"
tests = Tests()
folder = tempfile.TemporaryDirectory()
made = pathlib.Path(folder.name)


def compiled(name, *options, compiler="kportcc", to=None):
    program = made / (to or pathlib.Path(name).stem)
    result = execute([tools / compiler, "-g", *options, programs / name, "-o", program])
    tests.check(result.returncode == 0, f"{compiler} {' '.join(options)} {name}", said(result))
    return program


def run(*arguments, **options):
    return execute([tools / "kportrun", *arguments], timeout=60, **options)


def check(result, status, right, name):
    tests.check(result.returncode == status and right, name, said(result))


# --- What is private ---

globals_ = compiled("globals.c")
RANK = re.compile(r"rank (\d+) words a b c options 13 rest x rand (\d+) (\d+) right")
drawn = []
for carrier in ["fibers", "threads"]:
    result = run("-n", "4", "--carrier", carrier, globals_, "-a", "x", "-b", "3")
    lines = sorted(result.stdout.splitlines())
    whole = [RANK.fullmatch(line) for line in lines[4:]]
    right = lines[:4] == [f"end {rank}" for rank in range(4)] and len(whole) == 4 and all(whole)
    check(result, 0, right, f"{carrier}: each rank has globals, rand, strtok, getopt and atexit of its own")
    if right:
        drawn.append([found.groups() for found in whole])
# libc's numbers for the seeds of rank 0, as a program that was started by itself draws them.
result = execute([globals_, "-a", "x", "-b", "3"])
alone = RANK.fullmatch((result.stdout.splitlines() or [""])[0])
check(result, 0, alone and drawn and all(numbers[0] == alone.groups() for numbers in drawn),
      "started by itself it is rank 0, and draws the same numbers")  # fmt: skip
result = execute([globals_, "-a", "x", "-b", "3"], env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"})
check(result, 0, "each is alone in its world; `kportrun -n 2 PROGRAM`" in result.stderr, "under mpirun it says that it is alone")
result = execute([globals_, "-a", "x", "-b", "3"], env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "1"})
check(result, 0, "alone" not in result.stderr, "under mpirun, rank 0 alone says so")
shared = compiled("globals.c", "-fno-private", to="shared")
result = run("-n", "3", shared, "-a", "x", "-b", "3")
check(result, 0, "wrong" in result.stdout, "-fno-private: ranks share the globals")
result = run("-n", "2", "--prefix", globals_, "-a", "x", "-b", "3")
lines = sorted(result.stdout.splitlines())
check(result, 0, lines[0] == "0: end 0" and lines[3].startswith("1: rank 1 words"), "--prefix")

# --- What kportcc links is not built ---

for ninja in [True, False]:
    text = (tools / "kportcc").read_text()
    absent = made / ("unbuilt" if ninja else "incomplete")
    absent.mkdir()
    if ninja:
        (absent / "build.ninja").touch()
    text = re.sub(r"^(core|parts)=.*$", rf"\1={absent}", text, flags=re.M)
    (absent / "kportcc").write_text(text)
    (absent / "kportcc").chmod(0o755)
    result = execute([absent / "kportcc", programs / "globals.c", "-o", absent / "program"])
    words = f"is not built; this builds it: ninja -C {absent}" if ninja else "is missing, so this installation"
    check(result, 1, words in result.stderr, f"kportcc: {words.split(';')[0]}")

# --- A mismatch in the words of MPI ---

differ = compiled("differ.c")
numbers = {text[-4]: i for i, text in enumerate((programs / "differ.c").read_text().splitlines(), 1) if text.endswith("*/")}
sentence = (f"rank 0 called MPI_Comm_dup ({programs}/differ.c:{numbers['A']}), "
            f"rank 1 called MPI_Barrier ({programs}/differ.c:{numbers['B']})")  # fmt: skip
for carrier in ["fibers", "threads"]:
    result = run("-n", "2", "--carrier", carrier, differ)
    told = result.stderr.replace("\n", " ")
    right = sentence in told or ", ".join(reversed(sentence.split(", "))) in told
    tests.check(result.returncode not in [0, 3] and right, f"{carrier}: the functions that differ have their names", said(result))

# --- C++, OpenMP, the compiler's options ---

if shutil.which(os.environ.get("KPORT_CXX", "c++")):
    statics = compiled("statics.cpp", compiler="kportc++")
    for carrier in ["fibers", "threads"]:
        result = run("-n", "3", "--carrier", carrier, statics)
        wanted = [f"destroyed {rank}" for rank in [0, 1, 100, 101, 102, 2]] + [f"rank {r} right caught" for r in range(3)]
        check(result, 0, sorted(result.stdout.splitlines()) == wanted, f"{carrier}: C++'s static objects are private")
else:
    tests.skip("kportc++", "there is no C++ compiler")
result = execute([tools / "kportcc", "-fopenmp", programs / "threads.c", "-o", made / "openmp"])
if result.returncode == 0:
    result = run("-n", "4", made / "openmp")
    check(result, 0, result.stdout.count(" right") == 4, "each rank has OpenMP threads")
    hybrid = compiled("hybrid.c", "-fopenmp")
    result = run("-n", "4", "--carrier", "threads", hybrid)
    check(result, 0, result.stdout.count(" right") == 4, "threads: a rank calls MPI in a parallel region of OpenMP")
    line = next(i for i, text in enumerate((programs / "hybrid.c").read_text().splitlines(), 1) if "/* here */" in text)
    result = run("-n", "4", hybrid)
    sentence = f"MPI_Allreduce at {programs}/hybrid.c:{line}: the call is in a parallel region of OpenMP"
    check(result, 1, sentence in result.stderr, "fibers: a rank calls MPI in a parallel region of OpenMP")
else:
    tests.skip("OpenMP", "the compiler has none")
# Threads that call MPI.
serialized = compiled("serialized.c", "-pthread")
result = run("-n", "4", "--carrier", "threads", serialized)
right = sorted(result.stdout.splitlines()) == [f"rank {rank} granted 2 right" for rank in range(4)]
check(result, 0, right, "threads: a rank's threads call MPI, one at a time")
result = execute([serialized])
check(result, 0, result.stdout == "rank 0 granted 2 right\n", "started by itself: the rank's threads call MPI")
text = (programs / "serialized.c").read_text().splitlines()
at = {word: next(i for i, line in enumerate(text, 1) if word in line) for word in ["MPI_Irecv(&got", "/* at once */"]}
place = f"{programs}/serialized.c:{at['MPI_Irecv(&got']}"
for carrier, way in [("fibers", "fibers"), ("threads", "funneled")]:
    result = run("-n", "2", "--carrier", carrier, serialized, way)
    sentence = f"MPI_Irecv at {place}: a thread that the rank has started calls MPI, and MPI_Init_thread has granted MPI_THREAD_FUNNELED"
    check(result, 1, sentence in result.stderr, f"{carrier}: MPI_THREAD_FUNNELED is granted, and another thread calls")
result = run("-n", "2", "--carrier", "threads", serialized, "at once")
sentence = (f"rank 0: MPI_Send at {programs}/serialized.c:{at['/* at once */']}: another thread of the rank is in MPI_Recv at the "
            "same time, and MPI_Init_thread has granted MPI_THREAD_SERIALIZED")  # fmt: skip
check(result, 1, sentence in result.stderr, "two threads of a rank call at once")
result = run("-n", "2", "--carrier", "threads", serialized, "exit")
check(result, 4, result.stdout == "", "a thread of a rank calls exit")
# A general request.
general = compiled("general.c", "-pthread")
result = run("-n", "3", "--carrier", "threads", general)
right = sorted(result.stdout.splitlines()) == [f"rank {rank}: 3 items, state 0" for rank in range(3)]
check(result, 0, right, "another thread completes the general request for which a rank waits")
result = run("-n", "2", "--carrier", "threads", general, "late")
line = next(i for i, text in enumerate((programs / "general.c").read_text().splitlines(), 1) if "/* here */" in text)
sentence = f"MPI_Wait at {programs}/general.c:{line}: a general request that MPI_Grequest_complete has not ended"
check(result, 16, "deadlock" in result.stderr and sentence in result.stderr, "the thread that could complete it has ended")
# A finding that comes again and again.
result = run("-n", "2", "--report", "json", compiled("again.c"))
findings = [json.loads(line) for line in result.stderr.splitlines()]
told = sorted((found["kind"], found["rank"], found.get("times", 1)) for found in findings)
wanted = [("returned", 0, 1), ("returned", 0, 1), ("returned", 0, 30), ("returned", 1, 1), ("returned", 1, 1), ("returned", 1, 30),
          ("type", 1, 1), ("type", 1, 30)]  # fmt: skip
check(result, 0, told == wanted, "a finding that comes again and again is told once, and how often it came")

# A program of another build.
other = made / "other"
other.write_bytes(re.sub(rb"interface [0-9a-f]{16}", b"interface 0123456789abcdef", globals_.read_bytes()))
other.chmod(0o755)
result = run("-n", "2", other)
sentence = f"kportrun: {other} has been linked by kportcc of another build of kport"
check(result, 126, result.stderr.startswith(sentence) and result.stderr.count("\n") == 1, "a program of another build is refused")

# Ranks that sleep and yield.
sleeps = compiled("sleeps.c", "-fno-private")
for options in [["--workers", "1"], ["--workers", "2"], ["--seed", "7"], ["--carrier", "threads"]]:
    result = run("-n", "4", *options, sleeps)
    right = sorted(result.stdout.splitlines()) == [f"rank {rank} right" for rank in range(4)]
    check(result, 0, right, f"{' '.join(options)}: others go on while a rank sleeps, and there is no deadlock")
    result = run("-n", "4", *options, "--report", "json", sleeps, "deadlock")
    findings = [json.loads(line) for line in result.stderr.splitlines()]
    right = result.returncode != 0 and [found["kind"] for found in findings] == ["deadlock"]
    tests.check(right, f"{' '.join(options)}: a deadlock after the sleep", said(result))

# Threads that are bound to CPUs.
bound = compiled("bound.c")
usable = sorted(os.sched_getaffinity(0))
result = run("-n", "4", "--bind", str(usable[0]), bound)
if "this build" in result.stderr:
    check(result, 2, result.stderr.startswith("kportrun: --bind is given, but this build "), "a build that binds no thread refuses --bind")
else:
    wanted = [f"rank {rank} on\t{usable[0]}" for rank in range(4)]
    check(result, 0, sorted(result.stdout.splitlines()) == wanted, "--bind with one CPU: all ranks run there")
    if len(usable) > 1:
        two = usable[:2]
        for options in [["--workers", "2"], ["--carrier", "threads"]]:
            result = run("-n", "4", *options, "--bind", f"{two[1]},{two[0]}", bound)
            wanted = [f"rank {rank} on\t{two[rank < 2]}" for rank in range(4)]
            check(result, 0, sorted(result.stdout.splitlines()) == wanted, f"{' '.join(options)} --bind: half of the ranks on each CPU")
    for part in ["core", "numa"]:
        check(run("-n", "2", "--bind", part, bound), 0, True, f"--bind {part}")
    result = run("-n", "2", "--bind", "cores", bound)
    check(result, 2, "kportrun: --bind is 'cores'; on this computer it may be core (" in result.stderr, "--bind is wrong")
    result = run("--bind", "core", bound, env={**os.environ, "HWLOC_SYNTHETIC": "pack:2 core:2 pu:1"})
    check(result, 2, "shows another computer than this one" in result.stderr, "no thread is bound to another computer")
result = run("--bind", "core", bound, env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"})
check(result, 2, "--bind is given, but mpirun binds" in result.stderr, "under mpirun --bind is refused")

# A profiler's functions in place of MPI's, and the place of a call by a function's address.
execute([tools / "kportcc", "-DKP_NO_CALL_SITES", "-c", programs / "profile.c", "-o", made / "profile.o"])
pointer = compiled("pointer.c", str(made / "profile.o"))
for carrier in ["fibers", "threads"]:
    result = run("-n", "3", "--carrier", carrier, pointer)
    wanted = ["rank 0 sent 1", "rank 1 sent 0", "rank 2 sent 0"]
    check(result, 0, sorted(result.stdout.splitlines()) == wanted, f"{carrier}: a program has its own MPI_Send, which calls PMPI_Send")
line = next(i for i, text in enumerate((programs / "pointer.c").read_text().splitlines(), 1) if "/* here */" in text)
finding = json.loads(run("-n", "2", "--report", "json", pointer, "x").stderr.splitlines()[0])
right = finding["file"].endswith("/pointer.c") and finding["line"] == line and f"pointer.c:{line}: the source is rank 77" in finding["sentence"]
tests.check(right, "the place of a call by address, by debug information", str(finding))
for option, wanted in [("-g0", r"MPI_Recv at receive_from\+0x[0-9a-f]+: "), ("-s", r"MPI_Recv at bare\+0x[0-9a-f]+: ")]:
    result = run("-n", "2", compiled("pointer.c", option, "-g0", to="bare"), "x")
    tests.check(re.search(wanted, result.stderr), f"the place of a call by address, with {option}", said(result))
# As configure and make call a compiler.
(made / "part.c").write_text("int part(void) { return 3; }\n")
(made / "whole.c").write_text("#include <math.h>\nint part(void);\nint main() { return part() + (int)sqrt(part() - 3.); }\n")
for name, arguments, wanted in [
    ("only compiled", ["-O2", "-c", "part.c", "-o", "part.o"], 0),
    ("compiled and linked", ["-o", "whole", "whole.c", "part.o", "-lm"], 0),
    ("of several sources", ["whole.c", "part.c", "-pie", "-lm", "-o", "whole2"], 0),
    ("a shared object", ["-shared", "part.c", "-o", "libpart.so"], 0),
    ("linked with it", ["whole.c", "-L.", "-lpart", "-lm", "-Wl,-rpath,$ORIGIN", "-o", "whole3"], 0),
    ("an undefined function", ["whole.c", "-lm"], 1),
    ("static", ["-static", "whole.c", "part.c"], 1),
    ("no input", ["--version"], 0),
    ("preprocessed", ["-E", "whole.c"], 0),
]:  # fmt: skip
    result = execute([tools / "kportcc", *arguments], cwd=made)
    tests.check(result.returncode == wanted, f"kportcc, {name}", said(result))
result = execute(["sh", "-c", "echo 'int main() { return 0; }' | \"$0\" -xc - -o read", tools / "kportcc"], cwd=made)
tests.check(result.returncode == 0, "kportcc, from standard input", said(result))
for program, status in [("whole", 3), ("whole2", 3), ("whole3", 3), ("read", 0)]:
    result = execute([made / program])
    tests.check(result.returncode == status, f"{program} starts by itself", said(result))
if shutil.which("clang"):
    result = execute([tools / "kportcc", "-cc=clang", "-fsanitize=thread", "whole.c", "part.c"], cwd=made)
    tests.check("-fsanitize=thread is served with gcc" in result.stderr, "kportcc refuses clang's ThreadSanitizer", said(result))
else:
    tests.skip("kportcc refuses clang's ThreadSanitizer", "there is no clang")
result = execute([tools / "kportcc", "--help"], cwd=made)
tests.check("-fno-private  all ranks" in result.stdout and result.returncode == 0, "kportcc --help names its own options", said(result))
result = execute([tools / "kportcc", "-show", "-O3", "it's.c", "-o", "it"])
tests.check("-O3 'it'\\''s.c' -o it " in result.stdout, "kportcc -show", said(result))

# --- Orders ---

order = compiled("order.c")
one, other = [run("-n", "4", "--seed", seed, order) for seed in ["5", "5"]]
check(one, 0, one.stdout == other.stdout, "the same seed gives the same order")
result = run("-n", "4", "--interleave", "1..20", order)
told = re.search(r"outcome 2: (\d+) seeds?, the first is (\d+): exit status 0; it writes \"got (\d)", result.stderr)
check(result, 1, "20 seeds have" in result.stderr and told, "--interleave finds two outcomes")
if told:
    result = run("-n", "4", "--seed", told[2], order)
    check(result, 0, f"got {told[3]}" in result.stdout, "--seed repeats an outcome")
result = run("-n", "4", "--interleave", "1..20", order, "ordered")
wanted = "got 1\ngot 2\ngot 3\n"
check(result, 0, result.stdout == wanted and "20 seeds have the same outcome" in result.stderr, "--interleave, one outcome")
result = run("-n", "4", "--strict", order)
check(result, 1, "10 seeds have" in result.stderr, "--strict tries ten orders")
address = compiled("address.c")
result = run("-n", "4", "--interleave", "1..20", address)
check(result, 0, "seed 1 writes something else when it runs again" in result.stderr, "an address in the output is no other outcome")
# Seeds 1 and 2 write a and b. Seed 1 writes a again, by chance, so seed 2 runs again. In the other case two seeds do so.
chance = compiled("chance.c")
for number, (letters, seed) in enumerate([("abacdefgh", 2), ("ababccdefgh", 4)]):
    result = run("-n", "2", "--interleave", "1..5", chance, f"{chance}.{number}", letters)
    told = f"seed {seed} writes something else when it runs again" in result.stderr
    check(result, 0, told and "5 seeds have the same outcome" in result.stderr, "the same output of two runs may be chance")
result = run("-n", "4", "--interleave", "1..20", address, "first")
check(result, 1, "20 seeds have" in result.stderr, "which message comes first is one")
result = run("-n", "4", "--strict", "--seed", "3", order)
check(result, 0, "seeds have" not in result.stderr, "--strict with a seed makes one run")

# --- Surroundings ---

GIVE_INPUT = ["sh", "-c", 'echo hello | "$0" "$@"']
surroundings = compiled("surroundings.c")
for carrier in ["fibers", "threads"]:
    result = execute([*GIVE_INPUT, tools / "kportrun", "-n", "3", "--carrier", carrier, "--prefix", "-x", "KPORT_TEST_WORD=a word",
                      surroundings, "input"], timeout=60)  # fmt: skip
    wanted = ["0: end", "0: read hello has a word", "1: end", "1: read nothing has a word", "2: end", "2: read nothing has a word"]
    check(result, 0, sorted(result.stdout.splitlines()) == wanted,
          f"{carrier}: rank 0 reads the input, -x sets a variable, --prefix begins each line")  # fmt: skip
    for code in [0, 1, 42, 255]:  # as under mpirun
        result = run("-n", "3", "--carrier", carrier, surroundings, "abort", str(code))
        check(result, code, f"the program ends all ranks, with {code}" in result.stderr, f"{carrier}: MPI_Abort's code {code} is the exit status")
    result = run("-n", "3", "--carrier", carrier, surroundings, "return", "5")
    check(result, 5, result.stdout.count("read nothing has none\n") == 3, f"{carrier}: a rank's status is the exit status")
result = execute([*GIVE_INPUT, surroundings, "input"])
check(result, 0, result.stdout == "read hello has none\nend", "started by itself it reads the input")

# --- Processes that a rank makes ---

forks = compiled("forks.c")
for carrier in ["fibers", "threads"]:
    result = run("-n", "3", "--carrier", carrier, forks)
    check(result, 0, sorted(result.stdout.splitlines()) == ["a child exits", "a child returns", "statuses 3 and 4"]
          and result.stderr == "", f"{carrier}: a process that a rank makes by fork ends without the ranks")  # fmt: skip

# --- How it ends ---

endings = compiled("endings.c")
for way, status, sentence in [
    ("finalized", 5, ""),
    ("exit", 7, "rank 2: called exit(7) without MPI_Finalize"),
    ("_exit", 8, "rank 2: called exit(8) without MPI_Finalize"),
    ("abort", 42, "rank 2: MPI_Abort"),
    ("thread", 6, ""),
    ("segfault", -11, "rank 2: ended by signal 11 (Segmentation fault); its last call was MPI_"),
    ("overflow", -11, "rank 2: its stack of 8192 KiB is full; its last call was MPI_"),
]:  # fmt: skip
    result = run("-n", "4", endings, way)
    check(result, status, sentence in result.stderr, f"the status of a program that ends by {way}")
result = run("-n", "4", endings, "return")
check(result, result.returncode or 1, "rank 2: ended without MPI_Finalize" in result.stderr, "a rank returns without MPI_Finalize")
result = run("-n", "4", "--strict", endings, "segfault")
check(result, 139, result.stderr.count("ended by signal 11") == 1, "--strict names a crash once")
for _ in range(10):
    result = run("-n", "2", "--carrier", "threads", endings, "both")
    if result.returncode != -11 or result.stderr.count("ended by signal 11") != 1:
        break
check(result, -11, result.stderr.count("ended by signal 11") == 1, "of two ranks that crash at once, one is named")

# --- Requests that nobody has waited for ---

unwaited = compiled("unwaited.c")
for way, options, kinds in [
    ("matched", [], ["request", "request"]),
    ("matched", ["--buffering", "0"], ["request", "request"]),
    ("matched", ["--unchecked", "leaks"], []),
    ("collective", [], ["request", "request"]),
    ("collective", ["--unchecked", "leaks"], []),
    ("unmatched", [], ["request", "unmatched"]),
    ("unmatched", ["--buffering", "0"], ["request", "unmatched"]),
]:  # fmt: skip
    status = int("unmatched" in kinds)
    for seed in range(1, 13):
        result = run("-n", "2", "--seed", str(seed), "--report", "json", *options, unwaited, way)
        told = sorted(json.loads(line)["kind"] for line in result.stderr.splitlines())
        if told != kinds or result.returncode != status:
            break
    check(result, status, told == kinds, f"{way} {' '.join(options)}: 12 orders have one status and the same findings")
result = run("-n", "2", unwaited, "several")
check(result, 0, "; this holds for 100 requests of this line" in result.stderr, "how many requests are left")

result = run("-n", "3", "--timeout", "0.3", endings, "loop")
check(result, 124, "has not ended within 0.3 s" in result.stderr, "--timeout")
late = compiled("late.c")
for carrier in ["fibers", "threads"]:
    result = run("-n", "3", "--timeout", "0.3", "--carrier", carrier, late)
    lines = result.stderr.splitlines()
    right = (len(lines) == 4 and "rank 0: MPI_Recv at " in lines[1] and lines[1].endswith(", waits for rank 1")
             and "rank 1: outside of MPI, after MPI_Barrier at " in lines[2] and "rank 2: MPI_Barrier at " in lines[3])  # fmt: skip
    check(result, 124, right, f"--timeout says what every rank does, on {carrier}")
result = run("-n", "3", "--timeout", "0.3", "--report", "json", late)
told = json.loads(result.stderr)
right = (told["kind"] == "timeout" and [rank["function"] for rank in told["ranks"]] == ["MPI_Recv", "MPI_Barrier", "MPI_Barrier"]
         and told["ranks"][0]["waits_for"] == [1] and told["ranks"][1]["waits_for"] == [] and told["ranks"][1]["line"] > 0)  # fmt: skip
check(result, 124, right, "--timeout in JSON has the ranks")
result = run("-n", "3", "--report", "json", late, "deadlock")
told = json.loads(result.stderr)
right = told["kind"] == "deadlock" and [rank["rank"] for rank in told["ranks"]] == [0, 1, 2] and told["ranks"][0]["waits_for"] == [1]
check(result, result.returncode or 1, right, "a deadlock in JSON has the ranks")

result = run("-n", "3", "--report", "json", endings, "exit")
check(result, 7, json.loads(result.stderr.splitlines()[0])["rank"] == 2, "--report json")
result = run("-n", "3", "--trace", made / "trace.json", order)
check(result, 0, "traceEvents" in json.loads((made / "trace.json").read_text()), "--trace")
result = run("-n", "3", "--trace", made / "none.json", endings, "exit")
check(result, 7, "no trace has been written" in result.stderr, "--trace, of a program that is ended")

# --- What is refused ---

for arguments, status, sentence in [
    ([], 2, "no program is named"),
    (["-n", "x", endings], 2, "-n is 'x'; it may be a number from 1 to 65536"),
    (["--seed", "1", "--carrier", "threads", endings], 2, "a seed orders fibers"),
    (["--interleave", "3..1", endings], 2, "--interleave is '3..1'"),
    (["--stack", "8X", endings], 2, "--stack is '8X'"),
    (["--stack", "8K", endings], 2, "--stack is '8K'; it may be 16K or more"),
    (["-x", "=3", endings], 2, "-x is '=3'"),
    ([made / "nothing"], 127, "No such file"),
    ([sys.executable], 126, "has not been linked by kportcc"),
    ([programs / "endings.c"], 126, "Permission denied"),
]:  # fmt: skip
    result = run(*arguments)
    check(result, status, sentence in result.stderr, f"kportrun refuses: {sentence}")
tests.end()
