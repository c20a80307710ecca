"""Test Anything Protocol for the scripts here: a line a test, so that meson counts each of them."""

import subprocess
import sys


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

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")

    def end(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed or not self.count else 0)


def execute(command, **options):
    """Runs a command with no input; the result has returncode, stdout and stderr as text."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(
        [str(word) for word in command], stdin=subprocess.DEVNULL, text=True, **options
    )


def said(result):
    """What a finished command printed, for the detail of a failed test."""
    return f"status {result.returncode}\n{result.stdout or ''}{result.stderr or ''}"
