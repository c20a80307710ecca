"""tools/dev refuses what it does not know; .ci/count.py counts what Meson's logs say; a mark in the source
explains an untaken branch to tools/verify/coverage.py.

usage: scripts.py SOURCE_FOLDER
"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from tap import Tests, execute, said

root = pathlib.Path(sys.argv[1])
dev, ci_run, count = root / "tools" / "dev", root / ".ci" / "run", root / ".ci" / "count.py"
coverage = (root / "tools" / "verify" / "coverage.py").resolve()
tests = Tests()

for arguments in [["fast"], ["test", "fast"], ["format", "--fast"],
                  ["verify", "fast"], ["verify", "--fast"]]:
    result = execute([dev] + arguments)
    name = " ".join(arguments)
    tests.check(result.returncode == 2 and result.stderr, f"tools/dev {name}: refused", said(result))
listed = [line.split()[0] for line in execute([dev, "verify", "--list"]).stdout.splitlines()]
files = {path.stem for path in (root / "tools" / "verify").glob("*.sh")} - {"verify"}
tests.check(listed and set(listed) == files, "tools/dev verify: a file for every part", [listed, files])
if shutil.which("shellcheck"):
    result = execute(["shellcheck", "-x", dev, ci_run], cwd=root)
    tests.check(result.returncode == 0, "shellcheck", said(result))
    parts = sorted((root / "tools" / "verify").glob("*.sh")) + [root / "tools" / "packaging" / "try.sh", root / "tools" / "page" / "build.sh"]
    result = execute(["shellcheck", "-s", "sh"] + parts)
    tests.check(parts and result.returncode == 0, "shellcheck of verify's parts", said(result))
else:
    tests.skip("shellcheck", "not installed")

# What tools/dev verify packages says of systems, with commands that only say what they would do: one system
# cannot be had, one fails, all others pass. Ubuntu's archive needs its key.
PACKAGES = """
set -eu
say() { echo "$@"; }
id() { echo 0; }
need() { :; } ; configure() { :; } ; quietly() { [ "$1" != mmdebstrap ] || "$@"; } ; cp() { :; }
mmdebstrap() {
    case "$*" in
    *--variant=extract*--include=ubuntu-keyring*)
        for folder; do :; done
        mkdir -p "$folder/usr/share/keyrings"
        : >"$folder/usr/share/keyrings/ubuntu-archive-keyring.gpg"
        ;;
    *noble*)
        case "$*" in *--keyring=/*) ;; *) return 25 ;; esac
        [ -n "$(find "$packed" -maxdepth 0 -perm -005)" ] || return 25 # apt's own user
        ;;
    *--simulate*absent*) return 25 ;;
    *--simulate*) ;;
    *failing*) return 1 ;;
    esac
}
. "$1"
part_packages
"""
for systems, status, words in [
    ("bookworm trixie", 0, "passed in bookworm trixie; failed in none; not to be had here: none"),
    ("noble", 0, "passed in noble; failed in none; not to be had here: none"),
    ("absent trixie", 69, "passed in trixie; failed in none; not to be had here: absent"),
    ("absent failing trixie", 1, "passed in trixie; failed in failing; not to be had here: absent"),
]:
    result = execute(["sh", "-c", PACKAGES, "sh", root / "tools" / "verify" / "packages.sh"], env={**os.environ, "SYSTEMS": systems})
    tests.check(result.returncode == status and words in result.stdout, f"verify packages, {systems}: status {status}", said(result))
result = execute(["sh", root / "tools" / "packaging" / "try.sh", "kport-0.tar.gz", "run", "nothing"])
tests.check(result.returncode == 2 and '"nothing"' in result.stderr, "a route of packages that there is not: refused, and named", said(result))

# What can be left out: one list, and the same names wherever they are told.
header = (root / "ports" / "without.h").read_text()
cases = re.findall(r"^    KP_CASE_(\w+), */\* (\S+) \*/$", header, re.M)
named = [name.lower().replace("_", "-") for name, _ in cases]
tests.check(len(cases) > 10 and len(cases) == len(re.findall(r"^    KP_CASE_", header, re.M)),
            "ports/without.h tells a place for each special case", cases)  # fmt: skip
