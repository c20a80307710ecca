"""kport run and kport bench on the computer's CPUs: --bind, and what is printed of the computer.

usage: bind.py PROGRAM
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from tap import Tests, execute, said, with_wrapper

program = sys.argv[1]
tests = Tests()
RUN = ["run", "index:n=4,k=1,b=8", "--repeat", "2"]
OTHER = {"HWLOC_SYNTHETIC": "pack:2 numa:2 l3:1(size=4194304) core:2 pu:2"}


def kport(*words, **variables):
    return execute([program, *words], env={**os.environ, **variables})


def read(*words, **variables):
    result = kport(*words, "--json", **variables)
    return json.loads(result.stdout or "{}")


computer = read(*RUN).get("computer", {})
if "missing" in computer:
    result = kport(*RUN)
    tests.check(f"  computer: {computer['missing']}; governor " in result.stdout, "without hwloc kport run says so",
                said(result))  # fmt: skip
    result = kport(*RUN, "--bind", "core")
    tests.check(result.returncode == 2 and f"--bind is given, but {computer['missing']}" in result.stderr,
                "and refuses --bind", said(result))  # fmt: skip
    tests.end()
    sys.exit()

# --- What is printed of the computer ---

refused = kport(*RUN, "--bind", "core")
if "Meson option affinity" in refused.stderr:
    tests.check(refused.returncode == 2, "a build that keeps no thread on a core refuses --bind", said(refused))
    tests.end()
    sys.exit()

usable = sorted(os.sched_getaffinity(0))
tests.check(computer["this_one"] and computer["hardware_threads"] >= len(usable) and computer["cores"] >= 1
            and computer["numa_nodes"] >= 1, "this computer", computer)  # fmt: skip
result = kport(*RUN)
line = next((line for line in result.stdout.splitlines() if line.startswith("  computer: ")), "")
tests.check(f"packages {computer['packages']}, cores {computer['cores']}, "
            f"hardware threads {computer['hardware_threads']}, NUMA nodes {computer['numa_nodes']}" in line
            and "; governor " in line and f"; kport compiled with {computer['compiled_with']}" in line,
            "kport run prints it", said(result))  # fmt: skip
result = kport(*RUN, **OTHER)
tests.check("  computer: not this one, by a variable of hwloc; packages 2, cores 8, hardware threads 16, NUMA nodes 4; "
            "caches L3 4 x 4 MiB; governor " in result.stdout, "another computer, by HWLOC_SYNTHETIC",
            said(result))  # fmt: skip
told = read(*RUN, **OTHER)["computer"]
tests.check(not told["this_one"] and told["caches"] == [{"level": 3, "bytes": 4194304, "count": 4}], "and in JSON", told)
BENCHES = {
    "bench index -n 2 -m 8:8 -i 5": "bench",
    "bench barrier -n 2 -i 5": "bench",
    "bench latency -m 8:8 -i 5": "bench-messages",
    "bench allreduce --overlap -n 2 -m 8:8 -i 5": "bench-overlap",
}
for command in BENCHES:
    result = kport(*command.split())
    head, load = (line.replace("  computer", "# computer") + "; load ").split("; load ")[:2]
    same = [one for one in result.stdout.splitlines() if one.startswith(head) and ("; load " in one) == bool(load)]
    tests.check(len(same) == 1, f"{command}: the same line",
                said(result))  # fmt: skip
    again = read(*command.split()).get("computer")
    tests.check(again == {**computer, "load": again["load"], "date": again["date"]}, f"{command}: the same in JSON", again)

# --- What is refused ---

CHOICE = "; on this computer it may be core ("
for wrong in ["cores", "", "0,", ",0", "1-0", "0,0", "0-", "-0", "a", "0;1", "99999", f"{usable[0]}-99999999999999999999"]:
    result = kport(*RUN, "--bind", wrong)
    tests.check(result.returncode == 2 and f"--bind is '{wrong}'{CHOICE}" in result.stderr and not result.stdout,
                f"--bind '{wrong}'", said(result))  # fmt: skip
for words, sentence in [
    ([*RUN, "--bind", "core", "--bind"], "--bind needs a value"),
    (["run", "index:n=4,k=1,b=8,pin=1", "--bind", "core"], "the key pin is given too"),
    (["run", "index:n=4,k=1,b=8,carrier=mpi", "--bind", "core"], "mpirun binds"),
    (["bench", "index", "-n", "2", "--bind", "core", "--peers"], "--bind and --peers are both given"),
    (["bench", "index", "-n", "2", "--bind", "cores"], f"--bind is 'cores'{CHOICE}"),
    (["bench", "latency", "--bind", "cores"], f"--bind is 'cores'{CHOICE}"),
    (["bench", "bsp", "-n", "2", "--bind", "core"], "--bind is given; bsp may have -n"),
]:
    result = kport(*words)
    tests.check(result.returncode == 2 and sentence in result.stderr, " ".join(words), said(result))
result = kport(*RUN, "--bind", "core", **OTHER)
tests.check(result.returncode == 2 and "shows another computer than this one" in result.stderr,
            "no thread is bound to another computer", said(result))  # fmt: skip
result = kport(*RUN, "--bind", "socket", HWLOC_SYNTHETIC="core:1 pu:1", HWLOC_THISSYSTEM="1")
tests.check(result.returncode == 2 and "--bind is 'socket'; on this computer it may be core (1), numa (1), or" in result.stderr,
            "a computer without sockets", said(result))  # fmt: skip

# --- What is bound ---

if len(usable) < 2 or usable[:2] != [0, 1]:
    tests.skip("threads that are bound", "fewer than two CPUs")
    tests.end()
    sys.exit()


def lists_of(*words, **variables):
    document = read(*words, **variables)
    return document["verified"] and document["bind"]["cpus"]


tests.check(len(lists_of(*RUN, "--bind", "core")) <= computer["cores"], "a list for each core")
tests.check(len(lists_of(*RUN, "--bind", "socket")) <= computer["packages"], "a list for each socket")
tests.check(len(lists_of(*RUN, "--bind", "numa")) <= computer["numa_nodes"], "a list for each NUMA node")
for problem in ["index:n=4,k=1,b=8,carrier=fibers", "index:n=5,k=2,b=8,rounds=mailboxes"]:
    tests.check(lists_of("run", problem, "--repeat", "2", "--bind", "1,0") == ["1", "0"], f"{problem} on CPUs 1 and 0")
TWO = {"HWLOC_THISSYSTEM": "1", "HWLOC_SYNTHETIC": "pack:2 numa:1 core:1 pu:1"}
for what in ["socket", "numa", "core", "0-1"]:
    tests.check(lists_of(*RUN, "--bind", what, **TWO) == ["0", "1"], f"--bind {what} where there are two")
CORE = {"HWLOC_THISSYSTEM": "1", "HWLOC_SYNTHETIC": "pack:1 core:1 pu:2"}
tests.check(lists_of(*RUN, "--bind", "core", **CORE) == ["0-1"], "a core with two hardware threads")
one = subprocess.run(with_wrapper([program, *RUN, "--bind", "core", "--json"]), stdout=subprocess.PIPE, text=True,
                     preexec_fn=lambda: os.sched_setaffinity(0, {1}))  # fmt: skip
tests.check(json.loads(one.stdout)["bind"]["cpus"] == ["1"], "of the CPUs that taskset leaves", one.stdout)
for command in BENCHES:
    result = kport(*command.split(), "--bind", "1,0")
    tests.check(result.returncode == 0 and "# bound by 1,0: threads on the CPUs 1;0\n" in result.stdout,
                f"{command} --bind", said(result))  # fmt: skip
    tests.check(read(*command.split(), "--bind", "1,0")["bind"] == {"option": "1,0", "cpus": ["1", "0"]},
                f"{command} --bind in JSON")  # fmt: skip


def allowed(process):
    """Where the threads of a process may run."""
    found = []
    for status in pathlib.Path(f"/proc/{process}/task").glob("*/status"):
        try:
            found += [line.split()[1] for line in status.read_text().splitlines() if line.startswith("Cpus_allowed_list:")]
        except OSError:  # the thread has ended
            pass
    return found


running = subprocess.Popen(with_wrapper([program, "run", "index:n=4,k=1,b=8", "--repeat", "1000000", "--bind", "core"]),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **TWO})  # fmt: skip
found, end = [], time.monotonic() + 60
while running.poll() is None and time.monotonic() < end and not (found.count("0") == 2 and found.count("1") == 2):
    found = allowed(running.pid)
    time.sleep(0.01)
running.send_signal(signal.SIGINT)
running.wait()
tests.check(found.count("0") == 2 and found.count("1") == 2, "two of four threads may run on each of two cores", found)
tests.end()
