"""A program of this folder verifies what it computed, says so, and notices a planted fault.

usage: verify.py PROGRAM
"""

import pathlib
import sys

from tap import Tests, execute, said

program = sys.argv[1]
name = pathlib.Path(program).stem
tests = Tests()

# One row, fewer rows than processors, and more that cannot be dealt evenly.
SIZES = {"fft2d": [1, 4, 32], "sample_sort": [1, 3, 1001]}.get(name, [1, 3, 23])
# Processors and ports; 0 ports are as many as can be.
MACHINES = [(1, 0), (2, 0), (5, 0), (5, 1), (8, 2)]

REFUSED = [
    (["0"], ["PROCESSORS", '"0"', "1 ... 256"]),
    (["257"], ["PROCESSORS", '"257"', "1 ... 256"]),
    (["four"], ["PROCESSORS", '"four"']),
    (["4x"], ["PROCESSORS", '"4x"']),
    ([""], ["PROCESSORS", '""']),
    (["-1"], ["PROCESSORS", '"-1"']),
    (["--corupt"], ["--corupt"]),
    (["4", "0"], ["SIZE", '"0"', "1 ... "]),
    (["4", "99999999999999999999"], ["SIZE", '"99999999999999999999"']),
    (["4", "4", "-1"], ["SEED", '"-1"']),
    (["4", "4", "1", "256"], ["PORTS", '"256"', "0 ... 255"]),
    (["4", "4", "1", "1", "9"], ['"9"', "PORTS"]),
]
if name == "fft2d":
    REFUSED.append((["4", "12"], ["SIZE", "12", "power of 2"]))


def verified(result):
    lines = result.stdout.splitlines()
    right = result.returncode == 0 and not result.stderr and len(lines) == 2
    return right and lines[1].startswith("verified: ")


def noticed(result):
    words = f"{name}: not verified: "
    return result.returncode == 1 and not result.stdout and result.stderr.startswith(words)


result = execute([program])
tests.check(verified(result), "without arguments", said(result))
for processors, ports in MACHINES:
    for size in SIZES:
        for seed in [1, 2]:
            arguments = [processors, size, seed, ports]
            words = " ".join(str(number) for number in arguments)
            result = execute([program] + arguments)
            tests.check(verified(result), words, said(result))
        result = execute([program, "--corrupt"] + arguments)
        tests.check(noticed(result), f"{words}: the planted fault is noticed", said(result))
for arguments, words in REFUSED:
    result = execute([program] + arguments)
    right = result.returncode == 2 and not result.stdout and result.stderr.startswith(f"{name}: ")
    right = right and all(word in result.stderr for word in words) and result.stderr.count("\n") == 1
    tests.check(right, f"{' '.join(arguments)!r} is refused", said(result))
tests.end()
