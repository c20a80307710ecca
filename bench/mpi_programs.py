"""Runs an MPI program with kportrun and under an MPI, by turns, and prints the ratios of the times."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

REPEATS = 5


def times_of(command):
    """Runs the program and returns its microseconds by name and bytes."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return {(line[0], int(line[1])): float(line[2]) for line in lines if len(line) == 3}


def size_word(size):
    return f"{size} B" if size < 1024 else f"{size >> 10} KiB"


def table(ranks, ratios):
    sizes = sorted({size for _, size in ratios})
    print(f"| {ranks} ranks | " + " | ".join(map(size_word, sizes)) + " |")
    print("|---" * (1 + len(sizes)) + "|")
    for name in dict.fromkeys(name for name, _ in ratios):
        cells = [ratios.get((name, size)) for size in sizes]
        print(f"| {name} | " + " | ".join(f"{c:.2f}" if c else "" for c in cells) + " |")
    print(flush=True)


def compare(ranks, ours, theirs):
    runs = [(times_of(ours), times_of(theirs)) for _ in range(REPEATS)]
    ratios = {}
    for key in runs[0][0]:
        ratios[key] = statistics.median(own[key] / other[key] for own, other in runs)
    table(ranks, ratios)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the folder of a build")
    parser.add_argument("mpi", choices=["openmpi", "mpich"])
    parser.add_argument("ranks", type=int, nargs="*", default=[2, 8, 64])
    parser.add_argument("--row", action="append", default=[], help="only this name of the first column; may be repeated")
    parser.add_argument("--most", help="the largest number of bytes")
    given = parser.parse_args()
    build, mpi = given.build, given.mpi
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mpi_programs.c")
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = f"{folder}/ours", f"{folder}/theirs"
        subprocess.run([f"{build}/tools/kportcc", "-O2", source, "-o", ours], check=True)
        subprocess.run([f"mpicc.{mpi}", "-O2", source, "-o", theirs], check=True)
        for ranks in given.ranks:
            most = given.most or str(1 << (21 if ranks <= 8 else 18))
            if ranks > cores:
                os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"
            compare(ranks, [f"{build}/tools/kportrun", "-n", str(ranks), ours, most, *given.row],
                    [f"mpirun.{mpi}", "-n", str(ranks), theirs, most, *given.row])


main()
