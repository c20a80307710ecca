"""kport check for programs: --json, --same-order, the exit statuses, the keys of files, and loaded algorithms of
which one is wrong.

usage: check.py SOURCE_FOLDER PROGRAM COMPILER...
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import Tests, execute, said, with_wrapper

root = pathlib.Path(sys.argv[1]).resolve()
program = str(pathlib.Path(sys.argv[2]).resolve())
tests = Tests()
home = tempfile.TemporaryDirectory()
os.chdir(home.name)
os.environ["KPORT_TUNE"] = "builtin"


def kport(arguments, **options):
    return execute([program] + arguments.split(" "), **options)


def fed(arguments, text):
    return subprocess.run(with_wrapper([program] + arguments.split(" ")), input=text, text=True, capture_output=True)


# --- --json and --same-order ---

# Each of three processors adds the others' operands in the order in which they come.
ROTATED = """kport schedule 1
problem allreduce:n=3,k=1,count=4
round 0
  0 -> 1: out[0] -> right in[0] with out[0]
  1 -> 2: out[0] -> right in[0] with out[0]
  2 -> 0: out[0] -> right in[0] with out[0]
round 1
  0 -> 2: out[0] -> right in[0]
  1 -> 0: out[0] -> right in[0]
  2 -> 1: out[0] -> right in[0]
