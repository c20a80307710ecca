"""Every listing of the README and the manual is what its commands print; where lines are left out stands "…".

A listing is a block whose lines "$ COMMAND" are followed by what the command prints. The commands of a page are run
one after the other in a folder of their own, in which build, examples, tests and tools are those of the repository.
So a page may make files and use them later. A command that fails shows standard error too, and is followed by
"$ echo $?". In a block with the word "measured" all numbers with a point stand for others. A block with the word
"long" takes seconds, and is run only if the last argument is "long".

usage: listings.py SOURCE_FOLDER BUILD_FOLDER [long]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tests, execute, said

takes_long = sys.argv[3:] == ["long"]
root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
tests = Tests()
if os.environ.get("MESON_EXE_WRAPPER"):
    print("1..0 # SKIP the programs are for another machine")
    sys.exit(0)

CUT = "…"

# Blocks that are no sessions, by their first line: which test has a look at them.
ELSEWHERE = {
    "tools/dev page      # builds build-page/tools/page/kport.html": "tools/verify/page.sh",
    "tools/dev build --small": "tests/project/scripts.py",
    "meson setup build-mine --prefix=\"$HOME/kport\" -Dlibdir=lib": "tests/project/install.py",
    "tools/dev run       # runs the main job: 64 processors exchange data, every byte is verified": "tools/packaging/try.sh",
    "at the end processor 2 holds the block of processor 0 in place 3 of in, where the block of processor 3 belongs":
        "tests/check/test_account.c",
    "concat:n=16,k=1 on fat-tree,hosts=8,cores=1,L=1,o=0.2,g=0.2,G=0.0001,S=0,startup=0": "tests/cli/simgrid.py",
    "pip install --no-build-isolation .": "tools/verify/python.sh",
}  # fmt: skip

BLOCK = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.M | re.S)
PAGES = [root / "README.md", *sorted((root / "doc").rglob("*.md")), root / "tests" / "apps" / "README.md"]


def told(line, measured):
    """A line without what is the machine's: times, how many calls a repeat has, if more than one, the folder of a
    source file, and what is told of the computer."""
    line = re.sub(r"^(\W*(computer: |bound by core: threads on the CPUs )).*", r"\1", line)
    line = re.sub(r"(verified: .* repeats?) of \d+ calls$", r"\1", line)
    line = re.sub(r"\b\d+ ms\b", "0 ms", line)
    line = re.sub(r"\((?:\S*/)?(\w+\.c:\d+)\)", r"(\1)", line)
    if measured:
        return " ".join(re.sub(r"\d+(\.\d+)?e-\d+|\d+\.\d+", "0", line).split())
    return re.sub(r"[\d.]+", "0", line) if re.search(r"\d us\b", line) else line


def misfit(shown, printed, measured=False):
    """The first line shown that does not stand there, or what is left out without a line "…"; None if
    all fits. A line "…" stands for one line or more. Only some machines have too few CPUs for the threads, so the line
    that says so may be there or not."""
    at = 0
    crowd = re.compile(r"\W*\d+ threads on \d+ CPUs?: ")
    shown, printed = ([told(line, measured) for line in lines if not crowd.match(line)] for lines in (shown, printed))
    for i, line in enumerate(shown):
        if line == CUT:
            continue
        end = printed.index(line, at) if line in printed[at:] else -1
        if end < 0:
            return f"not printed: {line}"
        if (end > at) != (i > 0 and shown[i - 1] == CUT):
            return f"'{CUT}' is wanted exactly where lines are left out: before {line}"
        at = end + 1
    if (at < len(printed)) != (shown[-1:] == [CUT]):
        return f"'{CUT}' is wanted exactly where lines are left out: at the end"
    return None


for shown, printed, fits in [
    ("a b c", "a b c", True),
    ("a … c", "a b c", True),
    ("a …", "a b c", True),
    ("… c", "a b c", True),
    ("a c", "a b c", False),
    ("a b", "a b c", False),
    ("b c", "a b c", False),
    ("a … b c", "a b c", False),
    ("a b c …", "a b c", False),
    ("a x c", "a b c", False),
]:
    right = (misfit(shown.split(), printed.split()) is None) == fits
    tests.check(right, f"of {printed}, {shown} {'fits' if fits else 'does not fit'}")

# --- What a command needs that this build or this machine may not have ---

version = execute([build / "tools" / "kport", "--version"]).stdout
NEEDED = [
    (r"\bfibers\b|--interleave", "fibers", "switched by" in version),
    (r"kportcc|kportrun", "kportrun", (build / "tools" / "kportrun").exists()),
    (r"\.xml\b", "expat", execute([build / "tools" / "kport", "show", root / "examples" / "ring.xml"]).returncode == 0),
    (r"--bind", "hwloc and two CPUs", execute([build / "tools" / "kport", "run", "index:n=2,k=1,b=8", "--bind", "0,1"]).returncode == 0),
    (r"\bmpirun\b|mpicc|\breport$", "Open MPI", bool(shutil.which("mpicc.openmpi")) and (build / "ports" / "carrier" / "mpi" / "kport-carrier-openmpi.so").exists()),
    (r"\bcc\b", "a C compiler and pkg-config", bool(shutil.which("cc") and shutil.which("pkg-config"))),
]

# --- Sessions ---


class Session:
    """The folder in which the commands of a page run, and their environment."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("examples", "tests", "tools"):
            (folder / name).symlink_to(root / name)
        (folder / "build").symlink_to(build)
        (folder / "build-fast").symlink_to(build)
        (folder / "bin").mkdir()
        if shutil.which("mpirun.openmpi"):
            (folder / "bin" / "mpirun").symlink_to(shutil.which("mpirun.openmpi"))
        self.environment = {
            **os.environ,
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "KPORT_TUNE": "builtin",
            "PYTHONDONTWRITEBYTECODE": "1",
            "XDG_CACHE_HOME": str(folder / "cache"),
            "PKG_CONFIG_PATH": str(build / "meson-uninstalled"),
            "LD_LIBRARY_PATH": str(build),
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1",
        }

    def run(self, command):
        return subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip


