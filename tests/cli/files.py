"""Schedules in files: written by kport export, read by the other commands, and run.

usage: files.py SOURCE_FOLDER PROGRAM
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tests, execute, said, with_wrapper

root = pathlib.Path(sys.argv[1]).resolve()
program = str(pathlib.Path(sys.argv[2]).resolve())
tests = Tests()
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
os.environ["KPORT_TUNE"] = "builtin"


def kport(arguments, **options):
    return execute([program] + arguments.split(" "), **options)


def fed(arguments, text):
    """With a text as standard input."""
    command = with_wrapper([program] + arguments.split(" "))
    return subprocess.run(command, input=text, text=True, capture_output=True)


def export(problem, name):
    form = "json" if name.endswith(".json") else "text"
    pathlib.Path(name).unlink(missing_ok=True)  # it would not be overwritten
    return kport(f"export {problem} --format {form} -o {name}")


# --- Every command takes a file ---

RING = "concat:n=4,k=1,b=8,alg=ring"
# Ports, moves, and operands in their place and elsewhere.
TEXTS = {
    "reduce:n=3,k=1,count=4,alg=tree": """kport schedule 1
problem reduce:n=3,k=1,count=4,type=float64,op=sum
round 0
  2 -> 0: out[0] -> right in[0] with out[0]
round 1
  1 -> 0: out[0] -> right in[0]
""",
    "scatter:n=5,k=2,b=3,root=4,alg=tree": """kport schedule 1
problem scatter:n=5,k=2,b=3,root=4
before
  4: out[4] -> in[0]
round 0
  4.0 -> 3.0: out[3] -> in[0]
  4.1 -> 2.1: out[2] -> in[0]
round 1
  4.0 -> 1.0: out[1] -> in[0]
  4.1 -> 0.1: out[0] -> in[0]