"""
DOUBLING = "concat:n=8,k=1,b=8,alg=recursive-doubling"


def test_sentences():
    """Sentences that name what is wrong, once, and no block that is innocent."""
    text = kport(f"export {DOUBLING}").stdout
    message = "  1 -> 3: in[1] in[0] -> in[1] in[0]"
    tests.check(message in text, "a message of two blocks", text)
    result = fed("check @-", text.replace(message, "  1 -> 3: in[0] -> in[0]"))
    right = "Nothing has come to place 1 of in of processor 3" in result.stderr and "astray" not in result.stderr
    tests.check(right, "a message from an empty place accuses no other block", said(result))
    pathlib.Path("empty.txt").write_text(text.replace(message, "  1 -> 3: in[0] -> in[0]"))
    sentence = result.stderr.splitlines()[0].split("alg=@-: ")[-1].split("; the message is line ")[0]
    kport("check @empty.txt --svg check.svg")
    drawn = pathlib.Path("check.svg").read_text()
    right = f">wrong: {sentence}<" in drawn and drawn.count('class="fault"') == 1
    tests.check(right, "the drawing says what is wrong and has the place in red", f"{sentence}\n{drawn}")
    result = kport("show @empty.txt --svg show.svg")
    right = result.returncode == 1 and pathlib.Path("show.svg").read_text() == drawn and sentence in result.stderr
    tests.check(right, "show --svg draws a wrong schedule as check does", said(result))
    tests.check('class="fault"' not in kport(f"check {DOUBLING} --svg -").stdout, "a right drawing has no red place")


KEYS = {"schema", "format", "name", "collective", "algorithm", "ranks", "ports", "rounds", "in_place", "correct", "races", "deadlock",
        "depth_needed", "same_order", "findings"}  # fmt: skip


def test_json():
    pathlib.Path("rotated.txt").write_text(ROTATED)
    kport("export allreduce:n=4,k=1,count=2 --format json -o right.json")
    pathlib.Path("wrong.txt").write_text(ROTATED.replace("  1 -> 0: out[0] -> right in[0]\n", ""))
    doubling = "allreduce:n=4,k=1,count=2,alg=recursive-doubling"
    for argument, form, status, same in [
        ("concat:n=4,k=2,b=8", "problem", 0, None), (doubling, "problem", 0, True), ("right.json", "json", 0, True),
        ("@rotated.txt", "text", 0, False), ("@rotated.txt --same-order", "text", 1, False),
        ("@wrong.txt", "text", 1, None), (f"{doubling} --same-order", "problem", 0, True),
        ("index:n=4,k=1,b=8 --same-order", "problem", 0, None), ("index:n=8,k=1,b=8,alg=radix,r=2 --on ring", "problem", 1, None),
    ]:  # fmt: skip
        result = kport(f"check {argument} --json")
        told = json.loads(result.stdout or "{}")
        right = (set(told) == KEYS and result.returncode == status and told["format"] == form
                 and told["correct"] == (status == 0) and told["same_order"] is same and not result.stderr
                 and told["races"] is told["deadlock"] is told["depth_needed"] is None)  # fmt: skip
        tests.check(right, f"check {argument} --json", said(result))
        kinds = [finding["kind"] for finding in told.get("findings", [])]
        wanted = (["network"] if "--on" in argument else ["result"] if "wrong" in argument
                  else ["order"] if same is False else [])  # fmt: skip
        tests.check(kinds == wanted, f"the findings of {argument}", kinds)
    finding = json.loads(kport("check @wrong.txt --json").stdout)["findings"][0]
    right = finding["processor"] == 0 and "lacks the operand of processor 1" in finding["sentence"]
    tests.check(right and "No message takes it to this processor." in finding["account"], "a finding", finding)
    pathlib.Path("lost.txt").write_text(ROTATED.replace("  1 -> 0: out[0] -> right in[0]", "  1 -> 2: out[0] -> right in[0]"))
    told = kport("check @lost.txt").stderr.splitlines()[0]
    finding = json.loads(kport("check @lost.txt --json").stdout)["findings"][0]
    right = told.endswith("; the message is line 9 of lost.txt") and finding["line"] == 9
    tests.check(right, "the line of the message", [told, finding])
    pathlib.Path("moved.txt").write_text(ROTATED + "  0: in[0] -> out[0]\n")
    told = kport("check @moved.txt").stderr.splitlines()[0]
    tests.check(told.endswith("; the move is line 11 of moved.txt"), "the line of a move", told)
    result = kport("check @rotated.txt")
    right = result.returncode == 0 and "told: order: processors 0 and 1 combine element 0 in different" in result.stdout
    tests.check(right, "a difference of order is told", said(result))
    result = kport("check @rotated.txt --same-order --svg x.svg")
    right = result.returncode == 1 and "Processor 1 combines" in result.stderr and not result.stdout
    tests.check(right and ">!<" in pathlib.Path("x.svg").read_text(), "and wrong with --same-order", said(result))
    result = kport("check @rotated.txt --order")
    right = "n unknown: the file is for n=3, k=1 alone" in " ".join(result.stdout.split())
    tests.check(right, "why the order of a file cannot be compared", said(result))
    for options in ["--json --svg -", "--json --order", "--all --json", "--all --same-order"]:
        problem = "" if "--all" in options else f" {doubling}"
        result = kport(f"check{problem} {options}")
        tests.check(result.returncode == 2 and not result.stdout, f"check {options} is refused", said(result))


# --- Networks ---

# A schedule that is right on the network. On those of links a processor can send to a neighbour and receive from it.
ON = {"bus": ("broadcast:n=8,k=7,b=4", "index:n=8,k=1,b=4"), "shared-memory": ("scatter:n=8,k=7,b=4,alg=shared-memory,at_once=1", None),
      "ring": ("concat:n=8,k=1,b=8,alg=ring", "concat:n=2,k=1,b=4"), "torus": ("concat:n=16,k=1,b=8,alg=torus", None),
      "hypercube": ("broadcast:n=8,k=1,b=8,alg=tree", "concat:n=8,k=1,b=8,alg=recursive-doubling"),
      "switch": ("concat:n=8,k=1,b=8", "concat:n=8,k=2,b=8"), "optical": ("concat:n=8,k=1,b=8", "concat:n=8,k=2,b=8"),
      "butterfly": ("broadcast:n=8,k=1,b=8", None)}  # fmt: skip


def test_networks():
    told = " ".join(kport("help check").stdout.split())
    for network, (right, wrong) in ON.items():
        result = kport(f"check {right} --on {network}")
        said_so = re.search(rf": right on {network} \((.*)\)\n", result.stdout)
        short = said_so and re.sub(r"a processor has (\S+) ports?", r"\1", said_so[1])
        tests.check(said_so and f"{network} {short}" in told, f"the port rule of {network} is said", said(result))
        if wrong and said_so and network != "ring":
            result = kport(f"check {wrong} --on {network}")
            sentence = re.search(r"round \d+: processor \d+ .*", result.stderr)
            ends = sentence and sentence[0].endswith(f"({network}: {said_so[1]})")
            tests.check(result.returncode == 1 and ends, f"what breaks the rule of {network} is refused with it", said(result))
            hint = "one direction" not in result.stderr or "Without --on, and in kport predict, all neighbours can" in result.stderr
            tests.check(hint, f"what is half duplex on {network} is said", said(result))
    result = kport("predict concat:n=8,k=1,b=8,alg=recursive-doubling --network hypercube --engine loggp")
    named = "breaks the port rule of the hypercube: a processor has log2(n) ports" in " ".join(result.stdout.split())
    tests.check(named and "Links are duplex" in kport("help predict").stdout, "predict names the rule", said(result))


# --- Statuses ---


def test_statuses():
    network = "predict concat:n=4,k=1 -b 64 --network flat --engine loggp"
    compare = "compare concat --n 4 --k 1 --beta 1 --tau 1"
    commands = {"check concat:n=4,k=1,b=8": "--svg", "show concat:n=4,k=1,b=8": "--svg", network: "--svg", compare: "--svg",
                "export concat:n=4,k=1,b=8": "-o", "cost concat:n=4,k=1,b=8": None, "check concat:n=4,k=1,b=8 --json": "--svg",
                "check @wrong.txt": "--svg", "list": None, "bounds 4 1 8": None}  # fmt: skip
    for command, option in commands.items():
        if option:
            result = kport(f"{command} {option} /nonexistent/x")
            told = "/nonexistent/x" in result.stderr and "could not be written" in result.stderr
            tests.check(result.returncode == 2 and told, f"{command} {option} cannot be written", said(result))
        if "wrong" in command:
            continue
        with open("/dev/full", "w") as full:
            result = execute([program] + command.split(" "), stdout=full)
        right = result.returncode == 2 and "could not be written: No space left" in result.stderr
        tests.check(right, f"{command} to a full device", said(result))


def test_memory():
    """Whichever request for memory is the first that is refused, a right schedule is not called wrong."""
    built = execute([*sys.argv[3:], "-shared", "-fPIC", root / "tests" / "cli" / "failing.c", "-o", "failing.so"])
    if built.returncode != 0:
        tests.skip("memory that is refused", "no object that refuses it can be built here")
        return
    compare, predict = "compare concat --n 4 --k 1 --beta 1 --tau 1", "predict concat:n=4,k=1 -b 64 --engine loggp"
    problem = "allreduce:n=5,k=1,count=2"
    for command in [f"check {problem}", f"check {problem} --json", f"check {problem} --order", f"cost {problem} --json",
                    f"show {problem} --svg x.svg", f"export {problem}", compare, predict]:  # fmt: skip
        wrong, refused, requests, status = [], 0, 0, 2
        while status != 0 and requests < 100000:
            environment = dict(os.environ, LD_PRELOAD=str(pathlib.Path("failing.so").resolve()), KPORT_REQUESTS=str(requests))
            result = kport(command, env=environment)
            status = result.returncode
            if status not in (0, 2) or (status == 2 and (not result.stderr or result.stdout)):
                wrong += [f"{requests}: {said(result)}"]
            refused += status == 2
            requests += 1 + requests // 6
        if refused < 3 and not wrong:
            tests.skip(f"{command} without memory", "requests cannot be refused here")
            continue
        tests.check(not wrong, f"{command} without memory", "\n".join(wrong[:3]))


# --- The keys of files ---


def test_keys():
    machine = "{0} says how a machine runs the schedule, so it stands behind the name of the file, as in @FILE:{0}=..."
    order = "same_order chooses among algorithms, but the file is the algorithm; kport check @FILE --same-order checks its order"
    sentences = {
        "same_order=1": order, "alg=ring": "alg is given, but the file is the algorithm", "foo=1": "the key foo is unknown; a file's",
        **{f"{key}=1": machine.format(key) for key in ["carrier", "workers", "rounds", "generations", "pin", "progress"]},
    }  # fmt: skip
    form = json.loads(kport("export concat:n=3,k=1,b=8 --format json").stdout)
    for key, sentence in sentences.items():
        result = fed("check -", f"kport schedule 1\nproblem concat:n=3,k=1,b=8,{key}\n")
        tests.check(result.returncode == 2 and f"line 2: {sentence}" in result.stderr, f"text: {key}", said(result))
        name, value = key.split("=")
        changed = dict(form, problem={**form["problem"], name: value})
        result = fed("check -", json.dumps(changed))
        tests.check(result.returncode == 2 and f"problem: {sentence}" in result.stderr, f"JSON: {key}", said(result))
    pathlib.Path("right.txt").write_text(kport("export concat:n=3,k=1,b=8").stdout)
    result = kport("check @right.txt:same_order=1")
    tests.check(result.returncode == 2 and order in result.stderr, "behind the name", said(result))
    for n, told in [(0, "0"), (65537, "65537"), (-1, "-1"), (2.5, "2.5"), ("x", "x"), (True, "true"), (10**17, str(10**17))]:
        changed = dict(form, problem={**form["problem"], "n": n})
        result = fed("check -", json.dumps(changed))
        right = f"problem: n is '{told}'; in a file it may be 1 ... 65536" in result.stderr
        tests.check(result.returncode == 2 and right, f"n is {n}", said(result))
    del form["problem"]["n"]
    result = fed("check -", json.dumps(form))
    tests.check("problem: n is missing; in a file it may be 1 ... 65536" in result.stderr, "n is missing", said(result))


# --- A right and a wrong algorithm in an object ---


def test_loaded():
    flags = ["-shared", "-fPIC", f"-I{root / 'include'}"]
    built = execute([*sys.argv[3:], *flags, root / "tests" / "cli" / "pair.c", "-o", "pair.so"])
    if built.returncode != 0:
        tests.check(False, "pair.c is compiled", said(built))
        return
    predict = "predict concat:n=4,k=1 -b 8,16 --network flat --engine loggp --all"
    tune = "tune -n 4 -k 1 --operation concat --seconds 2 --profile tuned.json"
    rows = [("list", 0, False), ("check --all --max-n 4", 1, True), (predict, 1, True),
            ("explain concat:n=4,k=1,b=8", 0, False), ("check concat:n=4,k=1,b=8,alg=bad", 1, True),
            ("check concat:n=4,k=1,b=8,alg=good", 0, False), *((f"{command} concat:n=4,k=1,b=8,alg=bad", 1, True) for command in ["show", "cost", "run", "export", "explain"])]  # fmt: skip
    result = kport(f"{tune} --load pair.so", env=dict(os.environ, KPORT_MISTAKE="missing"))
    if "for want of time" in result.stderr:
        tests.skip("tune leaves a wrong algorithm out", "there was no time to measure")
    else:
        right = result.returncode == 0 and result.stderr.count("alg=bad: ") == 1
        tests.check(right, "tune leaves a wrong algorithm out", said(result))
    for mistake, n in [("missing", 1), ("no-receive", 2)]:
        result = kport("check --all concat -a bad --load pair.so", env=dict(os.environ, KPORT_MISTAKE=mistake))
        right = result.stderr.startswith(f"kport: concat:n={n},") and "1 of 1 algorithm is wrong" in result.stderr
        tests.check(result.returncode == 1 and right, f"check --all tells the fault with the least n: {mistake}", said(result))
    whole = int(kport("check --all --max-n 3").stdout.split()[0])
    for mistake in ["missing", "status", "no-receive"]:
        for command, status, told in rows:
            result = kport(f"{command} --load pair.so", env=dict(os.environ, KPORT_MISTAKE=mistake))
            right = result.returncode == status
            words = "bad is left out: " if command == predict else "alg=bad: "
            right = right and (words in result.stderr) == told and result.stderr.count(words) <= 1
            if command in ("list", predict):
                right = right and "good" in result.stdout
            tests.check(right, f"{command} with a wrong algorithm: {mistake}", said(result))
        result = kport("check --all --max-n 3 --load pair.so", env=dict(os.environ, KPORT_MISTAKE=mistake))
        told = re.search(r"1 of \d+ algorithms is wrong; (\d+) schedules checked", result.stderr)
        right = told and int(told[1]) > whole and not result.stdout
        tests.check(right, f"and the others are checked: {mistake}", f"without them {whole}\n{said(result)}")


# --- Buffers that a processor lacks, and moves ---

LACKING = {
    "broadcast:n=3,k=1,b=8\nround 0\n  0 -> 1: in[0] -> in[0]\nround 1\n  1 -> 2: out[0] -> in[0]":
        "round 1: processor 1 sends to 2 on port 0 from out, a buffer that processor 1 does not have; the message is line 6",
    "gather:n=3,k=1,b=8\nbefore\n  0: out[0] -> in[0]\nround 0\n  2 -> 1: out[0] -> in[2]":
        "round 0: processor 1 receives from 2 on port 0 into in, a buffer that processor 1 does not have; the message is line 6",
    "gather:n=3,k=1,b=8\nround 0\n  1 -> 0: in[0] -> in[1]":
        "round 0: processor 1 sends to 0 on port 0 from in, a buffer that processor 1 does not have; the message is line 4",
    "scatter:n=3,k=1,b=8\nround 0\n  0 -> 1: out[1] -> in[0]\nround 1\n  0 -> 2: out[2] -> in[7]": "line 6: place 7 of in, which has the places 0 ... 0",
}  # fmt: skip


def test_lacking():
    for steps, sentence in LACKING.items():
        result = fed("check @-", f"kport schedule 1\nproblem {steps}\n")
        right = result.returncode in (1, 2) and sentence in result.stderr
        tests.check(right and ("does not have" in sentence) == ("does not have" in result.stderr), sentence, said(result))
    moves = ["  1: in[0] -> scratch[0]", "  1: scratch[0] -> scratch[1]"]
    head = "kport schedule 1\nproblem broadcast:n=2,k=1,b=8\nround 0\n  0 -> 1: in[0] -> in[0]\n"
    result = fed("check @-", head + "\n".join(moves) + "\n")
    tests.check(result.returncode == 0, "a move reads what the one before it has written", said(result))
    result = fed("check @-", head + "\n".join(reversed(moves)) + "\n")
    told = "It is filled by a later move of this processor, round 0. Moves are made in their order.\n" in result.stderr
    tests.check(result.returncode == 1 and told, "moves in the wrong order", said(result))
    # The owner has its block in its outgoing buffer, before it has moved it anywhere.
    steps = "round 0\n  0 -> 1: out[1] -> in[0]\n  1 -> 2: out[2] -> in[1]\nround 1\n  1 -> 2: scratch[0] -> in[0]\n"
    result = fed("check @-", "kport schedule 1\nproblem index:n=3,k=1,b=8\nscratch 1\n" + steps)
    told = "where the block of processor 0 for processor 2 belongs at the end. Before this round processor 0 has it." in result.stderr
    tests.check(result.returncode == 1 and told, "who has the block that a message should have carried", said(result))


test_json()
test_lacking()
test_sentences()
test_networks()
test_statuses()
test_memory()
test_keys()
test_loaded()
tests.end()
