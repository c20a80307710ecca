#!/usr/bin/env python3
"""Compiles and runs the corpus of small MPI programs, and compares what kportrun reports with what each must say.

usage: run.py [--tools FOLDER] [--only WORD] [--sample K/N] [--jobs N] [--verbose] [--keep FOLDER]
              [--options WORDS] [--reference]

The first comment of a program says what is wrong with it, and in lines of their own:
    ranks: N        how many ranks it runs with
    goal: WORDS     right, or what the report must find; "a/b": one of the two will do
    names: ITEMS    what the findings of that goal must name, separated by " | ":
                    R2 (rank 2), {A} (the line with the comment A), a text; "a/b": one of the two
    with: address   compile with AddressSanitizer
All run by one command line, `kportrun -n N --strict --report json PROGRAM`; those with a sanitizer are counted
apart. The status is 0 if each wrong program is found, the finding names what it must, and no right one
is blamed.

--sample K/N: each N-th program, beginning with number K; --only WORD: programs with WORD in their names
--options WORDS: options of kportrun in place of --strict
--reference: compiles all programs with mpicc and runs the right ones under mpirun, which must end with status 0
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECALL = 1  # of these programs; a change that loses one is to be seen
SECONDS = 60  # ends what hangs
# The goals of the kinds that kportrun's findings have, where these are not the goal's own word.
GOAL_OF = {"argument": "parameter", "peer": "deadlock", "before-init": "lifecycle", "after-finalize": "lifecycle",
           "init": "lifecycle", "no-finalize": "lifecycle", "exit": "lifecycle", "type": "mismatch",
           "ready": "mode", "order": "race"}  # fmt: skip
SANITIZED = re.compile(r"AddressSanitizer: (use-after-poison|heap-use-after-free|stack-use-after)")


class Program:
    def __init__(self, path):
        self.path, self.text = path, path.read_text()
        self.name = f"{path.parent.name}/{path.stem}"
        head = self.text.split("*/", 1)[0]
        field = dict(re.findall(r"^ \* (ranks|goal|names|with): (.*)$", head, re.M))
        self.ranks, self.goals = int(field["ranks"]), field["goal"].split("/")
        self.names = [item.split("/") for item in field.get("names", "").split(" | ") if item]
        self.address = field.get("with") == "address"
        self.right = self.goals == ["right"]

    def count(self):
        """In which count the program is."""
        return "with AddressSanitizer" if self.address else "by the fixed command line"

    def lines(self, letter):
        """The lines of the statement before the comment with this letter."""
        lines = self.text.splitlines()
        last = first = next(i for i, line in enumerate(lines) if f"/* {letter} */" in line)
        while not re.search(r"[;{}]\s*$|\*/\s*$|\b(else|do)$|\)$|^\s*$", lines[first - 1]):
            first -= 1
        return range(first + 1, last + 2)


def findings_of(report):
    """The findings of a report of kportrun, which writes an object a line: a list of (goal, text)."""
    found = []
    for line in report.splitlines():
        if line.startswith("{"):
            try:
                read = json.loads(line)
            except json.JSONDecodeError:
                continue
            if "kind" in read and read["kind"] != "returned":  # the program has asked for its errors
                found.append((GOAL_OF.get(read["kind"], read["kind"]), text_of(read)))
    return found


def text_of(finding):
    place = f'{finding.get("function") or ""} {finding.get("file")}:{finding.get("line")}'
    return "\n".join([finding["sentence"], f'rank {finding["rank"]}: {place}'])


def names_rank(text, rank):
    """Whether a text names a rank: "rank 2", "ranks 0, 2 and 3", "ranks 1-3"."""
    for words in re.findall(r"\branks? ((?:\d+(?:\s*(?:-|to|,|and|, and)\s*)?)+)", text):
        for first, last in re.findall(r"(\d+)(?:\s*(?:-|to)\s*(\d+))?", words):
            if int(first) <= rank <= int(last or first):
                return True
    return False


def is_named(program, item, text):
    if re.fullmatch(r"R\d+", item):
        return names_rank(text, int(item[1:]))
    if re.fullmatch(r"\{\w\}", item):
        lines = program.lines(item[1])
        return any(int(line) in lines for line in re.findall(re.escape(program.path.name) + r":(\d+)", text))
    return item in text


def judge(program, findings, ended):
    """What is amiss: ("", "") if nothing is, else (kind of miss, what was got)."""
    got = "; ".join(f"{goal}: {text.splitlines()[0]}" for goal, text in findings) or "nothing"
    if program.right:
        if findings:
            return "false alarm", got
        return ("", "") if ended == "status 0" else ("failed", ended)
    of_goal = [text for goal, text in findings if goal in program.goals]
    if not of_goal:
        return "missed", got
    text = "\n".join(of_goal)
    lacking = ["/".join(item) for item in program.names if not any(is_named(program, it, text) for it in item)]
    return ("not named: " + " | ".join(lacking), text.replace("\n", " ; ")) if lacking else ("", "")


def run(command, seconds=SECONDS):
    """(status in words, output and errors)"""
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    try:
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
                             stdin=subprocess.DEVNULL, env=environment)  # fmt: skip
        return f"status {ran.returncode}", ran.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as hung:
        return f"no end after {seconds} s", (hung.stdout or b"").decode(errors="replace")


def tried(program, tools, folder, options):
    """Compiles and runs a program by kport: what is amiss."""
    made = folder / program.name.replace("/", "-")
    compile_ = [tools / "kportcc", "-g", "-O0", *(["-fsanitize=address"] if program.address else []),
                "-o", made, program.path]  # fmt: skip
    status, output = run(compile_)
    if status != "status 0":
        return "does not compile", output.strip()[-300:]
    status, output = run([tools / "kportrun", "-n", str(program.ranks), "--report", "json", *options, made])
    found = findings_of(output)
    if program.address and SANITIZED.search(output):
        found.append(("buffer", output))
    amiss, got = judge(program, found, status)
    return amiss, got if found or not amiss else f"{got}, {status}: {output.strip()[-300:]}"


def refer(program, folder):
    """Compiles a program with mpicc, and runs it by mpirun if it is right."""
    made = folder / program.name.replace("/", "-")
    status, output = run(["mpicc", "-g", "-O0", "-o", made, program.path])
    if "undefined reference to `MPI_" in output:
        return "", ""  # a function of MPI 4, which this MPI does not have
    if status != "status 0":
        return "does not compile", output.strip()[-300:]
    if not program.right:
        return "", ""
    status, output = run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(program.ranks), made])
    return ("", "") if status == "status 0" else (status, output.strip()[-300:])


def summary(programs, results):
    """Prints a line for each count; whether all hold."""
    holds = True
    for count in sorted({program.count() for program in programs}):
        these = [program for program in programs if program.count() == count]
        wrong = [program for program in these if not program.right]
        amiss = collections.Counter(results[program.name][0].split(":")[0] for program in these)
        blamed = [program for program in these if program.right and results[program.name][0]]
        found = [program for program in wrong if results[program.name][0].split(":")[0] in ("", "not named")]
        named = [program for program in wrong if not results[program.name][0]]
        parts = [f"{len(these)} programs {count}"]
        if wrong:
            parts.append(f"goal recall {len(found) / len(wrong):.3f} ({len(found)} of {len(wrong)}), "
                         f"{len(named)} name all they must")  # fmt: skip
            holds = holds and len(found) >= RECALL * len(wrong) and len(named) == len(found)
        if len(these) > len(wrong):
            parts.append(f"specificity {1 - len(blamed) / (len(these) - len(wrong)):.3f} "
                         f"({len(blamed)} of {len(these) - len(wrong)} right ones blamed)")  # fmt: skip
            holds = holds and not blamed
        print("; ".join(parts) + "".join(f", {n} {kind}" for kind, n in sorted(amiss.items()) if kind))
    return holds


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--tools", default="build/tools", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", default="0/1")
    parser.add_argument("--jobs", default=os.cpu_count() or 2, type=int)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--options", default="--strict")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--reference", action="store_true")
    asked = parser.parse_args()
    first, step = (int(part) for part in asked.sample.split("/"))
    programs = [Program(path) for path in sorted(HERE.glob("*/*.c"))]
    programs = [program for program in programs if asked.only in program.name][first::step]
    if asked.reference and not shutil.which("mpirun"):
        print("there is no mpirun")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        work = (lambda program: refer(program, folder)) if asked.reference else (
            lambda program: tried(program, asked.tools.resolve(), folder, asked.options.split()))  # fmt: skip
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            results = dict(zip((program.name for program in programs), pool.map(work, programs)))
    for program in programs:
        amiss, got = results[program.name]
        if amiss or asked.verbose:
            print(f'{program.name}: expected {"/".join(program.goals)}: {amiss or "found"}: {got}')
    if asked.reference:
        failed = sum(1 for amiss, _ in results.values() if amiss)
        print(f"{len(programs)} programs compiled, {sum(program.right for program in programs)} run, {failed} failed")
        return 1 if failed else 0
    return 0 if summary(programs, results) and programs else 1


if __name__ == "__main__":
    sys.exit(main())