""",
}
ALONE = re.sub(",alg=.*", "", RING)


def test_commands():
    for problem, text in TEXTS.items():
        result = kport(f"export {problem}")
        tests.check(result.stdout == text, f"export {problem}", said(result))
    result = kport("export index:n=8,k=1,b=3,alg=radix,r=2")
    line = "\n  0 -> 1: out[7 by -2 x 4] -> in[2] scratch[2] scratch[4] in[0]\n"
    tests.check(line in result.stdout, "places at equal distances are one piece", said(result))
    for name in ["ring.txt", "ring.json"]:
        result = export(RING, name)
        tests.check(result.returncode == 0 and not result.stdout, f"export -o {name}", said(result))
        same = kport(f"cost {RING}").stdout.replace("alg=ring", f"alg=@{name}")
        result = kport(f"cost @{name}")
        tests.check(result.stdout == same, f"cost @{name} is that of the problem", said(result))
        result = kport(f"check @{name}")
        tests.check(result.stdout == f"{ALONE},alg=@{name}: right\n", f"check @{name}", said(result))
        result = kport(f"explain @{name}")
        right = result.returncode == 0 and f"chosen: @{name}, rounds by barrier" in result.stdout
        tests.check(right, f"explain @{name}", said(result))
        result = kport(f"export @{name} --format text")
        tests.check(result.stdout == kport(f"export {RING}").stdout, f"export @{name} as text", said(result))
    # The rounds of a schedule without a symmetry are printed alike; others as those of processor i.
    tree = "gather:n=5,k=1,b=8,root=2,alg=tree"
    mine = pathlib.Path("mine.txt")
    for there, right in [(None, True), ("", True), ("mine", False)]:
        mine.unlink(missing_ok=True)
        if there is not None:
            mine.write_text(there)
        result = kport(f"export {RING} -o mine.txt")
        refused = result.returncode == 2 and mine.read_text() == there
        told = "kport: mine.txt exists already, and is not overwritten; give another FILE, or remove it\n"
        tests.check((result.returncode == 0 and mine.read_text() == kport(f"export {RING}").stdout) if right else (refused and result.stderr == told),
                    f"export -o where {'nothing' if there is None else repr(there)} is", said(result))  # fmt: skip
    mine.write_text("mine")
    result = kport(f"export {RING} --format json -o mine.txt")
    tests.check(result.returncode == 0 and json.loads(mine.read_text()), "results for programs replace a file", said(result))
    export(tree, "tree.txt")
    result = kport("show @tree.txt")
    same = kport(f"show {tree}").stdout.replace("alg=tree", "alg=@tree.txt")
    tests.check(result.stdout == same, "show @FILE is that of the problem", said(result))
    result = kport("show @ring.txt --svg -")
    tests.check("<svg" in result.stdout, "show @FILE --svg", said(result))
    shutil.copy("ring.txt", "plain")
    for argument in ["ring.txt", "./ring.txt", "ring.txt:b=40", "plain"]:
        for command in ["check", "cost", "run", "show", "export", "explain"]:
            result = kport(f"{command} {argument}")
            right = result.returncode == 2 and not result.stdout
            told = f"kport: '{argument}' is not a problem string; did you mean the file @{argument}?" in result.stderr
            tests.check(right and told, f"{command} {argument}: the sign of a file is missing", said(result))
    for argument in ["none.txt", "unknown", "unknown:n=4", "concat:n=4,k=1,b=8,alg=ring.txt"]:
        result = kport(f"check {argument}")
        right = result.returncode == 2 and "did you mean" not in result.stderr and "it may be" in result.stderr
        tests.check(right, f"check {argument} is no file", said(result))
    text = kport(f"export {RING}").stdout
    for arguments, given in [("check ring.json", ""), ("check -", text), ("check @-", text), ("check @-:b=40", text),
                             ("check -", pathlib.Path("ring.json").read_text()), ("check ring.json:b=40", ""), ("check ./ring.json:b=40", "")]:  # fmt: skip
        result = fed(arguments, given)
        right = result.returncode == 0 and result.stdout.endswith(": right\n")
        tests.check(right and ("b=40" in arguments) == ("b=40" in result.stdout), arguments, said(result))
    result = kport("check @ring.txt --on ring")
    tests.check(result.returncode == 0 and "right on ring (a processor has two ports" in result.stdout, "check @FILE --on", said(result))


# --- Files are run ---

RUNS = [
    "index:n=6,k=2,b=5,alg=radix,r=3", "index:n=5,k=1,b=3,in_place=1", "concat:n=5,k=2,b=7",
    "broadcast:n=6,k=1,b=40,root=4,alg=pipelined,packets=5", "scatter:n=5,k=2,b=3,root=3",
    "gather:n=5,k=2,b=3,root=3", "indexv:n=5,k=2,b=9,alg=radix", "indexv:n=4,k=1,b=9,alg=padded",
    "concatv:n=5,k=2,b=9", "scatterv:n=4,k=1,b=9,root=2", "gatherv:n=4,k=1,b=9,root=2",
    "reduce:n=6,k=2,count=9,root=5,alg=pipelined,packets=3", "allreduce:n=7,k=2,count=5,type=int32,op=maximum",
    "reduce-scatter:n=6,k=2,count=3,op=compose", "scan:n=6,k=1,count=3,type=int16",
    "scan-exclusive:n=5,k=2,count=3", "one-to-one:n=5,k=1,b=6,root=3,to=1", "index:n=1,k=1,b=8", "concat:n=3,k=1,b=0",
    "reduce-scatterv:n=5,k=2,count=4", "barrier:n=5,k=2",
]  # fmt: skip


def test_runs():
    carriers = ["threads"] + ["fibers"] * ("switched by" in kport("--version").stdout)
    for i, problem in enumerate(RUNS):
        name = f"run.{'json' if i % 2 else 'txt'}"
        result = export(problem, name)
        tests.check(result.returncode == 0, f"export {problem}", said(result))
        for carrier in carriers:
            result = kport(f"run @{name}:carrier={carrier} --repeat 2 --json")
            facts = json.loads(result.stdout) if result.returncode == 0 else {}
            wanted = json.loads(kport(f"cost {problem} --json").stdout)
            right = facts.get("verified") is True and (facts["c1"], facts["c2"]) == (wanted["c1"], wanted["c2"])
            tests.check(right, f"run {problem} from a file, on {carrier}", said(result))
    export("allreduce:n=4,k=1,count=6", "sum.txt")
    result = kport("run @sum.txt:op=minimum,type=int16,count=33,in_place=1 --repeat 2")
    right = result.returncode == 0 and "count=33,type=int16,op=minimum,in_place=1,alg=@sum.txt" in result.stdout
    tests.check(right, "a file with another operator, type and count", said(result))
    for command in ["cost", "check", "show", "run --repeat 1", "explain", "export", "predict --engine loggp"]:
        printed = result.stdout.partition("\n")[0]
        right = execute([program, *command.split(), printed])
        tests.check(right.returncode == 0, f"what is printed is taken again: {command} {printed}", said(right))
    both = [kport(f"cost {problem}").stdout for problem in (f"concat:n=4,k=1,b=40,alg=@{pathlib.Path('ring.txt').resolve()}", "@ring.txt:b=40")]
    tests.check(both[0].partition("\n")[2] == both[1].partition("\n")[2] != "", "a path of a file as the algorithm", both)
    bounds = kport("bounds @ring.txt").stdout
    tests.check("n=4 processors, k=1 ports" in bounds and "concat" in bounds and "index" not in bounds, "bounds of a file", bounds)


# --- Wrong files ---

LOST = f"kport schedule 1\nproblem {ALONE}\nround 0\n  0 -> 1: out[0] -> in[0]\n"
TWICE = f"kport schedule 1\nproblem {ALONE}\nround 0\n  0 -> 1: out[0] -> in[0]\n  0 -> 1: out[0] -> in[1]\n"
PORT = f"kport schedule 1\nproblem {ALONE}\nround 0\n  0.1 -> 1: out[0] -> in[0]\n"
ITSELF = f"kport schedule 1\nproblem {ALONE}\nround 0\n  0 -> 0: out[0] -> in[0]\n"


def test_comparison():
    """The file has a row at each length, though another algorithm is better."""
    export("concat:n=5,k=1,b=8,alg=ring", "ring5.txt")
    for arguments in ["", " -m 8:16"]:
        result = kport(f"compare @ring5.txt{arguments}")
        rows = [line.split() for line in result.stdout.splitlines() if re.match(r" +\d+ ", line)]
        lengths = {row[0] for row in rows}
        of_file = [row for row in rows if row[1] == "@ring5.txt" and not row[4].endswith("*")]
        best = {row[0] for row in rows if row[4].endswith("*")}
        tests.check(len(of_file) == len(lengths) > 1 and best == lengths, f"compare @FILE{arguments}", said(result))


def test_wrong_schedules():
    for text, sentence in [
        (LOST, "the block of processor 0"), (TWICE, "round 0: processor 0 sends 2 messages, but has only 1 port"),
        (PORT, "round 0: processor 0 sends to 1 on port 1, which is no port of it"),
        (ITSELF, "on port 0; the message is line 4 of wrong.txt"),
    ]:  # fmt: skip
        pathlib.Path("wrong.txt").write_text(text)
        result = kport("check @wrong.txt")
        right = result.returncode == 1 and not result.stdout and result.stderr.startswith(f"kport: {ALONE},alg=@wrong.txt: ")
        tests.check(right and (sentence in result.stderr or text is LOST), f"wrong: {sentence}", said(result))
    pathlib.Path("wrong.txt").write_text(LOST)
    refused = ["show @wrong.txt", "run @wrong.txt --repeat 1", "cost @wrong.txt", "explain @wrong.txt"]
    refused += [f"export @wrong.txt --format {form}" for form in ["text", "json", "dot", "tikz", "goal", "simgrid"]]
    if "msccl" in kport(f"export {RING} --format msccl").stdout:
        refused += ["export @wrong.txt --format msccl"]
    for command in refused:
        result = kport(command)
        right = result.returncode == 1 and not result.stdout and "alg=@wrong.txt: at the end processor 0" in result.stderr
        tests.check(right, f"{command} is refused", said(result))
    wide = "kport schedule 1\nproblem concat:n=5000,k=1,b=8\nround 0\n  0 -> 1: out[0] -> in[0]\n"
    pathlib.Path("large.txt").write_text(wide)
    for command in ["show", "run", "cost", "explain", "export"]:
        result = kport(f"{command} @large.txt")
        right = result.returncode == 2 and not result.stdout and "too large to be checked before it is used: n is 5000" in result.stderr
        tests.check(right, f"{command} does not use a schedule that is too large to be checked", said(result))
    pathlib.Path("wrong.txt").write_text("kport schedule 1\nround 0\n")
    pathlib.Path("wrong.xml").write_text("<algo/>")
    pathlib.Path("zeros.txt").write_bytes(bytes(1000))
    pathlib.Path("wide.json").write_text(json.dumps({"format": "kport schedule", "version": 7}))
    for argument, sentence in [
        ("@wrong.txt", "kport: wrong.txt, line 2: the line 'problem ...' must stand before the first move and the first round"),
        ("@none.txt", "kport: none.txt: No such file or directory"), ("@.", "kport: .: Is a directory"),
        ("none.json", "kport: none.json: No such file or directory"), ("@", "kport: @: the name of the file has no"),
        ("@" + "x" * 300, "the name of the file has no characters, or more than 198"),
        ("@zeros.txt", "kport: zeros.txt, line 1: a file begins with the line"),
        ("wide.json", "kport: wide.json: the version is 7; this kport reads version 1"),
        ("@ring.txt:n=5", "kport: @ring.txt:n=5: n is given, but the file is for n=4, k=1; b, count"),
        ("@ring.txt:count=5", "kport: @ring.txt:count=5: count is given, but concat combines nothing"),
        ("@ring.txt,carrier=fibers", "kport: @ring.txt,carrier=fibers: keys stand behind a colon, as in @ring.txt:carrier=fibers"),
        ("concat:n=5,k=1,b=8,alg=@ring.txt", "kport: algorithm @ring.txt does not serve n=5, k=1; it serves n=4, k=1"),
        ("index:n=4,k=1,b=8,alg=@ring.txt", "kport: alg is @ring.txt, which does concat, not index"),
        ("concat:n=4,k=1,b=8,alg=@none.txt", "kport: none.txt: No such file or directory"),
        ("concat:n=4,k=0,b=8,alg=@ring.txt", "kport: k is '0'"),
        ("@ring.txt:carrier=bees", "kport: carrier is 'bees'; it may be threads, fibers or mpi"),
    ]:  # fmt: skip
        for command in ["check", "cost", "show", "run", "explain", "export"]:
            result = kport(f"{command} {argument}")
            right = result.returncode == 2 and not result.stdout and sentence in result.stderr
            tests.check(right, f"{command} {argument[:40]}: {sentence}", said(result))
    for arguments, sentence in [
        ("export @wrong.xml", "kport: wrong.xml: line 1: <algo> lacks the attribute ngpus"),
        ("bench @ring.txt", "\"@ring.txt\" is a file; a schedule from a file is timed by kport run"),
        ("bounds 8 1", "three numbers n, k and b are needed, or a problem"),
        ("bounds @none.txt", "none.txt: No such file"),
        (f"export {RING} --format png", '--format is "png"; it may be text, json, dot, tikz'),
        (f"export {RING} --format svg", "kport show PROBLEM --svg FILE draws it"),
        ("export", "which problem?"), (f"export {RING} -o none/here", "none/here"),
        ("export index:n=129,k=1,b=1 --format dot", "up to 128 processors, 64 rounds and 4096 messages; n is 129"),
        ("export broadcast:n=65537,k=1,b=1", "n is 65537; in a file it may be 1 ... 65536"),
    ]:  # fmt: skip
        result = kport(arguments)
        right = result.returncode in (1, 2) and not result.stdout and sentence in result.stderr
        tests.check(right, f"refused: {arguments}", said(result))


# --- The JSON Schema ---


def test_schema():
    schema = json.loads((root / "doc" / "manual" / "reference" / "schedule.schema.json").read_text())
    names = {row["operation"] for row in json.loads(kport("list --json").stdout)["algorithms"]}
    known = schema["properties"]["problem"]["properties"]["operation"]["enum"]
    tests.check(set(known) == names, "the schema has every operation", sorted(names ^ set(known)))
    try:
        import jsonschema
    except ImportError:
        tests.skip("files are as doc/manual/reference/schedule.schema.json says", "Debian: python3-jsonschema is not found")
        return
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for problem in RUNS:
        written = json.loads(kport(f"export {problem} --format json").stdout)
        errors = [error.message for error in validator.iter_errors(written)]
        tests.check(not errors, f"as the schema says: {problem}", errors)

    # What the schema refuses, kport refuses too.
    for change in [
        lambda file: file.update(version=2), lambda file: file.update(form=1), lambda file: file.pop("rounds"),
        lambda file: file["problem"].update(n=0), lambda file: file["problem"].pop("operation"),
        lambda file: file["steps"][0].pop("take"), lambda file: file["steps"][0].update(take=[]),
        lambda file: file["steps"][0]["take"][0].update(space="on"), lambda file: file["steps"][0].update(at=-1),
        lambda file: file["steps"][0]["take"][0].update(run=0), lambda file: file["steps"][-1].update(combine="up"),
        lambda file: file["steps"][-1].update(from_port="0"), lambda file: file.update(scratch=1.5),
    ]:  # fmt: skip
        file = json.loads(pathlib.Path("ring.json").read_text())
        change(file)
        pathlib.Path("changed.json").write_text(json.dumps(file))
        result = kport("check changed.json")
        right = not validator.is_valid(file) and result.returncode == 2
        tests.check(right, f"the schema and kport refuse: {result.stderr.strip()}", said(result))


# --- Drawings ---


def test_drawings():
    for problem in ["concat:n=5,k=2,b=4", "allreduce:n=6,k=2,count=7", "broadcast:n=4,k=1,b=9,root=2,alg=pipelined",
                    "index:n=1,k=1,b=4"]:  # fmt: skip
        facts = json.loads(kport(f"cost {problem} --json").stdout)
        dot, tikz = (kport(f"export {problem} --format {form}").stdout for form in ["dot", "tikz"])
        arrows = len(re.findall(r"^  p\d+_\d+ -> p\d+_\d+ \[constraint=false", dot, re.M))
        right = arrows == facts["messages"] and dot.startswith("digraph") and dot.endswith("}\n")
        tests.check(right and dot.count("{") == dot.count("}"), f"dot has every message: {problem}", dot)
        arrows = len(re.findall(r"^\\draw\[message", tikz, re.M))
        begun, ended = (re.findall(rf"\\{word}\{{(\w+)\}}", tikz) for word in ["begin", "end"])
        right = arrows == facts["messages"] and begun == ended[::-1] == ["document", "tikzpicture"]
        tests.check(right and tikz.count("{") == tikz.count("}"), f"tikz has every message: {problem}", tikz)
        if shutil.which("dot"):
            drawn = subprocess.run(["dot", "-Tsvg"], input=dot, text=True, capture_output=True)
            right = drawn.returncode == 0 and drawn.stdout.count('class="node"') > facts["n"]
            tests.check(right, f"Graphviz draws it: {problem}", drawn.stderr)
    # A name that TeX or Graphviz would take for something else stands in neither.
    shutil.copy("ring.txt", 'a"}%{\\x')
    for form in ["dot", "tikz"]:
        result = kport(f'export @a"}}%{{\\x --format {form}')
        tests.check(result.returncode == 0 and "alg=@a?????x" in result.stdout, f"a strange name in {form}", said(result))


test_commands()
test_runs()
test_comparison()
test_wrong_schedules()
test_schema()
test_drawings()
tests.end()
