"""The manual pages and the completions that are made from the programs' help and the public headers.

usage: manual.py SOURCE_FOLDER FOLDER_OF_THE_MANUAL KPORT LIBKPORT
"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from tap import Tests, execute, said

root, folder, kport, library = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
tests = Tests()
commands = json.loads(execute([kport, "help", "--json"]).stdout)["commands"]
pages = {path.stem for path in (folder / "man1").glob("*.1")}
calls = {path.stem for path in (folder / "man3").glob("*.3")}

wanted = {"kport"} | {f"kport-{command['name']}" for command in commands}
programs = {"kportrun", "kportcc", "kportc++"}
tests.check(pages - programs == wanted, "a page for each command, and no other", sorted(pages ^ wanted))
tests.check(not pages & programs or programs <= pages, "pages of kportrun and its compilers", sorted(pages))

declared = set()
for header in (root / "include" / "kport").glob("*.h"):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    declared |= set(re.findall(r"^KP_API\b[^;]*?\b(kp_\w+)\s*[(\[]", text, re.M))
tests.check(len(declared) > 150, "the headers declare functions", len(declared))
tests.check(declared < calls, "a page for each public function", sorted(declared - calls))

written = "\n".join(path.read_text() for path in (root / "include" / "kport").glob("*.h"))
types = set(re.findall(r"^(?:typedef )?(?:struct|enum) (kp_\w+) \{", written, re.M))
aliases = set(re.findall(r"^#define (kp_\w+)\(\.\.\.\)\s+\(KP_HERE_BY_MPI_NAME,", written, re.M))
constants = {"KP_IN_PLACE", "KP_ANY_TAG", "KP_FLOAT64", "KP_SUM", "KP_MINLOC", "KP_EMISMATCH", "KP_CARRIER_FIBERS"}
tests.check(len(types) > 30 and types < calls, "a page for each struct and enum", sorted(types - calls))
tests.check(len(aliases) > 5 and aliases < calls, "a page for each of MPI's names", sorted(aliases - calls))
tests.check(constants < calls, "pages that tell of constants", sorted(constants - calls))
unknown = [name for name in calls - {"kport"} if not re.search(rf"\b{name}\b", written)]
tests.check(not unknown, "and no other", unknown)


def call_page(name):
    return (folder / "man3" / f"{name}.3").read_text()


for name, words in [
    ("kp_config", [r"\fBunsigned time_limit_ms\fR", "in milliseconds"]),
    ("kp_report", [r"\fBuint64_t c1\fR", "do not count"]),
    ("kp_status", [r"\fBKP_EMISMATCH\fR", "called different things"]),
    ("kp_type", [r"\fBKP_FLOAT64\fR", "double"]),
    ("KP_SUM", ["kp_builtin_operators"]),
    ("kp_builtin_operators", ["bit\\-and, \\-or, \\-xor                    yes\n"]),
    ("kp_alltoallv", [r"kp_indexv, kp_alltoallv \-", ".SH UNITS", "in bytes"]),
    ("kp_allreduce", [".SH UNITS", "elements"]),
    ("kp_send_start", ["start what kp_send and kp_receive do\n.SH SYNOPSIS"]),
    ("kport", [".IP 2. 3\nthe environment variable KPORT_TUNE"]),
]:
    lacking = [word for word in words if word not in call_page(name)]
    tests.check(not lacking, f"what the page of {name} has", lacking)
marked = [name for name in calls if "`" in call_page(name)]
tests.check(not marked, "no page has marks of Markdown", marked)

bare = []
for path in sorted(folder.glob("man?/*")):
    text = path.read_text()
    # What is told, beside the name and the synopsis.
    told = text.partition(".SH DESCRIPTION")[2].partition(".SH SEE ALSO")[0]
    if len(told.split()) < 8:
        bare.append(path.name)
tests.check(not bare, "every page tells something", bare)

if shutil.which("mandoc"):
    result = execute(["mandoc", "-Tlint"] + sorted(folder.glob("man?/*")))
    tests.check(result.returncode == 0 and not result.stdout, "mandoc finds nothing wrong", said(result))
else:
    tests.skip("mandoc finds nothing wrong", "not installed")

# What is completed, by the words before, and some of what has to be offered.
LINES = [
    (["kport", "ex"], {"explain", "export"}),
    (["kport", "help", "ta"], {"tables"}),
    (["kport", "check", "--bac"], {"--back-pressure"}),
    (["kport", "predict", "--engine", ""], {"loggp", "simgrid"}),
    (["kport", "run", "--bind", ""], {"core", "socket", "numa"}),
    (["kport", "run", "sca"], {"scan:", "scan-exclusive:", "scatter:", "scatterv:"}),
    (["kport", "bench", "allr"], {"allreduce"}),
]
if "kportrun" in pages:
    LINES += [(["kportrun", "--inter"], {"--interleave"}), (["kportrun", "--carrier", "f"], {"fibers"})]

# Of every command all options are offered. A zsh starts for each line, so it completes those of one command.
EVERY = {"--load", "--quiet"}
OPTIONS = {
    command["name"]: set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", command["usage"])) | EVERY for command in commands
}
ASKED = {"bash": list(OPTIONS), "fish": list(OPTIONS), "zsh": ["predict"]}

BASH = """
source "$1"; shift
compopt() { :; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_kport
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = "set fish_complete_path $argv[1]; complete -C $argv[2]"


def offered(shell, words):
    """Each shell is told in which folder files are, and takes the one that it would take for the program."""
    line = " ".join(words)
    if shell == "bash":
        return execute(["bash", "-c", BASH, "bash", folder / "completions" / words[0]] + words)
    if shell == "fish":
        # It completes for programs that it finds.
        found = {**os.environ, "PATH": f"{kport.parent}:{os.environ['PATH']}"}
        return execute(["fish", "--no-config", "-c", FISH, folder / "vendor_completions.d", line], env=found)
    with tempfile.TemporaryDirectory() as work:
        script = pathlib.Path(__file__).with_name("offered.zsh")
        return execute(["zsh", "-f", script, folder / "site-functions", work, line])


for shell in ["bash", "zsh", "fish"]:
    if not shutil.which(shell):
        tests.skip(f"{shell} completes", "not installed")
        continue
    for words, some in LINES:
        result = offered(shell, words)
        got = {line.split("\t")[0] for line in result.stdout.splitlines()} - {""}
        right = result.returncode == 0 and not result.stderr and got == some
        tests.check(right, f"{shell} completes \"{' '.join(words)}\"", said(result))
    lacking = {}
    for name in ASKED[shell]:
        got = {line.split("\t")[0] for line in offered(shell, ["kport", name, "-"]).stdout.splitlines()}
        if OPTIONS[name] - got:
            lacking[name] = sorted(OPTIONS[name] - got)
    tests.check(not lacking, f"{shell} completes every option", lacking)
tests.end()
