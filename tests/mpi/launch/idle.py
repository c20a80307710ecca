"""A deadlock of ranks that test in loops: the report says what each tests and for whom it waits.

usage: idle.py SOURCE_FOLDER TOOLS_FOLDER
"""

import json
import pathlib
import re
import sys

from placed import compiled
from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
tests = Tests()
program, AT = compiled(tests, source, tools, "idle")
HEAD = "kportrun: deadlock: every rank waits, or tests in a loop and never finds anything"


def received(source, tag):
    return f"receive of at most 4 bytes from {source} with tag {tag}, started at {AT['start']}"


def three(next_rank):
    return "; and ".join([f"MPI_Test at {AT['first']}: {received(f'rank {next_rank}', 0)}",
                          f"MPI_Iprobe at {AT['second']}: probe of a message from any rank with tag 7",
                          f"MPI_Request_get_status at {AT['third']}: {received('any rank', 1)}"])  # fmt: skip


TURNED = "on a communicator of 3 ranks, whose rank 0 is rank 2 of MPI_COMM_WORLD"
CASES = {
    "test": ([f"rank {r}: MPI_Test at {AT['test']}: {received(f'rank {(r + 1) % 3}', 0)}" for r in range(3)], [[1], [2], [0]]),
    "probe": ([f"ranks 0-2: MPI_Iprobe at {AT['probe']}: probe of a message from rank 0 with tag 7, {TURNED}"], [[2]] * 3),
    "named": ([f"ranks 0-2: MPI_Test at {AT['named']}: {received('rank 0', 2)}, on turned, whose rank 0 is rank 2 of MPI_COMM_WORLD"],
              [[2]] * 3),
    "several": ([f"rank 0: MPI_Recv at {AT['receive']}: receive of at most 4 bytes from rank 1 with tag 9",
                 f"ranks 1-2: MPI_Testall at {AT['testall']}: MPI_Ibarrier, started at {AT['barrier']}; {received('rank 0', 1)}"],
                [[1], [0], [0]]),
    "three": ([f"rank {r}: {three((r + 1) % 3)}" for r in range(3)], [[1, 2], [0, 2], [0, 1]]),
}  # fmt: skip
# Without --strict a deadlock takes five seconds.
OTHERS = {"test": [[]], "several": [["--carrier", "threads"], ["--workers", "2"]], "three": [["--carrier", "threads"]]}
for way, (wanted, waits) in CASES.items():
    for options in [["--strict", "--seed", "1"], *OTHERS.get(way, [])]:
        result = execute([tools / "kportrun", "-n", "3", *options, program, way], timeout=120)
        tests.check(result.stderr.splitlines() == [HEAD] + [f"  {line}" for line in wanted] and result.returncode == 16,
                    f"{way} {' '.join(options)}: what each rank tests", said(result))  # fmt: skip
    result = execute([tools / "kportrun", "-n", "3", "--strict", "--seed", "1", "--report", "json", program, way], timeout=120)
    told = json.loads(result.stderr)
    right = (told["rank"] == -1 and told["kind"] == "deadlock" and [rank["rank"] for rank in told["ranks"]] == [0, 1, 2]
             and [rank["waits_for"] for rank in told["ranks"]] == waits)  # fmt: skip
    first = wanted[-1].split(": ")[1].split("idle.c:")[1] if way != "several" else AT["testall"].split(":")[1]
    tests.check(right and told["file"] == "idle.c" and told["line"] == int(first), f"{way}: in JSON, for whom it waits", said(result))

result = execute([tools / "kportrun", "-n", "2", "--strict", "--seed", "1", program, "many"], timeout=120)
lines = result.stderr.splitlines()
right = len(lines) == 3 and all(line.endswith("; and other calls") and line.count("MPI_Test at") >= 3 for line in lines[1:])
tests.check(right, "a loop of many calls", said(result))
result = execute([tools / "kportrun", "-n", "2", "--strict", "--seed", "1", program, "list"], timeout=120)
lines = result.stderr.splitlines()
more = [re.search(r"; and (\d+) more$", line) for line in lines[1:]]
right = len(more) == 2 and all(found and line.count("receive of") == 8 - int(found[1]) > 2 for found, line in zip(more, lines[1:]))
tests.check(right, "a list of many requests", said(result))
tests.end()
