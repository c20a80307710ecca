"""Ctrl-C and SIGTERM: what was measured is kept, what is missing is said, and the status is that of the signal.

usage: interrupted.py PROGRAM
"""

import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from tap import Tests, execute, said, with_wrapper

program = os.path.abspath(sys.argv[1])
tests = Tests()
home = tempfile.TemporaryDirectory()
root = pathlib.Path(home.name)
PATIENCE = 400
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]


def usual_signals():
    """A shell in the background has its children ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def catches(process):
    """Whether the program looks after SIGINT by now."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return False
    caught = re.search(r"^SigCgt:\s*(\w+)", status, re.M)
    return caught and int(caught[1], 16) >> (signal.SIGINT - 1) & 1


def wait_until(there, process):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None and not there():
        time.sleep(0.01)


def interrupt(number, arguments, there=lambda: True, delay=0.0, **options):
    """Starts it, and when it looks after signals and `there` says so sends one to it and its children, as a
    terminal does."""
    command = with_wrapper([program, *map(str, arguments)])
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, preexec_fn=usual_signals, start_new_session=True, **options)  # fmt: skip
    wait_until(lambda: catches(process), process)
    wait_until(there, process)
    time.sleep(delay)
    if process.poll() is None:
        os.killpg(process.pid, number)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def done_of(result, what):
    """How many of them were done, as is said."""
    found = re.search(rf"interrupted after (\d+) of (\d+) {what}", result.stderr)
    return (int(found[1]), int(found[2])) if found else (None, None)


def check_run():
    for number, status in SIGNALS:
        command = ["run", "index:n=4,k=1,b=8", "--repeat", "1000000"]
        result = interrupt(number, command, delay=0.5)
        done, wanted = done_of(result, "repeats")
        right = result.returncode == status and wanted == 1000000 and done is not None and done < wanted
        tests.check(right, f"run: {number.name}, said", said(result))
        right = f"every byte of {done} repeat" in result.stdout if done else not result.stdout
        tests.check(right, f"run: {number.name}: the result of those that were done", said(result))
    result = interrupt(signal.SIGINT, [*command, "--json"], delay=0.5)
    done, _ = done_of(result, "repeats")
    right = result.returncode == 130 and (json.loads(result.stdout)["repeats"] == done if done else not result.stdout)
    tests.check(right, "run: as JSON", said(result))
    if "switched by" in execute([program, "--version"]).stdout:
        result = interrupt(signal.SIGINT, ["run", "index:n=4,k=1,b=8", "--interleave", "5..900000"], delay=0.5)
        done, _ = done_of(result, "orders")
        words = f"in the orders of the seeds 5 ... {done + 4}" if done else ""
        right = result.returncode == 130 and words in result.stdout and (done or not result.stdout)
        tests.check(right, "run: the orders so far", said(result))
    path = root / "trace.json"
    result = interrupt(signal.SIGINT, [*command, "--trace", path], delay=0.5)
    right = result.returncode == 130 and json.loads(path.read_text())["traceEvents"]
    tests.check(right, "run: the trace so far", said(result))


def settings_in(path):
    try:
        return json.loads(path.read_text())["settings"]
    except OSError:
        return []


def check_tune():
    folder = root / "tuned"
    folder.mkdir()
    path = folder / "profile.json"
    numbers = ",".join(map(str, range(2, 50)))
    command = ["tune", "-n", numbers, "-k", "1", "--operation", "broadcast", "--seconds", "2", "--profile", path]
    for number, status in SIGNALS:
        result = interrupt(number, command, lambda: len(settings_in(path)) > 1)
        done, wanted = done_of(result, "settings")
        right = result.returncode == status and wanted == 48 and done == len(settings_in(path)) > 1
        tests.check(right and str(path) in result.stderr, f"tune: {number.name}: what is done is kept", said(result))
        rows = [line for line in result.stdout.splitlines() if line.startswith("n=")]
        tests.check(len(rows) == done, f"tune: {number.name}: a line for each", said(result))
        result = execute([program, "explain", "broadcast:n=3,k=1,b=8", "--json"], env={**os.environ, "KPORT_TUNE": str(path)})
        right = result.returncode == 0 and json.loads(result.stdout)["profile_serves"]
        tests.check(right, f"tune: {number.name}: and serves", said(result))
        tests.check(os.listdir(folder) == ["profile.json"], "tune: nothing beside it is left", os.listdir(folder))
        path.unlink()
    result = interrupt(signal.SIGINT, ["tune", "-n", "2", "-k", "1", "--seconds", "30", "--profile", path])
    right = result.returncode == 130 and done_of(result, "settings") == (0, 1) and "nothing is written" in result.stderr
    tests.check(right and not os.listdir(folder), "tune: nothing was done, said", said(result))
    result = interrupt(signal.SIGINT, ["tune", "--audit", "-n", "2", "-k", "1", "--seconds", "30"],
                       env={**os.environ, "XDG_CACHE_HOME": str(folder)})  # fmt: skip
    right = result.returncode == 130 and done_of(result, "settings") == (0, 1)
    tests.check(right, "tune --audit: said", said(result))


# --- Figures ---


def interrupt_figures(folder):
    """As soon as anything of them is measured, which is to be waited for longer and longer."""
    command = ["figures", folder, "--only", "figure4,concat", "--carrier", "threads", "--n", "32", "--seconds", "300"]
    for delay in (0.5, 2, 8, 30):
        result = interrupt(signal.SIGINT, command, delay=delay)
        if "nothing is written" not in result.stderr:
            return result
        right = result.returncode == 130 and not folder.exists()
        tests.check(right, "figures: nothing was measured, and nothing is there", said(result))
    return result


def times_of(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return len(rows), sum(bool(row["time_us"]) for row in rows)


def check_figures():
    folder = root / "drawn"
    result = interrupt_figures(folder)
    tests.check(result.returncode == 130, "figures: status", said(result))
    if not folder.exists():
        return
    names = sorted(os.listdir(folder))
    wanted = ["figure4-threads.csv", "figure4-threads.svg", "index.html"]
    tests.check(names == wanted, "figures: what was measured is there", names)
    all_points, measured = times_of(folder / "figure4-threads.csv")
    words = f"{all_points - measured} of {all_points} points of figure4-threads"
    right = 0 < measured <= all_points and words in result.stderr
    tests.check(right, "figures: says what is missing", said(result))
    page = (folder / "index.html").read_text()
    right = "Interrupted before anything of it was measured." in page
    right = right and f"{all_points - measured} points are missing" in page
    tests.check(right and "figure4-threads: " in result.stdout, "figures: so does the page", page)


def check_others():
    result = interrupt(signal.SIGINT, ["check", "--all", "--max-n", "40"])
    right = result.returncode == 130 and "interrupted" in result.stderr and "schedules checked" in result.stdout
    tests.check(right, "check --all", said(result))


check_run()
check_tune()
check_figures()
check_others()
home.cleanup()
tests.end()
