"""Algorithms from shared objects: --load and KPORT_LOAD with every command, what is refused and how, and kport new.

usage: load.py PROGRAM SOURCE_FOLDER short|stress C_COMPILER...

stress: the commands that measure for seconds.
"""

import csv
import json
import os
import pathlib
import re
import sys
import tempfile

from tap import Tests, execute, said

program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
stress = sys.argv[3] == "stress"
compiler = sys.argv[4:]
tests = Tests()
environment = {key: value for key, value in os.environ.items() if key != "KPORT_LOAD"} | {"KPORT_TUNE": "builtin"}


def kport(arguments, folder, **more):
    return execute([program, *arguments.split()], cwd=folder, env=environment | more)


def compiled(source, made):
    result = execute([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                      f"-I{root / 'include'}", source, "-o", made])  # fmt: skip
    return tests.check(result.returncode == 0, f"{pathlib.Path(source).name} is compiled", said(result))


def expect(folder, arguments, status, words, **more):
    """The command ends with this status, and its message or output has these words."""
    result = kport(arguments, folder, **more)
    where = result.stderr if status else result.stdout
    right = result.returncode == status and words in where and (status == 0 or not result.stdout)
    tests.check(right, f"{' '.join(more.values())} {arguments}: {words}", said(result))
    return result


# --- The example, through every command ---

NAME = "neighbor-exchange"
PROBLEM = f"concat:n=6,k=1,b=8,alg={NAME}"
COMMANDS = [
    ("list", NAME),
    (f"cost {PROBLEM}", "C1             3 rounds"),
    (f"show {PROBLEM}", NAME),
    (f"check {PROBLEM}", "right"),
    ("check --all --max-n 4", "all right"),
    (f"run {PROBLEM}", "verified: every byte"),
    (f"run {PROBLEM},carrier=fibers", "verified: every byte"),
    (f"bench concat:alg={NAME} -n 6 -k 1 -m 8:8 -i 2 -c --json", "Pass"),
    ("explain concat:n=6,k=1,b=8 --all", NAME),
    ("bounds 6 1 8", "concat          C1 >= 3"),
    ("tables --n 16 --words 16", "ring"),
    ("soak --seconds 1 --seed 1", ""),
]


def through_all(folder):
    for arguments, words in COMMANDS:
        if "fibers" in arguments and "without fibers" in kport("--version", folder).stdout:
            continue
        expect(folder, f"{arguments} --load example.so", 0, words)
    result = expect(folder, f"cost {PROBLEM}", 2, f"alg is '{NAME}'; for concat it may be")
    tests.check(result.stderr.endswith("; an algorithm of your own needs --load FILE.so\n"), "an unknown algorithm", said(result))
    rows = json.loads(kport("list --json --load example.so", folder).stdout)["algorithms"]
    place = [row["algorithm"] for row in rows if row["operation"] == "concat"].index(NAME)
    tests.check(place == len([row for row in rows if row["operation"] == "concat"]) - 1,
                "it stands behind the other algorithms of its operation", rows)  # fmt: skip
    refused = kport("cost concat:n=5,k=1,b=8,alg=neighbor-exchange --load example.so", folder)
    tests.check(refused.returncode == 2 and "it serves even n" in refused.stderr, "it serves even n", said(refused))


def measured(folder):
    """What is measured has it among its candidates, and what reads the profile without it says so."""
    figure = "figures drawn --only concat --carrier threads --n 2 --quick --seconds 60"
    result = kport(f"{figure} --load example.so", folder)
    table = folder / "drawn" / "concat-threads.csv"
    tests.check(table.exists() and NAME in table.read_text(), "kport figures measures it", said(result))
    expect(folder, "tune -n 2 -k 1 --operation concat --seconds 4 --profile p.json --load example.so", 0, "beta")
    settings = json.loads((folder / "p.json").read_text())["settings"]
    candidates = [row["algorithm"] for row in settings[0]["operations"][0]["candidates"]]
    tests.check(NAME in candidates, "kport tune measures it", candidates)
    expect(folder, "explain concat:n=2,k=1,b=8 --all --tune p.json --load example.so", 0, NAME)
    expect(folder, "explain concat:n=2,k=1,b=8 --tune p.json", 2, f'algorithm "{NAME}" is none of concat')


