"""Writes a header with a word for all that a program is compiled with: two builds of kport fit each other if they have
the same one.

usage: interface.py OUTPUT INPUT...
"""

import hashlib
import pathlib
import sys

whole = hashlib.sha256()
for name in sys.argv[2:]:
    whole.update(pathlib.Path(name).read_bytes())
pathlib.Path(sys.argv[1]).write_text(f'#define KP_INTERFACE "interface {whole.hexdigest()[:16]}"\n')
