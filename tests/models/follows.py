"""The models follow C text: each names functions, with a hash of what stands there. If one of them
has changed, read the model beside it; once the model follows it again, --accept notes that.

usage: follows.py SOURCE_FOLDER [--accept]
"""

import hashlib
import pathlib
import re
import sys

from cases import CASES

LINE = re.compile(r"^( \* follows (\S+) (\w+)) (\w+)$", re.M)

source = pathlib.Path(sys.argv[1])


def text_of(path, name):
    """A function's text from its head to its end, without comments and with single spaces; None if
    it is not there."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S) if path.exists() else ""
    found = re.search(rf"^[A-Za-z][^\n;{{}}=#]*\b{name}\([^;{{}}]*\)\n\{{.*?^\}}", text, re.M | re.S)
    return found and " ".join(found[0].split())


def hash_of(file, name):
    text = text_of(source / file, name)
    return text and hashlib.sha256(text.encode()).hexdigest()[:12]


models = [source / "tests" / "models" / f"{name}.pml" for name in sorted(CASES)]

if "--accept" in sys.argv:
    for path in models:
        text = path.read_text()
        path.write_text(LINE.sub(lambda line: f"{line[1]} {hash_of(line[2], line[3]) or 'gone'}", text))
    sys.exit(0)

from tap import Tests  # noqa: E402 (only a test needs it)

tests = Tests()
for path in models:
    lines = LINE.findall(path.read_text())
    tests.check(len(lines) > 1, f"{path.name} says what it follows")
    for _, file, name, known in lines:
        now = hash_of(file, name)
        tests.check(now == known, f"{path.name} follows {name} in {file}",
                    f"{file} has no {name}" if not now else
                    f"{name} has changed: read {path.name} beside it, then "
                    "tests/models/follows.py . --accept")
tests.end()