# An algorithm that is right, but never comes to an end where a processor's thread builds it.
ENDLESS = """#define _GNU_SOURCE
#include <kport/schedule.h>
#include <sys/syscall.h>
#include <unistd.h>
static int build(kp_builder *b, const kp_problem *p)
{
    if (syscall(SYS_gettid) != getpid())
        sleep(1000);
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int d = 1; d < p->n; d++) {
        kp_build_round(b);
        kp_build_send(b, 0, (p->rank + d) % p->n);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
        kp_build_receive(b, 0, (p->rank + p->n - d) % p->n);
        kp_build_piece(b, kp_run_of(KP_IN, (p->rank + p->n - d) % p->n, 1));
    }
    return KP_OK;
}
static const kp_algorithm endless = {.operation = KP_CONCAT, .name = "endless", .build = build};
KP_ENTRY int kport_load(void)
{
    return kp_algorithm_register(&endless, KP_HEADERS, sizeof endless);
}
"""


def measured_in_time(folder):
    """A point that lasts longer than the announced time: the figures are written with the others."""
    (folder / "endless.c").write_text(ENDLESS)
    if not compiled(folder / "endless.c", folder / "endless.so"):
        return
    figure = "figures over --only concat --carrier threads --n 2 --quick --load endless.so --seconds"
    for seconds in 10, 30, 90:  # a machine that does much else may not come to this point in ten
        result = kport(f"{figure} {seconds}", folder)
        if "the time announced is over" in result.stderr:
            break
    table, page = folder / "over" / "concat-threads.csv", folder / "over" / "index.html"
    rows = table.read_text() if table.exists() else ""
    right = "the time announced is over" in result.stderr and "for want of time" in result.stderr
    timed = {row["algorithm"] for row in csv.DictReader(rows.splitlines()) if row["time_us"]}
    right = right and "ring" in timed and "endless" not in timed and page.exists() and "for want of time" in page.read_text()
    tests.check(right, "figures whose time is over have the points that are there", f"{said(result)}\n{rows}")


def measured_without(folder):
    """kport figures names a wrong algorithm, leaves it out and measures the others."""
    figure = "figures without --only concat --carrier threads --n 2 --quick --seconds 60"
    result = kport(f"{figure} --load mistakes.so", folder, KPORT_MISTAKE="no-receive")
    table = folder / "without" / "concat-threads.csv"
    measured = table.read_text() if table.exists() else ""
    right = result.returncode == 1 and result.stderr.count("alg=mine: ") == 1 and "ring" in measured
    tests.check(right and "mine" not in measured, "kport figures leaves a wrong algorithm out", said(result))


def places_and_errors(folder):
    for arguments in [f"--load example.so cost {PROBLEM}", f"cost --load=example.so {PROBLEM}",
                      f"cost {PROBLEM} --load ./example.so", f"cost {PROBLEM} --load {folder}/example.so"]:  # fmt: skip
        expect(folder, arguments, 0, "C1")
    expect(folder, f"cost {PROBLEM}", 0, "C1", KPORT_LOAD=":example.so:")
    expect(folder, f"check {PROBLEM} --load mistakes.so", 0, "right", KPORT_LOAD="example.so")
    (folder / "text.so").write_text("no object")
    (folder / "short.so").write_text("")
    compiled_without(folder)
    load = "list --load "
    expect(folder, load + "none.so", 2, 'the object "none.so" cannot be loaded: No such file or directory; a name without')
    expect(folder, load + "./none.so", 2, 'the object "./none.so" cannot be loaded: No such file or directory\n')
    expect(folder, load + "example", 2, 'the object "example" cannot be loaded: No such file or directory; there is example.so')
    for text in ["text.so", "short.so"]:
        expect(folder, load + text, 2, f'the object "{text}" cannot be loaded: it is no shared object; cc -shared -fPIC $(pkg-config')
    (folder / "old.c").write_text("int kp_gone(void);\nint kport_load(void);\nint kport_load(void)\n{\n    return kp_gone();\n}\n")
    compiled(folder / "old.c", folder / "old.so")
    expect(folder, load + "old.so", 2, "undefined symbol: kp_gone; it was compiled for another kport; compile it for this one")
    made = execute([*compiler, "-c", folder / "entryless.c", "-o", folder / "entryless.o"])
    if tests.check(made.returncode == 0, "an object is compiled", said(made)):
        expect(folder, load + "entryless.o", 2, "cannot be loaded: it is an object that is not linked, as cc -c makes it; cc -shared")
    expect(folder, load + ".", 2, "it is no regular file")
    expect(folder, load + "entryless.so", 2, "it has no function `int kport_load(void)`, which registers algorithms; kport new writes")
    expect(folder, "list --load", 2, "--load has no value; it may be the file of a shared object")
    expect(folder, "list", 2, 'the object "none.so" cannot be loaded', KPORT_LOAD="example.so:none.so")
    expect(folder, load + "example.so --load example.so", 2, "concat has an algorithm of this name already")
    expect(folder, "help", 0, "--load FILE.so", KPORT_LOAD="none.so")


