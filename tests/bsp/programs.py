"""What the authors of wrong BSP programs are told (wrong.c), and what kportcc -bsp and kportrun do.

usage: programs.py SOURCE_FOLDER TOOLS
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from cases import CASES, CHECKED, PROCESS
from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:])
here = source / "tests/bsp"
tests = Tests()
def kportrun(*arguments, given="input\n"):
    return subprocess.run([tools / "kportrun", *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          input=given)  # fmt: skip


def compiled(folder, name, *options):
    program = folder / (name + "".join(options))
    result = execute([tools / "kportcc", "-bsp", "-g", "-std=c11", "-Wall", "-Wextra", "-Werror", *options, here / f"{name}.c",
                      "-o", program])  # fmt: skip
    tests.check(result.returncode == 0, f"kportcc -bsp compiles {name}.c {' '.join(options)}", said(result))
    return program


def check_wrong(program):
    for name, (status, sentence) in CASES.items():
        for options in ([], ["--carrier", "threads"], ["--seed", "3"]):
            result = kportrun("-n", 3, *options, program, name)
            tests.check(result.returncode == status and re.search("kportrun: " + PROCESS + "(?:" + sentence + ")", result.stderr),
                        f"{name} {' '.join(options)}", said(result))  # fmt: skip
    for name, sentence in CHECKED.items():
        result = kportrun("-n", 3, "--check", program, name)
        tests.check(result.returncode == 0 and re.search(sentence, result.stderr), f"{name} --check", said(result))
        result = kportrun("-n", 3, program, name)
        tests.check(result.returncode == 0 and not result.stderr, f"{name} without --check", said(result))
    result = kportrun("-n", 3, "--check", program, "conflict")
    tests.check(result.stdout == "1\n", "of a conflict the lower process's value stays", said(result))
    result = kportrun("-n", 3, "--check", program, "conflict_hp")
    tests.check(result.stdout == "1\n", "nor does bsp_hpput change that", said(result))
    result = kportrun("-n", 3, "--check", program, "same_values")
    tests.check(result.returncode == 0 and not result.stderr, "the same values are no conflict", said(result))
    result = kportrun("-n", 3, "--report", "json", program, "beyond")
    finding = json.loads(result.stderr)
    tests.check(finding["kind"] == "bounds" and finding["function"] == "bsp_hpput" and finding["line"] > 0,
                "a finding as JSON", said(result))  # fmt: skip


def check_late(program):
    """When --timeout is over, the report says what every process does."""
    does = ["in bsp_sync, waits for process 1", "outside of a sync", "in bsp_sync, waits for process 1"]
    for carrier in ("fibers", "threads"):
        result = kportrun("-n", 3, "--timeout", "0.3", "--carrier", carrier, program, "endless")
        tests.check(result.returncode == 124 and result.stderr.splitlines()[1:]
                    == [f"  process {i}: {what}" for i, what in enumerate(does)], f"--timeout, {carrier}", said(result))  # fmt: skip
    result = kportrun("-n", 3, "--timeout", "0.3", "--report", "json", program, "endless")
    told = json.loads(result.stderr)
    tests.check(told["kind"] == "timeout" and [process["does"] for process in told["ranks"]] == does, "--timeout in JSON",
                said(result))  # fmt: skip


def check_same_order(program):
    """The same seed gives the same sentence, but for addresses."""
    for name in [*CASES, *CHECKED]:
        checks = ["--check"] if name in CHECKED else []
        first, again = (
            re.sub("0x[0-9a-f]+", "0x", kportrun("-n", 3, "--seed", 11, *checks, program, name).stderr) for _ in range(2)
        )
        tests.check(first and first == again, f"a seed repeats the report of {name}", first + again)
    result = kportrun("-n", 3, "--interleave", "1..5", program, "none")
    tests.check(result.returncode == 0, "--interleave runs BSP programs", said(result))


def check_right(folder):
    for options in ([], ["-fno-private"]):
        program = compiled(folder, "right", *options)
        for n in (1, 2, 5, 16):
            for carrier in ("fibers", "threads"):
                result = kportrun("-n", n, "--carrier", carrier, program)
                tests.check(result.returncode == 0 and result.stdout == f"{n} processes, sum {n * (n + 1) // 2}\n",
                            f"right, {n} {carrier} {' '.join(options)}", said(result))  # fmt: skip
        result = kportrun("-n", 5, program, 3)
        tests.check(result.stdout == "3 processes, sum 6\n", f"fewer processes than there may be {' '.join(options)}",
                    said(result))  # fmt: skip
    result = execute([folder / "right"])
    tests.check(result.stdout == "1 processes, sum 1\n", "a program of kportcc by itself is one process", said(result))
    result = execute([folder / "right-fno-private", "4"])
    tests.check(result.stdout == "4 processes, sum 10\n", "with shared globals it starts threads", said(result))


def check_cpp(folder):
    """C++ has overloads where C has _Generic."""
    if not shutil.which("c++"):
        return
    result = execute([tools / "kportc++", "-bsp", "-Wall", "-Wextra", "-Wold-style-cast", "-Werror", here / "right.cpp",
                      "-o", folder / "cpp"])  # fmt: skip
    if tests.check(result.returncode == 0, "kportc++ -bsp compiles right.cpp", said(result)):
        result = kportrun("-n", 3, folder / "cpp")
        tests.check(result.returncode == 0 and result.stdout == "3 messages of 24 bytes\n", "right.cpp", said(result))


def check_layout(folder):
    """A program that was compiled for another layout of what bsp_inline.h has is not linked, and does not start."""
    header = (source / "include/kport-bsp/bsp_inline.h").read_text()
    layout = re.search(r"#define KP_BSP_LAYOUT (kp_bsp_layout_\d+)\n", header)[1]
    other = layout.translate(str.maketrans("0123456789", "9012345678"))
    compiler = [tools / "kportcc", "-bsp", "-O2", "-Wl,-z,lazy", here / "right.c", "-o"]
    result = execute([*compiler, folder / "unlinked", f"-D{layout}={other}"])
    tests.check(result.returncode != 0 and other in result.stderr, "another layout is not linked", said(result))
    result = execute([*compiler, folder / "other"])
    tests.check(result.returncode == 0, "right.c with functions that are looked for late", said(result))
    program = (folder / "other").read_bytes()
    (folder / "other").write_bytes(program.replace(layout.encode(), other.encode()))
    result = kportrun("-n", 2, folder / "other")
    tests.check(result.returncode != 0 and other in result.stderr and not result.stdout, "another layout does not start",
                said(result))  # fmt: skip


def check_report(folder, program):
    result = kportrun("-n", 4, "--bsp-report", program)
    places = re.findall(r"right\.c:(\d+) \.\.\. \S+right\.c:(\d+)$", result.stderr, re.MULTILINE)
    follow = all(end == begin for (_, end), (begin, _) in zip(places, places[1:]))
    tests.check(result.returncode == 0 and len(places) == 4 and follow, "--bsp-report names where each superstep begins and ends",
                said(result))  # fmt: skip
    result = kportrun("-n", 4, f"--bsp-report={folder}/r.json", program)
    report = json.loads((folder / "r.json").read_text())
    steps = report["supersteps"]
    # right.c: process 0 gets a word of each process, and puts one to each.
    tests.check(report["processes"] == 4 and [step["h"] for step in steps] == [0, 4, 4, 0]
                and [step["messages"] for step in steps] == [0, 4, 4, 0], "h and messages of each superstep", str(steps))  # fmt: skip
    ways = [step["way"] for step in steps]
    tests.check(ways == ["barrier", "gets", "queues", "barrier"], "how the data of each superstep went", str(ways))
    text = (here / "right.c").read_text().splitlines()
    begins = [text[step["begin_line"] - 1].strip() for step in steps]
    tests.check(begins == ["bsp_begin(processes);"] + 3 * ["bsp_sync();"] and steps[3]["file"].endswith("right.c"),
                "the lines where they begin", str(begins))  # fmt: skip
    right = all(abs(step["predicted_us"] - step["w_us"] - step["h"] * step["g_us"] - report["l_us"]) < 1e-3 for step in steps)
    tests.check(right, "the prediction is w + h g + l", str(report))
    result = kportrun("-n", 4, f"--bsp-report={folder}/r.svg", program)
    drawing = xml.etree.ElementTree.parse(folder / "r.svg").getroot()
    bars = [bar for bar in drawing.iter("{http://www.w3.org/2000/svg}rect") if bar.get("fill") != "white"]
    tests.check(len(bars) == 16, "the drawing has four bars for each superstep", str(len(bars)))
    for words, told in [([f"--bsp-report={folder}/r.csv", program], "its ending may be .txt, .json or .svg"),
                        (["--bsp-report", "r.txt", program], "as in --bsp-report=r.txt"),
                        (["--bsp-parameters", program], "runs no program"),
                        (["--bsp-parameters=rows"], "it may be row, or have no value"),
                        (["--carier", "threads", program], "is --carrier meant?")]:
        result = kportrun("-n", 4, *words)
        tests.check(result.returncode == 2 and told in result.stderr, f"{words[0]}: {told}", said(result))
    result = kportrun("-n", 4, f"--bsp-report={folder}/none/r.txt", program)
    tests.check(result.returncode == 1 and "cannot write" in result.stderr, "a report that cannot be written", said(result))
    result = kportrun("-n", 4, "--bsp-parameters")
    head, row = (result.stdout.splitlines() + ["", ""])[:2]
    tests.check("g, ns/word" in head and "l, us" in head, "--bsp-parameters has a head", said(result))
    words = row.split()[2:]
    right = result.returncode == 0 and len(words) == 3 and all(word == "-" or float(word) >= 0 for word in words)
    tests.check(right and ("-" in words) == ("too much other load to tell; repeat" in result.stderr), "--bsp-parameters", said(result))


def check_work(program):
    for carrier in "fibers", "threads":
        result = kportrun("-n", 2, "--carrier", carrier, f"--bsp-report={folder}/w.json", program)
        works = [step["w_us"] for step in json.loads((folder / "w.json").read_text())["supersteps"]]
        tests.check(result.returncode == 0 and len(works) == 2 and works[0] >= 20000 and works[1] < 10000,
                    f"the work of each superstep, {carrier}", f"{works} {said(result)}")  # fmt: skip


def check_bench():
    result = execute([tools / "kport", "bench", "bsp", "-n", "2,3"])
    rows = [line.split()[:2] for line in result.stdout.splitlines()[1:]]
    tests.check(result.returncode == 0 and ["2", "threads"] in rows and ["3", "threads"] in rows, "kport bench bsp",
                said(result))  # fmt: skip
    for words in ["-c"], []:
        result = execute([tools / "kportcc", *words, here / "right.c", "-o", folder / "no"])
        tests.check(result.returncode == 1 and "right.c includes bsp.h; BSPlib is for programs compiled with kportcc -bsp" in result.stderr,
                    f"kportcc without -bsp {words}", said(result))  # fmt: skip
    result = execute([tools / "kport", "bench", "bsp", "-n", "two"])
    tests.check(result.returncode != 0 and "-n is 'two'" in result.stderr, "kport bench bsp refuses a wrong number",
                said(result))  # fmt: skip


def check_options(program):
    result = kportrun("-n", 2, "--buffering", 0, program)
    tests.check(result.returncode == 2 and "--buffering is for programs of MPI" in result.stderr, "--buffering is refused",
                said(result))  # fmt: skip
    result = execute(["env", "OMPI_COMM_WORLD_SIZE=2", tools / "kportrun", "-n", "2", "--bsp-report", program])
    tests.check(result.returncode == 2 and "mpirun has started this one" in result.stderr and not result.stdout,
                "--bsp-report is refused under mpirun", said(result))  # fmt: skip


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check_right(folder)
    wrong = compiled(folder, "wrong")
    check_wrong(wrong)
    check_same_order(wrong)
    check_late(wrong)
    # MulticoreBSP's header
    multicore = compiled(folder, "wrong", "-DMULTICORE")
    for name in ("put_beyond", "unregistered_direct_get", "null_count"):
        result = kportrun("-n", 3, multicore, name)
        tests.check(result.returncode == 1 and re.search(CASES[name][1], result.stderr), f"{name}, mcbsp.h", said(result))
    check_report(folder, folder / "right")
    check_work(compiled(folder, "works"))
    check_options(folder / "right")
    check_bench()
    check_cpp(folder)
    check_layout(folder)
tests.end()
