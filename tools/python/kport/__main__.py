"""The command `kport` of an installed package, and `python3 -m kport`: the program with the same arguments."""

import os
import sys

from ._library import find_program


def main() -> None:
    program = find_program()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