def compiled_without(folder):
    (folder / "entryless.c").write_text("int nothing;\n")
    compiled(folder / "entryless.c", folder / "entryless.so")


# --- Mistakes ---

# What an object's registration is refused for.
REGISTERED = {
    "version": "the algorithm was compiled with the headers of kport 0.0.9; this is kport",
    "size": "the size of the algorithm is",
    "collision": "the name of the algorithm is ring; concat has an algorithm of this name already",
    "no-name": "the algorithm has no name",
    "name": 'the name of the algorithm is "a b"; it may have 1 ... 40 letters',
    "no-build": "algorithm mine has no build",
    "operation": "operation of algorithm mine is 99; it may be 0 ... 16",
    "parameter-name": "parameter 1 of algorithm mine has no name",
    "parameter-key": "parameter root of algorithm mine has the name of a key of problem strings",
    "nothing": "its kport_load registers no algorithm",
    "returns": "its kport_load returned 7; 0 means success",
}
# What the check of a schedule says.
CHECKED = {
    "parameter-range": "parameter x of algorithm mine goes from 1 to 0 for n=4, k=1",
    "no-receive": "round 0: processor 3 sends to 0 on port 0, but 0 expects nothing from it",
    "too-many": "round 0: processor 0 sends 3 messages, but has only 1 port",
    "port": "round 0: processor 1 sends to 2 on port 7, which is no port of it",
    "too-early": "round 0: processor 1 sends to 2 on port 0 from place 2 of in, before anything has arrived there",
    "wrong-place": "at the end processor 1 holds the block of processor ",
    "missing": "at the end processor 1 holds nothing in place 1 of in, where the block of processor 1 belongs",
    "cost": "has C1 = 3 and C2 = 24; its stated_cost says 3 and 25",
    "symmetry": "round 0: processor ",  # kport check names another message than the others
    "digits": "a schedule that follows the digits in radix 2 needs n=6 to be a power of it",
    "status": "algorithm mine could not write the part of processor 2",
    "outside": "of out, which has only place 0",
    "no-round": "sends, but kp_build_round has not begun a round",
}


def documented(printed):
    """Each sentence of the tables in doc/manual/guides/own.md is printed for some mistake."""
    section = (root / "doc" / "manual" / "guides" / "own.md").read_text().split("\n## ")[1]
    sentences = [line.split(" | ")[1].removesuffix(" |") for line in section.splitlines() if line.startswith("| ")]
    patterns = [".*".join(map(re.escape, sentence.split("…"))) for sentence in sentences if sentence != "sentence"]
    unsaid = [pattern for pattern in patterns if not re.search(pattern + "$", printed, re.M)]
    tests.check(len(patterns) > 10 and not unsaid, "the sentences in doc/manual/guides/own.md are printed", unsaid)


