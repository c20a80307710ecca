"""Test Anything Protocol for the scripts here: a line a test, so that meson counts each of them."""

import os
import shlex
import shutil
import subprocess
import sys

# Programs that take long on a slow machine would tell on standard error how far they are.
os.environ["KPORT_QUIET"] = "1"


class Tests:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def check(self, right, name, detail=""):
        """Writes the line of one test; if it failed, `detail` goes to stderr, which
        `meson test --print-errorlogs` shows."""
        self.count += 1
        self.failed += not right
        print(f"{'ok' if right else 'not ok'} {self.count} - {name.replace('#', ' ')}")
        if not right and detail:
            print(f"{name}:\n{detail}", file=sys.stderr)
        sys.stdout.flush()
        return right

    def check_clock(self, right, name, detail=""):
        """As `check`, of what a clock says. That holds on a machine that does nothing else, so only the
        suite long checks it: its tests set KPORT_TESTS_CLOCK."""
        if "KPORT_TESTS_CLOCK" in os.environ:
            return self.check(right, name, detail)
        return self.skip(name, "the suite long looks at the clock")

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")

    def end(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed or not self.count else 0)


def machine_of(program):
    """Word size, byte order and processor of a program, as far as it is an ELF file."""
    try:
        with open(program, "rb") as file:
            head = file.read(20)
    except OSError:
        return None
    return (head[4:6], head[18:20]) if head.startswith(b"\x7fELF") else None


def with_wrapper(command):
    """A program built for another machine runs under what Meson has for that: its exe_wrapper, which is
    found here, whatever PATH the program is given."""
    wrapper = shlex.split(os.environ.get("MESON_EXE_WRAPPER", ""))
    wrapper[:1] = [shutil.which(word) or word for word in wrapper[:1]]
    machine = machine_of(command[0]) if wrapper else None
    return wrapper + command if machine and machine != machine_of(sys.executable) else command


def execute(command, **options):
    """Runs a command with no input; the result has returncode, stdout and stderr as text."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    command = with_wrapper([str(word) for word in command])
    return subprocess.run(command, stdin=subprocess.DEVNULL, text=True, **options)


def said(result):
    """What a finished command printed, for the detail of a failed test."""
    return f"status {result.returncode}\n{result.stdout or ''}{result.stderr or ''}"