for name, place in cases:
    decides = f"KP_HAS({name})" in (root / place).read_text()
    tests.check(decides, f"{place} decides {name}", "no KP_HAS of it there")
option = re.search(r"option\('without'.*?choices: \[(.*?)\]", (root / "meson_options.txt").read_text(), re.S)
tests.check(re.findall(r"'([\w-]+)'", option.group(1)) == named, "-Dwithout: each of them", option.group(1))
gains = re.findall(r"^\| `([\w-]+)` \|.*?\| `(\S+)` \|(?:[^|]*\|){3}$", (root / "doc" / "design.md").read_text(), re.M)
tests.check(gains == list(zip(named, [place for _, place in cases])), "doc/design.md: each of them", gains)
result = execute([sys.executable, root / "bench" / "special_cases.py", "--list"])
measured = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
tests.check(sorted(measured) == sorted(named), "special-cases: each of them is measured", said(result))
for arguments in [["nothing"], ["--pairs", "4"]]:
    result = execute([dev, "bench", "special-cases"] + arguments)
    tests.check(result.returncode == 2 and arguments[-1] in result.stderr,
                f"tools/dev bench special-cases {arguments[-1]}: refused, and named", said(result))  # fmt: skip
result = execute([dev, "bench", "--help"])
tests.check(result.returncode == 0 and "usage: peers" in result.stdout and "--list " in result.stdout and not result.stderr,
            "tools/dev bench --help builds nothing", said(result))  # fmt: skip
result = execute([dev, "build", "--slow"])
tests.check(result.returncode == 2 and 'not "--slow"' in result.stderr, "tools/dev build --slow: refused, and named", said(result))


def lines_of(folder, results, junit=None):
    """What count.py prints about a folder with these results, and its status."""
    logs = pathlib.Path(folder) / "meson-logs"
    logs.mkdir(exist_ok=True)
    log = "".join(json.dumps({"name": n, "result": r, "duration": 1.0, "stdout": f"{n} says {r}\n"}) + "\n"
                  for n, r in results)  # fmt: skip
    (logs / "testlog.json").write_text(log)
    (logs / "testlog.junit.xml").write_text(junit or "<testsuites></testsuites>")
    result = execute([sys.executable, count, folder])
    told = [n for n, r in results if f"{n} says {r}\n" in result.stdout]
    bad = [n for n, r in results if r not in ("OK", "EXPECTEDFAIL", "SKIP")]
    return result.stdout.splitlines()[-1:] + ([] if told == bad else [f"tells of {told}"]), result.returncode


CASES = [
    ("all pass", [("a", "OK"), ("b", "EXPECTEDFAIL")], None, "2 passed, 0 failed", 0),
    ("one fails", [("a", "OK"), ("b", "FAIL")], None, "1 passed, 1 failed", 1),
    ("one is too slow", [("a", "OK"), ("b", "TIMEOUT")], None, "1 passed, 1 failed", 1),
    ("one is broken", [("a", "ERROR"), ("b", "OK")], None, "1 passed, 1 failed", 1),
    ("one is skipped", [("a", "OK"), ("b", "SKIP")], None, "1 passed, 0 failed", 0),
    ("nothing ran", [], None, "0 passed, 1 failed", 1),
    ("lines of a test count", [("a", "OK"), ("t", "FAIL")],
     '<testsuites><testsuite name="kport.t"><testcase name="1"/><testcase name="2"/>'
     '<testcase name="3"><failure/></testcase><testcase name="4"><skipped/></testcase>'
     "</testsuite></testsuites>", "3 passed, 1 failed", 1),
]  # fmt: skip
with tempfile.TemporaryDirectory() as folder:
    result = execute([sys.executable, count, folder])
    right = result.returncode == 1 and result.stdout.endswith("0 passed, 1 failed\n")
    tests.check(right, "count: a folder without a log is a failure", said(result))
    for name, results, junit, line, status in CASES:
        got = lines_of(folder, results, junit)
        tests.check(got == ([line], status), f"count: {name}", got)
    lines_of(folder, [("a", "OK")])
    result = execute([sys.executable, count, folder, "--failed=lines", "--failed=format"])
    right = result.returncode == 1 and result.stdout.endswith("failed steps: lines, format\n1 passed, 2 failed\n")
    tests.check(right, "count: a step that failed while no test did is named and counts", said(result))