def commands_of(listing):
    """The commands of a listing, each with the lines that are shown below it."""
    found = []
    for line in listing.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0] + "\n" + line, [])
        elif found:
            found[-1][1].append(line)
    return found


def try_listing(page, session, listing, measured):
    status = 0
    commands = commands_of(listing)
    for i, (command, shown) in enumerate(commands):
        lacking = [name for pattern, name, there in NEEDED if re.search(pattern, command) and not there]
        name = f"{page}: {command}".replace("\n", " ")
        used.append(command)
        if lacking:
            tests.skip(name, f"without {lacking[0]}")
            status = None
            continue
        if command == "echo $?" and status is None:
            tests.skip(name, "the command before is skipped")
            continue
        if command == "echo $?":
            tests.check(shown == [str(status)], f"{name} after {commands[i - 1][0]}", f"{shown}, not {status}")
            continue
        result = session.run(command)
        status = result.returncode
        fails = i + 1 < len(commands) and commands[i + 1][0] == "echo $?"
        wrong = misfit(shown, (result.stdout + (result.stderr if fails else "")).splitlines(), measured)
        tests.check(not wrong and (status == 0 or fails), f"{name} prints what is shown", f"{wrong}\n{said(result)}")


used, unknown = [], []
for path in PAGES:
    page = str(path.relative_to(root))
    text = path.read_text()
    blocks = list(BLOCK.finditer(text))
    with tempfile.TemporaryDirectory() as folder:
        session = Session(pathlib.Path(folder))
        for _, words, listing in (block.groups() for block in blocks):
            if listing.startswith("$ ") and "long" in words and not takes_long:
                tests.skip(f"{page}: {listing.splitlines()[0]}", "listings-long runs it")
            elif listing.startswith("$ "):
                try_listing(page, session, listing, "measured" in words)
            elif words in ("c", "python") or words.startswith("{"):
                continue  # readme.py, tests/python/test_documents.py, tools/dev docs
            elif path.parent != root / "doc":  # which has drawings of what is inside
                unknown += [f"{page}: {first}" for first in listing.splitlines()[:1] if first not in ELSEWHERE]
    indented = re.findall(r"\n\n    (?=\S)(.*)", BLOCK.sub("", text))
    unknown += [f"{page}: {line}" for line in indented if line not in ELSEWHERE]
tests.check(not unknown, "each block of lines is run by a test", "\n".join(unknown))
for line, place in ELSEWHERE.items():
    known = any(line in path.read_text() for path in PAGES)
    tests.check(known and (root / place).exists(), f"a block that another test looks at still stands: {line}")

text = "\n".join(used)
matter = {"run", "cost", "bounds", "show", "list", "route", "explain", "check", "predict", "compare", "export", "new"}
missing = [name for name in sorted(matter) if not re.search(rf"build(-fast)?/tools/kport {name}", text)]
tests.check(len(used) >= 25 and not missing, "there are listings of what matters", missing)
examples = {path.stem for path in (root / "examples").glob("*.c")}
unused = [name for name in sorted(examples) if not re.search(rf"\b{name}\b", text)]
tests.check(not unused, "each example is run by a listing", unused)
tests.end()
