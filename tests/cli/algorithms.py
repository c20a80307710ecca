"""All algorithms that kport lists, and problems for them."""

import re

from tap import execute


def listed(program):
    """Yields operation and algorithm as `kport list` has them."""
    operation = None
    for line in execute([program, "list"]).stdout.splitlines():
        if re.match(r"\S", line):
            operation = line.strip()
        elif re.match(r"  \S", line):
            yield operation, line.split()[0]


def problem_of(operation, algorithm, n, k, b):
    """A problem string; where processors share processes, they do so by two."""
    if operation == "barrier":  # it has no blocks
        b = 0
    shared = ",per_process=2" if algorithm.startswith("hierarchical") else ""
    return f"{operation}:n={n},k={k},b={b},alg={algorithm}{shared}"
