"""Times 16 processors in 2 processes of an MPI, and the MPI's own calls among 16 processes, by turns.

Prints medians of the ratios of the times, with the least and the greatest. Less than 1 is faster than the MPI."""

import argparse
import statistics
import subprocess
import sys

TURNS = 5
REPEATS = "11"
MOST_BYTES = 1024  # beyond, the table has too many columns
OWN, KPORT = 2, 3  # columns


def times_of(mpirun, processes, column, *arguments):
    """Returns the microseconds by operation and bytes."""
    command = [*mpirun, "-n", str(processes), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in done.stdout.splitlines()[2:]]
    return {(row[0], int(row[1])): float(row[column]) for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="over_mpi of a build")
    parser.add_argument("mpirun")
    given = parser.parse_args()
    mpirun = [given.mpirun]
    ratios = {}
    for _ in range(TURNS):
        own = times_of(mpirun, 16, OWN, given.program, "1", "all", REPEATS)
        for kind, workers in (("threads", "0"), ("fibers", "1")):
            for (name, size), time in times_of(mpirun, 2, KPORT, given.program, "8", "all", REPEATS, workers).items():
                if size <= MOST_BYTES:
                    ratios.setdefault((f"{name}, 2 processes of 8 {kind}"), {}).setdefault(size, []).append(
                        time / own[name, size]
                    )
    sizes = sorted(next(iter(ratios.values())))
    print("| | " + " | ".join(f"{size} B" for size in sizes) + " |")
    print("|---" * (1 + len(sizes)) + "|")
    for name, row in ratios.items():
        cells = [f"{statistics.median(row[size]):.2f} ({min(row[size]):.2f}–{max(row[size]):.2f})" for size in sizes]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
