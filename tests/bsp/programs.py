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

from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:])
here = source / "tests/bsp"
tests = Tests()
# name: (status, sentence, options); the sentence's places are those of wrong.c
PROCESS = r"process \d: "
CASES = {
    "unregistered": (1, r"bsp_put at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "too_early": (1, r"bsp_put at \S+wrong\.c:\d+: block 0x\w+ is registered in this superstep, and can be used from"),
    "popped": (1, r"bsp_get at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "popped_twice": (1, r"bsp_pop_reg at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "pushed_by_some": (1, r"bsp_sync at \S+: numbers of bsp_push_reg in the superstep differ: \d in this process, \d in "
                          r"process \d, there last at \S+wrong\.c:\d+; all"),
    "popped_by_some": (1, r"bsp_sync at \S+: numbers of bsp_pop_reg in the superstep differ: \d in this process, \d in "
                          r"process \d, there last at \S+wrong\.c:\d+; all"),
    "popped_in_other_order": (1, r"bsp_sync at \S+: process \d has taken away other registrations than this process"),
    "beyond": (1, r"bsp_hpput at \S+wrong\.c:\d+: bytes 30 \.\.\. 33 are out of bounds, as process 1 has registered 32 bytes"),
    "negative_offset": (1, r"bsp_get at \S+wrong\.c:\d+: offset is -4; it may not be negative"),
    "no_part": (1, r"bsp_put at \S+wrong\.c:\d+: (?:bytes 0 \.\.\. 3 are out of bounds, as process 1 has registered 0 bytes|"
                   r"block 0x\w+ is not registered)"),
    "no_process": (1, r"bsp_send at \S+wrong\.c:\d+: pid is 3; it may be 0 \.\.\. 2"),
    "sync_missing": (1, r"bsp_\w+ at \S+wrong\.c:\d+: process \d has called bsp_\w+ at \S+wrong\.c:\d+ instead"),
    "ended": (7, r"bsp_pid at \S+wrong\.c:\d+: the program has called exit\(7\) after this call, without bsp_end"),
    "no_end": (1, r"bsp_pid at \S+wrong\.c:\d+: its program has ended after this call, without bsp_end"),
    "begin_twice": (1, r"bsp_begin at \S+wrong\.c:\d+: was called twice"),
    "begin_again": (1, r"bsp_begin at \S+wrong\.c:\d+: was called after bsp_end"),
    "init_late": (1, r"bsp_init at \S+wrong\.c:\d+: was called after bsp_begin"),
    "tag_sizes": (1, r"bsp_sync at \S+wrong\.c:\d+: the lengths of tags differ: \d in this process, \d in process \d"),
    "tag_size_by_some": (1, r"bsp_sync at \S+wrong\.c:\d+: numbers of bsp_set_tagsize in the superstep differ"),
    "no_message": (1, r"bsp_move at \S+wrong\.c:\d+: there is no message to take"),
    "aborted": (1, r"bsp_abort: x is 42\n"),
    "before": (1, r"bsp_sync at \S+wrong\.c:\d+: was called before bsp_begin"),
    "no_processes": (1, r"bsp_begin at \S+wrong\.c:\d+: processes is 0; it may be 1 \.\.\. 3"),
    "numbers": (1, r"bsp_begin at \S+wrong\.c:\d+: processes is 2 in process 0, and 1 in process 1; without bsp_init all"),
}  # fmt: skip
# With --check, after which the program goes on.
CHECKED = {
    "conflict": r"process 0: bsp_sync at \S+: process 1 \(bsp_put at \S+wrong\.c:\d+\) and process 2 \(bsp_put at "
                r"\S+wrong\.c:\d+\) put different values at the same place in this superstep; that of process 1 stays",
    "changed": r"process 1 has changed what its bsp_hpput at \S+wrong\.c:\d+ sends, before the end of the superstep",
    "unfinished": r"bsp_end at \S+wrong\.c:\d+: what was asked for since the last bsp_sync is not done",
}  # fmt: skip


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
    result = kportrun("-n", 3, "--check", program, "same_values")
    tests.check(result.returncode == 0 and not result.stderr, "the same values are no conflict", said(result))
    result = kportrun("-n", 3, "--report", "json", program, "beyond")
    finding = json.loads(result.stderr)
    tests.check(finding["kind"] == "bounds" and finding["function"] == "bsp_hpput" and finding["line"] > 0,
                "a finding as JSON", said(result))  # fmt: skip


def check_same_order(program):
    """The same seed gives the same sentence."""
    first, again = (kportrun("-n", 3, "--seed", 11, program, "sync_missing").stderr for _ in range(2))
    tests.check(first == again, "a seed repeats a report", first + again)
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
    result = execute([tools / "kportc++", "-bsp", "-Wall", "-Wextra", "-Werror", here / "right.cpp", "-o", folder / "cpp"])
    if tests.check(result.returncode == 0, "kportc++ -bsp compiles right.cpp", said(result)):
        result = kportrun("-n", 3, folder / "cpp")
        tests.check(result.returncode == 0 and result.stdout == "3 messages of 24 bytes\n", "right.cpp", said(result))


def check_report(folder, program):
    result = kportrun("-n", 4, "--bsp-report", program)
    places = re.findall(r"right\.c:\d+$", result.stderr, re.MULTILINE)
    tests.check(result.returncode == 0 and len(places) == 4, "--bsp-report names the end of each superstep", said(result))
    result = kportrun("-n", 4, f"--bsp-report={folder}/r.json", program)
    report = json.loads((folder / "r.json").read_text())
    steps = report["supersteps"]
    # right.c: process 0 gets a word of each process, and puts one to each.
    tests.check(report["processes"] == 4 and [step["h"] for step in steps] == [0, 4, 4, 0]
                and [step["messages"] for step in steps] == [0, 4, 4, 0], "h and messages of each superstep", str(steps))  # fmt: skip
    right = all(abs(step["predicted_us"] - step["w_us"] - step["h"] * step["g_us"] - report["l_us"]) < 1e-3 for step in steps)
    tests.check(right, "the prediction is w + h g + l", str(report))
    result = kportrun("-n", 4, f"--bsp-report={folder}/r.svg", program)
    drawing = xml.etree.ElementTree.parse(folder / "r.svg").getroot()
    bars = [bar for bar in drawing.iter("{http://www.w3.org/2000/svg}rect") if bar.get("fill") != "white"]
    tests.check(len(bars) == 16, "the drawing has four bars for each superstep", str(len(bars)))
    result = kportrun("-n", 4, f"--bsp-report={folder}/none/r.txt", program)
    tests.check(result.returncode == 1 and "cannot write" in result.stderr, "a report that cannot be written", said(result))
    result = kportrun("-n", 4, "--bsp-parameters")
    numbers = [float(word) for word in result.stdout.split()[2:]]
    tests.check(result.returncode == 0 and len(numbers) == 3 and min(numbers[0], numbers[2]) > 0, "--bsp-parameters", said(result))


def check_bench():
    result = execute([tools / "kport", "bench", "bsp", "-n", "2,3"])
    rows = [line.split()[:2] for line in result.stdout.splitlines()[1:]]
    tests.check(result.returncode == 0 and ["2", "threads"] in rows and ["3", "threads"] in rows, "kport bench bsp",
                said(result))  # fmt: skip
    result = execute([tools / "kport", "bench", "bsp", "-n", "two"])
    tests.check(result.returncode != 0 and "-n is 'two'" in result.stderr, "kport bench bsp refuses a wrong number",
                said(result))  # fmt: skip


def check_options(program):
    result = kportrun("-n", 2, "--buffering", 0, program)
    tests.check(result.returncode == 2 and "--buffering is for programs of MPI" in result.stderr, "--buffering is refused",
                said(result))  # fmt: skip


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check_right(folder)
    wrong = compiled(folder, "wrong")
    check_wrong(wrong)
    check_same_order(wrong)
    check_report(folder, folder / "right")
    check_options(folder / "right")
    check_bench()
    check_cpp(folder)
tests.end()