def branches_found(folder, lines):
    """What coverage.py says of a file with these lines, each with the counts of its branches: the numbers of
    the lines that are not explained, the numbers of the marks without a branch, and whether it fails."""
    source, report = pathlib.Path(folder) / "ports" / "one.c", pathlib.Path(folder) / "report.json"
    source.parent.mkdir(exist_ok=True)
    source.write_text("".join(line + "\n" for line, _ in lines))
    counted = [{"line_number": number, "count": sum(counts) if counts else 1,
                "branches": [{"count": count} for count in counts]}
               for number, (_, counts) in enumerate(lines, 1)]  # fmt: skip
    report.write_text(json.dumps({"files": [{"file": "ports/one.c", "lines": counted}]}))
    result = execute([sys.executable, coverage, report, "0", "ports"], cwd=folder)
    unexplained = re.findall(r"^ports/one\.c:(\d+): \d of \d branches", result.stdout, re.M)
    stale = re.findall(r"^ports/one\.c:(\d+): explained", result.stdout, re.M)
    sums = f"; {len(unexplained)} not explained, {len(stale)} explanations without a branch\n"
    told = sums in result.stdout and result.returncode == (1 if unexplained or stale else 0)
    return [int(n) for n in unexplained], [int(n) for n in stale], told or said(result)


BOTH, ONE, NEITHER, NONE = [3, 4], [7, 0], [0, 0], []
MARKED = [
    ("no mark", [("if (a)", ONE)], [1], []),
    ("a mark at the end of the line", [("if (a) { /* untaken: nobody has an a */", ONE)], [], []),
    ("the next line has a branch too", [("if (a) { /* untaken: nobody has an a */", ONE), ("if (b)", ONE)], [2], []),
    ("a mark alone, and the end of the code that it covers",
     [("/* Why. Untaken:", NONE), (" * a reason */", NONE), ("", NONE), ("a = b &&", ONE), ("    c;", ONE),
      ("d = e ? f : g;", ONE)], [6], []),
    ("a condition ends the code that a mark covers",
     [("/* untaken: a reason */", NONE), ("if (a &&", ONE), ("    b(c))", BOTH), ("    d = e ? f : g;", ONE)], [4], []),
    ("a mark within a condition, which a brace ends",
     [("if (a &&", ONE), ("    /* untaken: a reason */", NONE), ("    b) {", ONE), ("    c = d ? e : f;", ONE)],
     [1, 4], []),
    ("all branches are taken", [("if (a) /* untaken: a reason */", BOTH)], [], [1]),
    ("all branches are taken, which is seldom", [("if (a) /* seldom taken: a reason */", BOTH)], [], []),
    ("a branch is not taken, and that is seldom", [("if (a) /* seldom taken: a reason */", ONE)], [], []),
    ("no line is run",
     [("if (a)", NEITHER), ("if (a) /* seldom taken: a reason */", NEITHER),
      ("if (a) /* untaken: a reason */", NEITHER)], [], [3]),
    ("nothing branches", [("a = b; /* untaken: a reason */", NONE), ("a = b; /* seldom taken: a reason */", NONE)],
     [], [1, 2]),
    ("no reason", [("if (a) /* untaken: */", ONE), ("if (a) /* seldom taken */", ONE)], [1, 2], []),
    ("no comment", [("""if (a['"'] == "/* untaken: a reason */")""", ONE)], [1], []),
]  # fmt: skip
with tempfile.TemporaryDirectory() as folder:
    for name, lines, *expected in MARKED:
        got = branches_found(folder, lines)
        tests.check(got == (*expected, True), f"coverage of branches: {name}", got)
tests.end()
