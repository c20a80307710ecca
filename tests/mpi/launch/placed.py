"""A program with marked lines, for tests of sentences that name places."""

import pathlib
import re
import tempfile

from tap import execute, said

FOLDER = tempfile.TemporaryDirectory()


def compiled(tests, source, tools, name, *options):
    """Compiles tests/mpi/launch/programs/NAME.c. Returns the program and the place of each marked line by its mark:
    a line ends in /* MARK */. The compiler gets no folder, so the sentences are short."""
    text = pathlib.Path(source) / "tests" / "mpi" / "launch" / "programs" / f"{name}.c"
    program = pathlib.Path(FOLDER.name) / "-".join([name, *options])
    result = execute([tools / "kportcc", "-g", *options, text.name, "-o", program], cwd=text.parent)
    tests.check(result.returncode == 0, " ".join(["kportcc", *options, text.name]), said(result))
    marks = ((re.search(r"/\* (\w+) \*/$", line), number) for number, line in enumerate(text.read_text().splitlines(), 1))
    return program, {mark[1]: f"{text.name}:{number}" for mark, number in marks if mark}
