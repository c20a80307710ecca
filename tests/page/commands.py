"""The commands that the page to play with gives to its program (tools/page), by the same program compiled for
this machine. A browser looks at the rest: tests/page/browser.py, which tools/dev verify runs.

usage: commands.py SOURCE_FOLDER PROGRAM KPORT
"""

import json
import os
import pathlib
import re
import sys
import tempfile

from tap import Tests, execute, said

source, program, kport = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
os.environ["KPORT_TUNE"] = "builtin"
folder = pathlib.Path(tempfile.mkdtemp())
tests = Tests()
used = set()
wrong = folder / "wrong.txt"
wrong.write_text("kport schedule 1\nproblem concat:n=2,k=1,b=8\nround 0\n  0 -> 1: out[0] -> in[0]\n")


def answer(*words, status=0):
    """What a command prints as JSON; a test that it does."""
    used.update(word for word in words if word.startswith("--"))
    result = execute([program, *words], cwd=folder)
    right = result.returncode == status and result.stdout.startswith("{") and not result.stderr
    tests.check(right, " ".join(words), said(result))
    return json.loads(result.stdout) if right else {}


problem = "index:n=8,k=1,b=64,alg=radix,r=2"
choices = answer("choices", problem)
names = [row["name"] for row in choices.get("algorithms", [])]
tests.check(len(choices.get("operations", [])) > 10 and {"radix", "ring"} <= set(names), "operations and algorithms may be chosen", str(choices))
tests.check("concat" in [row["name"] for row in choices.get("operations", [])], "concat may be chosen")
shown = answer("show", problem, "--json", "--tune", "builtin")
tests.check(shown.get("c1") == choices.get("c1") == 3 and not shown.get("wrong"), "the picture is of this schedule", str(shown)[:200])
for more in ([], ["--beta", "50", "--tau", "0.25"]):
    words = ["compare", "index", "--n", "8", "--k", "1", "--json", *more]
    every = answer(*words, "-m", "1:1M")
    own = answer(*words, "-m", "64,128", "-a", "radix/r=2")
    tests.check(len(every.get("rows", [])) > 50 and len(own.get("rows", [])) == 2, "points of the curve", str(own))
right = folder / "right.txt"
right.write_text(execute([kport, "export", "concat:n=4,k=1,b=8,alg=ring"]).stdout)
for name, status in (("right.txt", 0), ("wrong.txt", 1)):
    verdict = answer("check", f"@{name}", "--json", "--tune", "builtin", status=status)
    tests.check(verdict.get("correct") is (status == 0), f"the verdict on {name}", str(verdict))
    seen = answer("show", f"@{name}", "--json", "--tune", "builtin", status=status)
    tests.check(bool(seen.get("wrong")) is (status == 1), f"the picture of {name}", str(seen)[:200])
answer("cost", "@right.txt", "--json", "--tune", "builtin")
drawn = execute([program, "show", problem, "--svg", "-"])
tests.check("<svg" in drawn.stdout, "an SVG", said(drawn))
refused = execute([program, "choices", "index:n=0,k=1,b=1"])
tests.check(refused.returncode == 2 and "n is '0'" in refused.stderr, "a problem that cannot be", said(refused))

# A command or an option that the page comes to use belongs above.
scripts = "".join((source / "tools" / "page" / f"{name}.js").read_text() for name in ("engine", "form", "main"))
options = set(re.findall(r'"(--[a-z-]+)"', scripts)) | {"--beta", "--tau"}
tests.check(options <= used | {"--svg"}, "every option that the page gives is tried", str(options - used))
commands = set(re.findall(r'kport(?:Json)?\("([a-z]+)"', scripts)) | set(re.findall(r'words = \["([a-z]+)"', scripts))
tests.check(commands == {"choices", "show", "check", "cost", "compare"}, "every command is tried", str(commands))
tests.end()
