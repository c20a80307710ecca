"""kport as a Meson subproject: a project of its own that has it under subprojects/.

usage: subproject.py SOURCE_FOLDER PROGRAM.C
"""

import pathlib
import shutil
import sys
import tempfile

from tap import Tests, execute, said

root = pathlib.Path(sys.argv[1])
program = sys.argv[2]
tests = Tests()

# What a stranger's checkout holds that the library is made of.
PARTS = ["include", "lib", "ports", "meson.build", "meson_options.txt", "LICENSE"]

PROJECT = """
project('stranger', 'c', default_options: ['c_std=c11', 'warning_level=3', 'werror=true'])
kport = dependency('kport', fallback: ['kport', 'kport_dep'])
executable('embed', 'embed.c', dependencies: kport)
"""

with tempfile.TemporaryDirectory() as folder:
    project = pathlib.Path(folder)
    inside = project / "subprojects" / "kport"
    inside.mkdir(parents=True)
    for part in PARTS:
        if (root / part).is_dir():
            shutil.copytree(root / part, inside / part)
        elif (root / part).exists():
            shutil.copy(root / part, inside / part)
    (project / "meson.build").write_text(PROJECT)
    shutil.copy(program, project / "embed.c")
    # Not the kport that this system may have installed; not optimized, which is faster to build.
    result = execute(["meson", "setup", "--buildtype=plain", "--force-fallback-for=kport", "build"], cwd=project)
    tests.check(result.returncode == 0, "meson setup", said(result))
    result = execute(["ninja", "-C", "build"], cwd=project)
    tests.check(result.returncode == 0, "ninja", said(result))
    if result.returncode == 0:
        result = execute([project / "build" / "embed"])
        tests.check(result.returncode == 0 and "rounds" in result.stdout, "runs", said(result))
tests.end()
