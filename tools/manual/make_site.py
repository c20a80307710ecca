"""Makes the manual as a site: pages of doc/manual, the reference from the headers and from the programs' help, and
drawings made by kport. Warnings are errors, and every link within the site is followed.

usage: make_site.py SOURCE_FOLDER BUILD_FOLDER SITE_FOLDER
"""

import os
import pathlib
import shutil
import subprocess
import sys

import calls
import catalogue
import doxygen
import faces
import help as told
import links
import reference
import staged
import uses


def programs(root, build):
    """kport, and kportrun with the compilers where they are built."""
    kport = build / "tools" / "kport"
    every, commands = told.commands_of(kport)
    if (build / "tools" / "kportrun").exists():
        commands += told.programs_of(build / "tools" / "kportrun", root / "tools" / "manual" / "kportcc.txt")
    return kport, every, commands


def main():
    root, build, site = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    kport, every, commands = programs(root, build)
    headers = sorted((root / "include" / "kport").glob("*.h"))
    read = [calls.read(path) for path in headers]
    work = site.with_name(site.name + "-work")
    # From nothing: Sphinx would not repeat the warnings of pages that it has read before.
    for folder in (site, work):
        shutil.rmtree(folder, ignore_errors=True)
    stage = staged.Stage(root, work / "pages", kport, headers)
    stage.calls = {name for header in read for call in header.calls for name in call.names}
    doxygen.make(headers, work / "doxygen", uses.of(stage.calls, root))
    stage.places.update(faces.PLACES)
    stage.copy_all()
    reference.write_calls(stage, read)
    catalogue.write(stage)
    faces.write_bsp(stage)
    faces.write_cpp(stage)
    faces.write_mpi(stage)
    reference.write_commands(stage, commands, every)
    environment = {**os.environ, "KPORT_VERSION": told.version_of(kport), "KPORT_XML": str(work / "doxygen" / "xml")}
    made = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", work / "trees", stage.folder, site],
        env=environment)  # fmt: skip
    if made.returncode != 0:
        sys.exit("make_site.py: the pages have the faults above")
    wrong = links.wrong_in(site)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(f"make_site.py: {len(wrong)} links lead nowhere" if wrong else 0)


main()
