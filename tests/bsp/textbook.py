"""The programs of textbooks on BSP give the results of one process (textbook.c).

usage: textbook.py SOURCE_FOLDER TOOLS [all]

All: for 1 to 16 processes, not only some numbers. If the variable KPORT_BSPEDUPACK names a folder with the sources of
Bisseling's BSPedupack 2.0, its inner product, LU decomposition, Fourier transform and sparse matrix times vector run too,
unchanged.
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from tap import Tests, execute, said

source, tools = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
everything = "all" in sys.argv[3:]
NUMBERS = range(1, 17) if everything else (1, 2, 5, 16)
CARRIERS = ("fibers", "threads")
# The elements that textbook.c compares, but for one of each process.
COMPARED = 40 * 40 + 32 * 32 + 150 + 3000
tests = Tests()


def compiled(program, files, *options):
    result = execute([tools / "kportcc", "-bsp", "-O2", "-g", *options, *files, "-o", program, "-lm"])
    tests.check(result.returncode == 0, f"kportcc -bsp compiles {program.name}", said(result))
    return program


def run(program, n, carrier, folder, given=""):
    return subprocess.run([tools / "kportrun", "-n", str(n), "--carrier", carrier, program], capture_output=True, text=True,
                          timeout=60, input=given, cwd=folder)  # fmt: skip


def check_own(folder):
    for options in ([], ["-fno-private"]):
        program = compiled(folder / ("textbook" + "".join(options)), [source / "tests/bsp/textbook.c"], "-std=c11", "-Wall",
                           "-Wextra", "-Werror", *options)  # fmt: skip
        for n in NUMBERS:
            for carrier in CARRIERS:
                result = run(program, n, carrier, folder)
                right = result.stdout == f"{n} processes: {COMPARED + n} elements are equal\n"
                tests.check(result.returncode == 0 and right, f"{program.name}, {n} {carrier}", said(result))
    # Without kportrun: threads of the program itself.
    result = execute([folder / "textbook-fno-private", "5"])
    tests.check(result.stdout == f"5 processes: {COMPARED + 5} elements are equal\n", "by itself", said(result))


# --- BSPedupack ---


def check_inner_product(folder, program, n, carrier):
    result = run(program, n, carrier, folder, f"{n}\n100\n")
    sums = re.findall(r"sum of squares up to 100\*100 is (\d+)", result.stdout)
    tests.check(sums == [str(100 * 101 * 201 // 6)] * n, f"inner product, {n} {carrier}", said(result))


def check_lu(folder, program, n, carrier):
    """The matrix is such that the factors are known."""
    for rows in (rows for rows in range(1, n + 1) if n % rows == 0):
        columns = n // rows
        result = run(program, n, carrier, folder, f"{rows}\n{columns}\n50\n")
        elements = re.findall(r"i=(\d+), j=(\d+), a=([\d.-]+)", result.stdout)
        right = all(float(a) == (1 if int(i) <= int(j) else 0.5) for i, j, a in elements)
        swapped = dict(re.findall(r"i=(\d+), pi=(\d+)", result.stdout)) == {str(i): str((i + 1) % 50) for i in range(50)}
        tests.check(right and swapped and len(set(elements)) == 2500, f"LU, {rows} x {columns} {carrier}", said(result))


def check_fourier(folder, program, n, carrier):
    if n & (n - 1):
        return  # the program is for powers of two
    result = run(program, n, carrier, folder, f"{n}\n1024\n")
    errors = re.findall(r"Absolute error= (\S+)", result.stdout)
    values = re.findall(r"j=(\d+) Re= (\S+) Im= (\S+)", result.stdout)
    right = all(abs(float(re) - int(j)) < 1e-5 and abs(float(im) - 1) < 1e-5 for j, re, im in values)
    tests.check(len(errors) == 1 and float(errors[0]) < 1e-9 and right and len(values) >= 10, f"FFT, {n} {carrier}", said(result))


def write_distribution(folder, n, size, triples, rng):
    """The matrix and both vectors in the files that the program reads: their parts lie anywhere."""
    parts = [[] for _ in range(n)]
    for triple in triples:
        parts[rng.randrange(n)].append(triple)
    starts = [sum(map(len, parts[:q])) for q in range(n + 1)]
    lines = [f"{size} {size} {len(triples)} {n}", *starts, *(f"{i + 1} {j + 1} {a}" for part in parts for i, j, a in part)]
    (folder / f"m{n}").write_text("\n".join(map(str, lines)) + "\n")
    for name in ("v", "u"):
        owners = [f"{i + 1} {rng.randrange(n) + 1}" for i in range(size)]
        (folder / f"{name}{n}").write_text("\n".join([f"{size} {n}", *owners]) + "\n")


def check_matrix(folder, program, n, carrier):
    rng, size = random.Random(n), 60
    places = rng.sample([(i, j) for i in range(size) for j in range(size)], 400)
    triples = [(i, j, rng.randint(-9, 9) or 1) for i, j in places]
    write_distribution(folder, n, size, triples, rng)
    result = run(program, n, carrier, folder, f"{n}\nm{n}\nv{n}\nu{n}\n")
    rows = [sum(a for i, _, a in triples if i == row) for row in range(size)]
    printed = re.findall(r"i=(\d+), u=(\S+)", result.stdout)
    right = all(float(u) == rows[int(i)] for i, u in printed) and len(printed) >= min(10 * n, size) // 2
    right = right and f"Sum(u)={sum(rows)}.000000 sum(A)={sum(rows)}.000000 checksum error = 0.000000" in result.stdout
    tests.check(result.returncode == 0 and right, f"matrix times vector, {n} {carrier}", said(result))


def check_bspedupack(folder, sources):
    for name, check, files in (
        ("inprod", check_inner_product, ["bspinprod.c"]),
        ("lu", check_lu, ["bsplu_test.c", "bsplu.c"]),
        ("fft", check_fourier, ["bspfft_test.c", "bspfft.c"]),
        ("matvec", check_matrix, ["bspmv_test.c", "bspmv.c"]),
    ):
        program = compiled(folder / name, [sources / file for file in [*files, "bspedupack.c"]], "-std=gnu99")
        for n in NUMBERS:
            for carrier in CARRIERS:
                check(folder, program, n, carrier)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check_own(folder)
    if os.environ.get("KPORT_BSPEDUPACK"):
        check_bspedupack(folder, pathlib.Path(os.environ["KPORT_BSPEDUPACK"]).resolve())
tests.end()
