"""The models follow C text: each names functions, with a hash of what stands there. If one of them
has changed, read the model beside it, and put the new line into the model.

usage: follows.py SOURCE_FOLDER
"""

import hashlib
import pathlib
import re
import sys

from cases import CASES
from tap import Tests

source = pathlib.Path(sys.argv[1])
tests = Tests()


def text_of(path, name):
    """A function's text from its head to its end, or a macro's line, without comments and with
    single spaces; None if it is not there."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S)
    if name.isupper():
        found = re.search(rf"^#define {name}\b.*$", text, re.M)
    else:
        found = re.search(rf"^[A-Za-z][^\n;{{}}=#]*\b{name}\([^;{{}}]*\)\n\{{.*?^\}}", text, re.M | re.S)
    return found and " ".join(found[0].split())


folder = source / "tests" / "models"
for model in sorted(CASES):
    path = folder / f"{model}.pml"
    lines = re.findall(r"^ \* follows (\S+) (\w+) (\w+)$", path.read_text(), re.M)
    tests.check(len(lines) > 1, f"{path.name} says what it follows")
    for file, name, known in lines:
        text = text_of(source / file, name)
        now = hashlib.sha256((text or "").encode()).hexdigest()[:12]
        tests.check(text is not None and now == known, f"{path.name} follows {name} in {file}",
                    f"{file} has no {name}" if text is None else
                    f"{name} has changed. Once the model follows it again, this is its line:\n"
                    f" * follows {file} {name} {now}")
tests.end()