def left_out(folder):
    """What predict and compare find to be wrong is named, and the other algorithms stay."""
    for mistake in ("too-many", "no-receive", "cost"):
        for command in ("predict concat:n=4,k=1,b=8 --engine loggp", "compare concat --n 4 --k 1 -m 8:16 --all"):
            for named in ("", "-a ring,mine", "-a mine"):
                arguments = f"{command} {named} --load mistakes.so"
                result = kport(arguments, folder, KPORT_MISTAKE=mistake)
                rows = [line.split()[1] for line in result.stdout.splitlines() if line[:10].strip().isdigit()]
                told = "mine is left out: " in result.stderr and CHECKED[mistake] in result.stderr
                right = result.returncode == 1 and told and "mine" not in rows
                right = right and ("ring" in rows) == (named != "-a mine") and result.stderr.count("left out") == 1
                tests.check(right, f"{mistake} {arguments}", said(result))


def chosen(folder):
    """A wrong algorithm that is chosen is named; one that falsely says same_order is refused."""
    for mistake, words in [("cheap", "its stated_cost says 1 and 8"), ("no-receive", CHECKED["no-receive"])]:
        for command in ["cost", "explain", "show", "export", "run"]:
            named = "" if mistake == "cheap" else ",alg=mine"
            result = kport(f"{command} concat:n=4,k=1,b=8{named} --load mistakes.so", folder, KPORT_MISTAKE=mistake)
            # The sentence about a cost begins with the problem by itself, and kport check has nothing to add.
            behind = "alg=mine " if mistake == "cheap" else "alg=mine: "
            right = result.returncode == 1 and result.stderr.count(behind) == 1 and words in result.stderr
            right = right and ("tells how it came" in result.stderr) == (mistake != "cheap")
            tests.check(right and not result.stdout, f"{mistake} {command}{named}", said(result))
    words = "have combined element 0 in different orders, but algorithm mine says same_order"
    for command in ["cost", "explain", "show", "export", "run", "check"]:
        result = kport(f"{command} allreduce:n=3,k=2,count=2,alg=mine --load mistakes.so", folder, KPORT_MISTAKE="order")
        right = result.returncode == 1 and words in result.stderr and not result.stdout
        tests.check(right, f"same_order {command}", said(result))


def mistaken(folder):
    printed = ""
    for mistake, words in REGISTERED.items():
        printed += expect(folder, "list --load mistakes.so", 2, words, KPORT_MISTAKE=mistake).stderr
    for mistake, words in CHECKED.items():
        operation = "broadcast" if mistake == "symmetry" else "concat"
        problem = f"{operation}:n={6 if mistake == 'digits' else 4},k=1,b=8,alg=mine"
        for arguments in [f"check {problem}", f"run {problem}", "check --all --max-n 6"]:
            result = kport(f"{arguments} --load mistakes.so", folder, KPORT_MISTAKE=mistake)
            told = words in result.stderr if "--all" not in arguments else "alg=mine" in result.stderr
            printed += result.stderr
            right = result.returncode in (1, 2) and told and not result.stdout
            tests.check(right, f"{mistake} {arguments}: {words}", said(result))
        # A parameter without a value makes no schedule; every other mistake makes a wrong one.
        status = 2 if mistake == "parameter-range" else 1
        for command in ["show", "cost", "explain", "export", "run", "check"]:
            result = kport(f"{command} {problem} --load mistakes.so", folder, KPORT_MISTAKE=mistake)
            right = result.returncode == status and words in result.stderr and not result.stdout
            tests.check(right, f"{mistake} {command}, status {status}: {words}", said(result))
            if mistake == "cost" and command == "check":
                tests.check(result.stderr.count("alg=mine") == 1, "the problem is named once", said(result))
    documented(printed)
    chosen(folder)
    left_out(folder)
    # Texts that are missing stop no command.
    for arguments in ["list", "list --json", "explain concat:n=4,k=1,b=8", "cost concat:n=4,k=1,b=8,alg=mine,x=1",
                      "show concat:n=4,k=1,b=8,alg=mine", "check concat:n=4,k=1,b=8,alg=mine"]:  # fmt: skip
        result = expect(folder, f"{arguments} --load mistakes.so", 0, "mine", KPORT_MISTAKE="texts")
        tests.check("null" not in result.stdout.replace(": null", ""), f"{arguments}: no text is (null)", said(result))


