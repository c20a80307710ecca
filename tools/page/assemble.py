"""Puts the page into one file: replaces {{NAME}} by the contents of NAME, and a .wasm by its base64.

usage: assemble.py PAGE.html OUTPUT.html FILE...     the files are found by their names
"""

import base64
import pathlib
import re
import sys

page, output, *others = map(pathlib.Path, sys.argv[1:])
contents = {}
for path in others:
    if path.suffix == ".wasm":
        contents[path.name] = base64.b64encode(path.read_bytes()).decode()
    else:
        contents[path.name] = path.read_text()


def fill(text):
    return re.sub(r"\{\{([\w.]+)\}\}", lambda found: fill(contents[found[1]]) if found[1] in contents else found[0], text)


whole = fill(page.read_text())
scripts = re.findall(r"<script\b[^>]*>(.*?)</script>", whole, re.S)
assert len(scripts) == 3 and not any("</script" in script for script in scripts), "a script ends too early"
output.write_text(whole)
print(f"{output}: {len(whole) // 1024} KiB")