def undrawn(folder):
    """A schedule that cannot be built has no picture: an old file stays, and the program says so."""
    (folder / "old.svg").write_text("old")
    for command, file, said_of in [("check", "old.svg", ": old.svg is as it was"), ("show", "old.svg", ": old.svg is as it was"),
                                   ("check", "-", "")]:  # fmt: skip
        arguments = f"{command} concat:n=4,k=1,b=8,alg=mine --load mistakes.so --svg {file}"
        result = kport(arguments, folder, KPORT_MISTAKE="no-round")
        right = result.returncode == 1 and f"kport: no picture was drawn{said_of}\n" in result.stderr and not result.stdout
        tests.check(right and (folder / "old.svg").read_text() == "old", arguments, said(result))


# --- kport new ---

OPERATIONS = ["index", "concat", "broadcast", "scatter", "gather", "indexv", "concatv", "scatterv", "gatherv",
              "reduce", "allreduce", "reduce-scatter", "scan", "scan-exclusive", "one-to-one", "reduce-scatterv",
              "barrier"]  # fmt: skip


def written(folder):
    loads = []
    for operation in OPERATIONS:
        expect(folder, f"new my-{operation} --operation {operation}", 0, "")
        if compiled(folder / f"my-{operation}.c", folder / f"my-{operation}.so"):
            loads += [f"my-{operation}.so"]
    expect(folder, "check --all --max-n 5", 0, "all right", KPORT_LOAD=":".join(loads))
    for operation in OPERATIONS:
        block = "" if operation == "barrier" else "b=16,"
        problem = f"{operation}:n=5,k=2,{block}alg=my-{operation}"
        verified = "verified: nobody left before all had come" if operation == "barrier" else "verified: every byte"
        expect(folder, f"run {problem} --repeat 2 --load my-{operation}.so", 0, verified)
        # What its head says.
        text = (folder / f"my-{operation}.c").read_text()
        shown = re.search(r"^ \*   kport (check .*)$", text, re.M)
        expect(folder, shown[1], 0, ": right")
        rooted = operation in ["broadcast", "scatter", "gather", "scatterv", "gatherv", "reduce", "one-to-one"]
        tests.check(("root=3" in shown[1]) == rooted, f"the command in my-{operation}.c has a root", shown[1])
        told = "Ranks are counted from the root" in text or "the root has rank p->root" in text or "the sender is p->root" in text
        tests.check(told == rooted, f"my-{operation}.c says how ranks are counted", text)
        tests.check("kport check compares it with what it counts" in text, f"my-{operation}.c says what stated_cost is", text)
    # The restriction that stands there as comments.
    text = (folder / "my-concat.c").read_text()
    (folder / "power.c").write_text(text.replace("// ", ""))
    if compiled(folder / "power.c", folder / "power.so"):
        expect(folder, "check concat:n=8,k=1,b=16,alg=my-concat --load power.so", 0, ": right")
        expect(folder, "check concat:n=6,k=1,b=16,alg=my-concat --load power.so", 2, "it serves n a power of 2")
    before = (folder / "my-scan.c").read_text()
    expect(folder, "new my-scan --operation index", 2, "my-scan.c exists already, and is not overwritten; give another NAME, or remove")
    tests.check((folder / "my-scan.c").read_text() == before, "a file that exists is left as it is")
    expect(folder, "new mine", 2, "--operation is not given; it may be index (alltoall), concat")
    expect(folder, "new mine --operation sort", 2, '--operation is "sort"; it may be index (alltoall), concat')
    expect(folder, "new --operation index", 2, "NAME is not given")
    expect(folder, "new ../mine --operation index", 2, 'NAME is "../mine"; it may have 1 ... 40')
    expect(folder, "new ring --operation concat", 2, "concat has an algorithm of this name already")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    example, mistakes = root / "examples" / "neighbor_exchange.c", root / "tests" / "cli" / "mistakes.c"
    there = compiled(example, folder / "example.so") and compiled(mistakes, folder / "mistakes.so")
    if there and stress:
        measured(folder)
        measured_without(folder)
        measured_in_time(folder)
    elif there:
        through_all(folder)
        places_and_errors(folder)
        mistaken(folder)
        undrawn(folder)
        written(folder)
tests.end()
