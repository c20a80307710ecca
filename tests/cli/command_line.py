"""The program from outside: exit statuses, what stands on which stream, the keys of the JSON.

usage: command_line.py PROGRAM
"""

import datetime
import json
import os
import platform
import re
import shutil
import signal
import sys
import tempfile

from tap import Tests, execute, said, with_wrapper

program = sys.argv[1]
tests = Tests()
# Among the examples of --help is one that writes a profile: not over the user's own.
cache = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = cache.name

# What --version says of the build, a line each.
BUILT = ["fibers", "sleep on", "pin"]
COMMANDS = ["run", "cost", "check", "show", "list", "bounds", "tables", "route", "soak", "bench",
            "tune", "explain", "export"]
COST_KEYS = {
    "operation", "algorithm", "parameters", "n", "k", "b",
    "c1", "c2", "c1_bound", "c2_bound", "messages", "bytes",
}  # fmt: skip
BENCH = "bench index -n 2 -k 1 -m 1:8 -i 5"
RUN_KEYS = COST_KEYS | {"verified", "repeats", "calls_per_repeat", "carrier", "crowded", "median_us", "min_us", "computer", "bind"}

# Arguments, and words that the message on stderr has to contain: the key, what it was, what it may
# be.
REFUSED = [
    ("cost index:k=1,b=1", ["n", "missing"]),
    ("cost index:n=4,k=1,b=1 --beta x", ["--beta", "x"]),
    ("explain index:n=4,k=1,b=1 --tau -1", ["--tau", "-1"]),
    ("check --all --beta 1", ["either a problem", "or --all"]),
    ("cost index:n=4,b=1", ["k", "missing"]),
    ("cost index:n=4,k=1", ["b", "missing"]),
    ("cost index:n=0,k=1,b=1", ["n is", "0", "1 ..."]),
    ("cost index:n=1048576,k=1,b=1", ["n is", "1048576", "1048575"]),
    ("cost index:n=4,k=0,b=1", ["k is", "0", "1 ... 3"]),
    ("cost index:n=4,k=4,b=1", ["k is", "4", "1 ... 3"]),
    ("cost index:n=1,k=2,b=1", ["k is", "2", "1 ... 1"]),
    ("cost index:n=4,k=1,b=-1", ["b is", "-1", "0 ..."]),
    ("cost index:n=4,k=1,b=99999999999999999999", ["b is", "99999999999999999999"]),
    ("cost index:n=4,k=1,b=1x", ["b is", "1x"]),
    (["cost", "index:n=4,k=1,b= 1"], ["b is", " 1"]),
    ("cost index:n=4,k=1,b=1,alg=radix,r=1", ["r is", "1", "2 ... 4"]),
    ("cost index:n=4,k=1,b=1,alg=radix,r=5", ["r is", "5", "2 ... 4"]),
    ("cost index:n=4,k=1,b=1,alg=fast", ["alg is", "fast", "radix", "literal"]),
    ("cost index:n=4,k=1,b=1,alg=tea2", ["alg is", "tea2", "radix"]),
    ("cost index:n=4,k=1,b=1,r=2", ["r is", "alg", "radix, literal"]),
    ("cost concat:n=4,k=1,b=1,alg=ring,r=2", ["r", "ring", "no parameter"]),
    ("cost concat:n=4,k=1,b=1,alg=circulant,prefer=c3", ["prefer is", "c3", "c1", "c2"]),
    ("cost concat:n=6,k=1,b=1,alg=recursive-doubling", ["recursive-doubling", "n=6", "power of k"]),
    ("help fly", ["fly", "run, cost"]),
    ("run barrier", ["colon is missing"]),
    ("run barrier:k=1", ["n is missing", "1 ... 1048575"]),
    ("run barrier:n=0", ["n is '0'", "1 ... 1048575"]),
    ("run barrier:n=4,k=4", ["k is '4'", "1 ... 3"]),
    ("run barrier:n=4,n=4", ["n is there twice"]),
    ("run barrier:n=4,b=8", ["b is 8", "barrier moves nothing"]),
    ("run barrier:n=4,in_place=1", ["in_place is 1", "barrier moves nothing"]),
    ("run barrier:n=4,alg=tree", ["alg is 'tree'", "dissemination"]),
    ("run barriers:n=4", ["barriers", "index"]),
    ("help run cost", ["cost", "usage: kport help"]),
    ("cost index:n=4,n=4,k=1,b=1", ["n", "twice"]),
    ("cost index:n=4,k=1,b=1,b=1", ["b", "twice"]),
    ("cost index:n=4,k=1,b=1,color=2", ["color"]),
    ("cost index:n=4,k=1,b=1,alg=radix,color=2", ["color", "radix", "r"]),
    ("cost index:n=4,k=1,b=1,root=0", ["root", "no root"]),
    ("cost scatter:n=4,k=1,b=1,root=4", ["root", "3"]),
    ("cost index:n=4,k=1,b=1,seed=0", ["seed", "later"]),
    ("cost index:n=4,k=1,b=1,carrier=bees", ["carrier is 'bees'", "threads, fibers or mpi"]),
    ("show index:n=4,k=1,b=1,alg=radix,workers=0", ["workers is '0'", "1 ..."]),
    ("check index:n=4,k=1,b=1,rounds=never", ["rounds is 'never'", "barrier, mailboxes or tuned"]),
    ("check --all --tune builtin", ["--all", "usage"]),
    ("run index:n=4,k=1,b=1,carrier=fibre", ["carrier is 'fibre'", "threads, fibers or mpi"]),
    ("run index:n=4,k=1,b=1,carrier=", ["carrier is ''", "threads, fibers or mpi"]),
    ("run index:n=4,k=1,b=1,carrier=fibers,carrier=fibers", ["carrier", "twice"]),
    ("run index:n=4,k=1,b=1,workers=0", ["workers is '0'", "1 ..."]),
    ("run index:n=4,k=1,b=1,workers=2", ["workers is 2", "threads"]),
    ("run index:carrier=threads,n=4,k=1,b=1,workers=2", ["workers is 2", "threads"]),
    ("run index:n=4,k=1,b=1,carrier=threads,", ["comma"]),
    ("run index:n=4,k=1,b=1,,carrier=threads", ["comma"]),
    ("run index:carrier=threads", ["n, k and b are missing", "index:n=4,k=1,b=8"]),
    ("run index:n=4", ["k and b are missing", "index:n=4,k=1,b=8"]),
    ("run scan:k=4", ["n and b are missing", "scan:n=4,k=1,b=8"]),
    ("run index:b=4", ["n and k are missing"]),
    ("run scan:count=4,k=1", ["n is missing"]),
    ("run carrier=threads", ["operation"]),
    ("run index:n=4,k=1,b=1 --interleave 0", ["--interleave", "0", "1 ..."]),
    ("run index:n=4,k=1,b=1 --interleave 1..x", ["--interleave", "x", "1 ..."]),
    ("run index:n=4,k=1,b=1 --interleave 1..", ["--interleave", "1 ..."]),
    ("run index:n=4,k=1,b=1 --interleave 5..4", ["--interleave is 5..4"]),
    ("run index:n=4,k=1,b=1 --interleave 1..1000001", ["--interleave is", "1000000"]),
    ("run index:n=4,k=1,b=1,workers=2 --interleave 1", ["workers is 2", "--interleave", "1"]),
    ("run index:n=4,k=1,b=1,carrier=threads,workers=2 --interleave 1", ["workers is 2"]),
    ("cost index:n=,k=1,b=1", ["n", "empty"]),
    ("cost index:=4,k=1,b=1", ["key"]),
    ("cost index:n=4,k=1,b=1,", ["comma"]),
    ("cost index:n=4,,k=1,b=1", ["comma"]),
    ("cost index:n,k=1,b=1", ["n", "key=value"]),
    ("cost index", ["index", "colon"]),
    ("cost sort:n=4,k=1,b=1", ["sort", "index", "concat"]),
    (["cost", ""], ["operation", "index"]),
    ("run index:n=4,k=9,b=1", ["k is", "9", "1 ... 3"]),
    ("check index:n=4,k=9,b=1", ["k is", "9", "1 ... 3"]),
    ("show index:n=4,k=9,b=1", ["k is", "9", "1 ... 3"]),
    ("run index:n=1000,k=1,b=1099511627776", ["1099511627776"]),
    ("run index:n=4,k=1,b=1 --repeat 0", ["--repeat", "0", "1 ..."]),
    ("run index:n=4,k=1,b=1 --repeat ten", ["--repeat", "ten"]),
    ("run index:n=4,k=1,b=1 --repeat", ["--repeat needs a value", "kport help run"]),
    ("run index:n=4,k=1,b=1 --seed -1", ["--seed", "-1"]),
    ("run index:n=4,k=1,b=1 index:n=4,k=1,b=1", ["usage"]),
    ("cost index:n=4,k=1,b=1 --repeat 2", ["--repeat", "kport help cost"]),
    ("cost", ["usage"]),
    ("show", ["usage"]),
    ("check", ["--all", "usage"]),
    ("check --all index:n=4,k=1,b=1", ["OPERATION is", "index:n=4,k=1,b=1", "index (alltoall)"]),
    ("check --all index -a tree", ["-a is", "tree", "kport list index"]),
    ("check index:n=4,k=1,b=1 -a radix", ["--all", "usage"]),
    ("check --all --max-n 0", ["--max-n", "0", "1 ..."]),
    ("list radix", ["OPERATION is", "radix", "index (alltoall)"]),
    ("list index concat", ["concat", "usage"]),
    ("bench fly", ["OPERATION is", "fly", "index (alltoall)", "latency"]),
    ("bounds 64 1", ["usage"]),
    ("check concat:n=4,k=1,b=1 --on rings", ["rings", "bus", "switch"]),
    ("check --all --on ring", ["usage"]),
    ("tables", ["--words", "usage"]),
    ("tables --n 16", ["--words", "usage"]),
    ("tables --n 24 --words 8", ["24", "power of 2", "16"]),
    ("tables --n 8 --words 8", ["--n", "8", "16 ..."]),
    ("tables --n 512 --words 8", ["--n", "512", "256"]),
    ("tables --n 16 --words 0", ["--words", "0", "1 ..."]),
    ("tables --n 16 --words 8 --at-once 16", ["--at-once", "16", "1 ... 15"]),
    ("tables --n 16 --words 8 x", ["usage"]),
    ("run one-to-one:n=4,k=1,b=1,to=4", ["to is", "4", "0 ... 3"]),
    ("cost reduce:n=4,k=1", ["b is missing"]),
    ("cost reduce:n=4,k=1,count=-1", ["count is", "-1", "0 ..."]),
    ("cost reduce:n=4,k=1,count=99999999999999999", ["count is", "99999999999999999", "0 ..."]),
    ("cost reduce:n=4,k=1,count=", ["count is empty"]),
    ("cost reduce:n=4,k=1,count=1,count=1", ["count is there twice"]),
    ("cost allreduce:n=4,k=1,count=7,b=56", ["count and b are both given"]),
    ("cost allreduce:n=4,k=1,b=7", ["b is 7", "float64", "multiple of 8"]),
    ("cost allreduce:n=4,k=1,b=24,op=compose", ["b is 24", "compose", "multiple of 16"]),
    ("cost scan:n=4,k=1,count=7,type=real", ["type is 'real'", "uint8", "float64"]),
    ("cost scan:n=4,k=1,count=7,type=opaque", ["type is", "opaque", "float64"]),
    ("cost scan:n=4,k=1,count=7,op=plus", ["op is", "plus", "sum", "compose"]),
    ("run scan:n=4,k=1,count=1,op=sum,op=sum", ["op is there twice"]),
    ("run reduce-scatter:n=4,k=1,count=7,op=bit-xor", ["op is bit-xor", "type float64"]),
    ("cost scan-exclusive:n=4,k=1,count=7,root=1", ["root is given", "scan-exclusive has no root"]),
    ("cost reduce:n=4,k=1,count=7,root=4", ["root is", "4", "0 ... 3"]),
    ("cost scan:n=4,k=1,count=1,in_place=2", ["in_place is", "2", "0 ... 1"]),
    ("cost reduce:n=4,k=1,count=7,alg=pipelined,packets=0", ["packets is", "0", "1 ... 7"]),
    ("cost reduce:n=4,k=1,count=7,alg=pipelined,packets=8", ["packets is", "8", "1 ... 7"]),
    ("run reduce:n=4,k=1,count=8,op=compose,alg=tree", ["tree", "n=4", "commutative operator"]),
    ("check reduce-scatter:n=6,k=1,count=1,alg=recursive-halving", ["n=6", "power of k"]),
    ("show allreduce:n=4,k=1,count=7,alg=ring", ["alg is", "ring", "recursive-doubling"]),
    ("cost index:n=4,k=1,count=7", ["count is given", "index combines nothing"]),
    ("cost index:n=4,k=1,b=8,type=int8", ["type is given", "index combines nothing"]),
    ("cost index:n=4,k=1,b=8,op=sum", ["op is given", "index combines nothing"]),
    ("bounds 0 1 1", ["n is", "0", "1 ..."]),
    ("bounds 4 4 1", ["k is", "4", "1 ... 3"]),
    ("bounds 4 1 x", ["b is", "x"]),
    ("sort", ["sort", "run", "bounds", "--help"]),
    ("--fast", ["--fast"]),
]


def kport(arguments, **options):
    """Arguments as a list, or as a text with a blank between each two."""
    words = arguments if isinstance(arguments, list) else arguments.split(" ")
    return execute([program] + words, **options)


def test_refusals():
    for arguments, words in REFUSED:
        result = kport(arguments)
        lacking = [word for word in words if word not in result.stderr]
        tests.check(
            result.returncode == 2 and result.stdout == "" and not lacking,
            f"refused, naming {words}: {arguments}",
            f"lacking {lacking}\n{said(result)}",
        )
    result = kport("figure")
    right = result.returncode == 2 and 'there is no command "figure"; is figures meant?' in result.stderr
    tests.check(right, "a command that is nearly one is named", said(result))
    result = kport("xyz")
    right = result.returncode == 2 and 'there is no command "xyz"; there are run,' in result.stderr
    tests.check(right, "another one is not", said(result))


def test_help():
    for arguments in ["--help", "-h"] + [f"{command} --help" for command in COMMANDS]:
        result = kport(arguments)
        right = result.returncode == 0 and "kport" in result.stdout and result.stderr == ""
        tests.check(right, f"kport {arguments}", said(result))
    for words, same in [("help", "--help")] + [(f"help {c}", f"{c} --help") for c in COMMANDS]:
        result = kport(words)
        right = result.returncode == 0 and result.stdout == kport(same).stdout and result.stderr == ""
        tests.check(right, f"kport {words} prints what kport {same} does", said(result))
    for command in COMMANDS:
        text = kport([command, "--help"]).stdout
        examples = [line for line in text.splitlines() if line.startswith("Example: kport ")]
        tests.check(len(examples) == 1, f"an example in kport {command} --help", text)
        for example in examples:
            result = kport(example[len("Example: kport ") :])
            for _ in range(2):  # on a busy machine its seconds may not be enough, and it says so
                if "for want of time" in result.stderr:
                    result = kport(example[len("Example: kport ") :])
            tests.check(result.returncode == 0 and result.stdout, example, said(result))
    result = kport("-v")
    tests.check(result.stdout == kport("--version").stdout and result.returncode == 0, "kport -v", said(result))
    result = kport("--version")
    first, *rest = result.stdout.splitlines()
    number = first.removeprefix("kport ").strip().split(".")
    right = result.returncode == 0 and len(number) == 3 and all(n.isdigit() for n in number)
    right = right and len(rest) == len(BUILT) and all(word in line for word, line in zip(BUILT, rest))
    tests.check(right, "kport --version", said(result))


def read_json(arguments):
    result = kport(arguments)
    try:
        document = json.loads(result.stdout) if result.returncode == 0 else {}
    except ValueError:
        return {}
    schema = document.pop("schema", None)
    command = (arguments.split() if isinstance(arguments, str) else arguments)[0]
    tests.check(schema == f"kport {command} 1" or not document, f"schema of {command} --json", schema)
    return document


def test_model():
    """Every command that completes a problem does so by a model of one's own: few rounds where a round is dear, few
    bytes where a byte is, as kport compare says. 0 is no built-in guess."""
    problem = "index:n=8,k=1,b=1000,alg=radix"
    for options, radix in ((["--beta", "1000", "--tau", "0.001"], 2), (["--beta", "0", "--tau", "1"], 7), (["--tau", "0"], 2)):
        for arguments in (["cost"], ["check"], ["show"], ["export"], ["explain"], ["run", "--repeat", "1"],
                          ["bench", "-n", "8", "-k", "1", "-m", "1000:1000", "-i", "1", "-x", "0", "--csv"]):  # fmt: skip
            command, *more = arguments
            asked = "index:alg=radix" if command == "bench" else problem
            result = kport([command, asked, *more, *options])
            chosen = re.findall(r"r=(\d+)", result.stdout.split("> ")[-1])
            if command == "export":  # which names no algorithm
                chosen = [{3: "2", 7: "7"}.get(result.stdout.count("\nround "))]
            right = result.returncode == 0 and chosen[:1] == [str(radix)]
            tests.check(right, f"{command} {' '.join(options)}: r={radix}", said(result))
    told = kport(["explain", problem, "--beta", "10", "--tau", "0.5"]).stdout
    tests.check("tuned by the model of the command line: beta=10 tau=0.5" in told, "explain says by which model", told)
    # By hand: three rounds of four blocks.
    own = kport(["explain", problem + ",r=2", "--beta", "10", "--tau", "0.5"]).stdout
    row = re.search(r"^> radix,r=2 +3 +12000 +30\.000 +6000\.000", own, re.M)
    tests.check(row, "explain predicts C1 beta + C2 tau", own)
    for command in ("cost", "run", "bench"):
        result = kport([command, problem, "--tune", "builtin", "--tau", "1"])
        right = result.returncode == 2 and "--tune is given with --tau" in result.stderr and not result.stdout
        tests.check(right, f"{command}: --tune beside --tau is refused", said(result))


def test_json():
    problem = "index:n=6,k=2,b=5,alg=radix,r=3"
    cost = read_json(["cost", problem, "--json"])
    tests.check(set(cost) == COST_KEYS, "keys of cost --json", sorted(cost))
    # By hand: two rounds, of messages of 2 and of 3 blocks.
    expected = {"operation": "index", "algorithm": "radix", "parameters": {"r": 3}, "n": 6, "k": 2,
                "b": 5, "c1": 2, "c2": 25, "c1_bound": 2, "c2_bound": 13}  # fmt: skip
    differing = {key: cost.get(key) for key in expected if cost.get(key) != expected[key]}
    tests.check(not differing, f"values of cost {problem}", differing)

    timed = read_json(["cost", problem, "--json", "--beta", "10", "--tau", "0.5"])
    tests.check(timed.get("linear_us") == 2 * 10 + 25 * 0.5 and timed.get("c1") == 2, "C1 beta + C2 tau", timed)
    text = kport(["cost", problem, "--beta", "10", "--tau", "0.5"]).stdout
    tests.check("C1 beta + C2 tau = 32.5 us, beta = 10 us, tau = 0.5 us a byte" in text, "and as text", text)

    run = read_json(["run", problem, "--json", "--repeat", "3"])
    tests.check(set(run) == RUN_KEYS, "keys of run --json", sorted(run))
    same = {key: run.get(key) for key in COST_KEYS} == cost
    tests.check(bool(cost) and same, "run and cost agree", f"{run}\n{cost}")
    right = run.get("verified") is True and run.get("repeats") == 3 and run["carrier"] == "threads"
    right = right and 0 < run["min_us"] <= run["median_us"]
    tests.check(right, "run is verified, repeated and timed", run)

    told = datetime.datetime.fromisoformat(run["computer"]["date"].replace("Z", "+00:00"))
    apart = abs(datetime.datetime.now(datetime.timezone.utc) - told)
    here = f"{platform.system()} {platform.release()} {platform.machine()}"
    tests.check(apart < datetime.timedelta(hours=1) and run["computer"]["system"] == here, "the date and the system", run)

    word = read_json(["cost", "concat:n=14,k=3,b=3,alg=circulant,prefer=c2", "--json"])
    tests.check(word.get("parameters") == {"prefer": "c2"}, "a word as parameter", word)

    problem = "index:n=16,k=1,b=8,per_process=4,alg=hierarchical-parallel,r=2"
    cost = read_json(["cost", problem, "--json"])
    expected = {"per_process": 4, "c1": 5, "c2": 224, "c1_between": 2, "c2_between": 128,
                "messages_between": 32, "bytes_between": 2048}  # fmt: skip
    differing = {key: cost.get(key) for key in expected if cost.get(key) != expected[key]}
    tests.check(not differing, f"values of cost {problem}", differing)
    result = kport(["show", problem])
    tests.check(result.stdout.startswith(f"{problem}\nC1 = 5 rounds, C2 = 224 bytes"), f"show {problem}", said(result))
    chosen = read_json(["explain", "index:n=16,k=1,b=8,per_process=4", "--json"])["choice"]
    tests.check(chosen["how"].startswith("hierarchical,"), "explain chooses by per_process", chosen)
    result = kport(["run", problem])
    right = result.returncode != 0 and "per_process is given with carrier 0" in result.stderr
    tests.check(right, "a machine of one process cannot have per_process", said(result))

    rows = read_json(["list", "--json"]).get("algorithms")
    keys = {"operation", "algorithm", "parameters", "restriction", "source", "summary"}
    right = isinstance(rows, list) and rows and all(keys <= set(row) for row in rows)
    tests.check(right, "keys of list --json", rows)
    own = kport("list alltoall").stdout
    right = own.startswith("index\n") and "\n\n" not in own and kport("list").stdout.startswith(own)
    tests.check(right, "list OPERATION has the algorithms of this operation alone", own)
    right = [row for row in rows if row["operation"] == "scan"] == read_json("list scan --json").get("algorithms")
    tests.check(right, "list OPERATION --json", kport("list scan --json").stdout)
    for row in rows:
        # The second is what a restriction leaves: a torus, all ports.
        # What knows processes cannot run on this machine of threads, but can be checked.
        shared = ",per_process=4" * ("per_process" in (row["restriction"] or ""))
        for sizes in ["n=4,k=1"] + ["n=16,k=15"] * bool(row["restriction"]):
            length = "" if row["operation"] == "barrier" else ",b=8"
            problem = f"{row['operation']}:{sizes}{length}{shared},alg={row['algorithm']}"
            result = kport(["check", problem] if shared else ["run", problem, "--repeat", "2"])
            if "does not serve" not in result.stderr:
                break
        tests.check(result.returncode == 0, f"listed and runs: {problem}", said(result))

    bounds = read_json("bounds 64 1 256 --json")
    right = bounds.get("operations", {}).get("index") == {"c1_bound": 6, "c2_bound": 16128}
    tests.check(right, "bounds 64 1 256 --json", bounds)


def test_texts():
    result = kport("cost index:n=64,k=1,b=10,alg=radix,r=8")
    right = all(word in result.stdout for word in ["14", "1120", "6", "630"])
    tests.check(right, "cost names C1, C2 and both bounds", said(result))
    result = kport("cost concat:n=1K,k=1,b=4K,prefer=c2")
    right = result.stdout.startswith("concat:n=1024,k=1,b=4096,alg=circulant,prefer=c2\n")
    tests.check(right, "cost of a problem with units, and with a parameter alone", said(result))
    # By hand: 3 * 64/2 * 6.
    bounds = read_json("bounds concat:n=64,k=1,b=256 --json")
    right = bounds.get("operations") == {"concat": {"c1_bound": 6, "c2_bound": 16128}}
    tests.check(right, "bounds of a problem", bounds)
    result = kport("bounds 8 1 8")
    columns = {line.index("C1 >=") for line in result.stdout.splitlines() if line.startswith("  ") and "C1 >=" in line and ": " not in line}
    tests.check(columns == {18} and "barrier         C1 >= 3 rounds, C2 >= 0 bytes" in result.stdout, "bounds in columns", said(result))
    result = kport("bounds 64 1 3")
    right = "576" in result.stdout and "Theorem 2.5" in result.stdout
    tests.check(right, "bounds has Theorem 2.5 where n is a power of k + 1", said(result))
    result = kport("bounds 10 3 3")
    tests.check("Theorem 2.7" in result.stdout, "elsewhere Theorem 2.7, asymptotic", said(result))
    result = kport("show concat:n=5,k=2,b=2")
    tests.check("round" in result.stdout and "port" in result.stdout, "show", said(result))
    result = kport("check concat:n=5,k=2,b=2")
    tests.check(result.returncode == 0, "check of one problem", said(result))
    result = kport("check --all --max-n 7")
    right = result.returncode == 0 and "schedules" in result.stdout and result.stderr == ""
    tests.check(right, "check --all, and no progress where stderr is no terminal", said(result))
    rows = read_json(["list", "--json"])["algorithms"]
    of_index, direct = [len([row for row in rows if value in row.values()]) for value in ("index", "direct")]
    for words, count in [("index", of_index), ("-a direct", direct), ("scatter -a direct", 1)]:
        result = kport(f"check --all {words} --max-n 3")
        told = f" schedules of {count} algorithm{'s' * (count > 1)} checked, n up to 3"
        tests.check(result.returncode == 0 and told in result.stdout, f"check --all {words}", said(result))
    for name, operation in [
        ("alltoall", "index"), ("allgather", "concat"),
        ("alltoallv", "indexv"), ("allgatherv", "concatv"),
    ]:  # fmt: skip
        cost = read_json(["cost", f"{name}:n=4,k=1,b=1", "--json"])
        tests.check(cost.get("operation") == operation, f"{name} is {operation}", cost)


def test_runs():
    for problem in [
        "index:n=1,k=1,b=8", "concat:n=1,k=1,b=8", "index:n=2,k=1,b=0", "concat:n=3,k=2,b=0",
        "index:n=2,k=1,b=1", "index:n=7,k=3,b=7", "index:n=16,k=2,b=8,alg=literal,r=3",
        "concat:n=14,k=3,b=3,alg=circulant,prefer=c1", "concat:n=14,k=3,b=3,alg=circulant,prefer=c2",
        "concat:n=31,k=2,b=7,alg=ring", "concat:n=9,k=2,b=5,alg=recursive-doubling",
        "index:n=3,k=1,b=1048576", "concat:n=5,k=1,b=1048576",
        "index:n=6,k=2,b=5,in_place=1", "concat:n=6,k=2,b=5,in_place=1",
        "scatter:n=6,k=2,b=5,root=4,in_place=1", "gather:n=6,k=2,b=5,root=4,in_place=1",
        "indexv:n=9,k=2,b=0", "indexv:n=9,k=2,b=70", "indexv:n=9,k=2,b=70,in_place=1",
        "concatv:n=9,k=3,b=70", "concatv:n=9,k=3,b=70,in_place=1",
        "scatterv:n=9,k=2,b=70,root=5", "scatterv:n=9,k=2,b=70,root=5,in_place=1",
        "gatherv:n=9,k=2,b=70,root=5", "gatherv:n=9,k=2,b=70,root=5,in_place=1",
    ]:  # fmt: skip
        result = kport(["run", problem, "--repeat", "2", "--seed", "18446744073709551615"])
        right = result.returncode == 0 and "verified" in result.stdout and problem in result.stdout
        tests.check(right, f"run {problem}", said(result))


REDUCTIONS = ["reduce", "allreduce", "reduce-scatter", "scan", "scan-exclusive"]


def test_runs_of_barriers():
    result = kport("run barrier:n=4 --repeat 2")
    right = result.returncode == 0 and result.stdout.startswith("barrier:n=4,k=3\n  verified: nobody left before all had come, in 2 rep")
    tests.check(right and "time: median" in result.stdout and "C1" not in result.stdout, "a barrier", said(result))
    for problem in ["barrier:n=1", "barrier:n=4,k=3", "barrier:n=5,k=2", "barrier:k=1,n=3,rounds=mailboxes"]:
        barrier = read_json(["run", problem, "--repeat", "2", "--json"])
        right = barrier.get("verified") is True and barrier["operation"] == "barrier" and barrier["min_us"] > 0
        tests.check(right and not {"b", "c1"} & set(barrier), f"run {problem} --json", barrier)
    for rounds in ["", ",rounds=mailboxes"]:
        result = kport(f"run barrier:n=5,k=2,alg=dissemination{rounds} --repeat 2")
        right = "C1             2 rounds" in result.stdout and "verified: nobody left before all had come" in result.stdout
        tests.check(result.returncode == 0 and right, f"a barrier by a schedule{rounds}", said(result))
    for problem, rounds in [("n=9,k=2", 2), ("n=10,k=2", 3), ("n=64,k=1", 6), ("n=1", 0)]:
        cost = read_json(["cost", f"barrier:{problem}", "--json"])
        tests.check(cost["c1"] == rounds and cost["c2"] == 0, f"the rounds of barrier:{problem}", cost)
    if has_fibers():
        result = kport("run barrier:n=1000,carrier=fibers --repeat 2")
        right = result.returncode == 0 and "verified" in result.stdout and "on fibers" in result.stdout
        tests.check(right, "a barrier of fibers", said(result))
        result = kport("run barrier:n=5 --interleave 1..20")
        right = result.returncode == 0 and "in the orders of the seeds 1 ... 20" in result.stdout
        tests.check(right, "barriers in the orders of seeds", said(result))
        result = kport("run barrier:n=5 --interleave 42")
        tests.check("\n  in the order of the seed 42\n" in result.stdout, "the order of one seed", said(result))


def test_runs_of_reductions():
    for operation in REDUCTIONS:
        for fields in [
            "n=1,k=1,count=3", "n=7,k=2,count=5", "n=6,k=2,b=40,in_place=1", "n=4,k=1,count=0",
            "n=7,k=3,count=9,type=int16,op=maximum", "n=5,k=1,count=300,type=uint8,op=bit-xor",
            "n=6,k=2,count=5,type=int32,op=compose", "n=6,k=5,count=5,op=compose,in_place=1",
        ]:  # fmt: skip
            problem = f"{operation}:{fields}"
            result = kport(["run", problem, "--repeat", "2", "--seed", "7"])
            # The program says type and operator also where they were left open.
            words = ["verified: every byte", f"{operation}:n=", "type=", "op="]
            words += [field for field in fields.split(",") if not field.startswith("b=")]
            lacking = [word for word in words if word not in result.stdout]
            right = result.returncode == 0 and not lacking
            tests.check(right, f"run {problem}", f"lacking {lacking}\n{said(result)}")
    for fields in ["count=9,alg=pipelined,packets=4", "count=9,alg=circulant,packets=9,in_place=1"]:
        problem = f"reduce:n=6,k=1,root=4,{fields}"
        result = kport(["run", problem, "--repeat", "2"])
        right = result.returncode == 0 and "verified: every byte" in result.stdout
        tests.check(right and "root=4" in result.stdout, f"run {problem}", said(result))


def test_cost_of_reductions():
    # C1 and C2 by hand: rounds, and the bytes of the longest message of each, added.
    for problem, c1, c2 in [
        ("reduce:n=9,k=2,count=1,alg=tree", 2, 2 * 8),
        ("reduce:n=4,k=1,count=7,alg=pipelined,packets=7", 9, 9 * 8),
        ("allreduce:n=8,k=1,count=4,type=int32,alg=recursive-doubling", 3, 3 * 16),
        ("reduce-scatter:n=4,k=1,count=3,type=int16,alg=recursive-halving", 2, (2 + 1) * 6),
        ("scan:n=8,k=1,count=2,op=compose", 3, 3 * 32),
        ("scan-exclusive:n=8,k=1,count=2", 4, 4 * 16),
    ]:
        cost = read_json(["cost", problem, "--json"])
        right = set(cost) == COST_KEYS and (cost["c1"], cost["c2"]) == (c1, c2)
        tests.check(right, f"cost {problem}", cost)
        right = right and cost["c1_bound"] <= c1 and cost["c2_bound"] <= c2
        tests.check(right, f"no less than the bounds: {problem}", cost)
    run = read_json(["run", "scan:n=6,k=2,count=5", "--json", "--repeat", "2"])
    right = set(run) == RUN_KEYS and run["verified"] is True and run["b"] == 40
    tests.check(right, "run of a reduction --json", run)
    for name, operation in [
        ("exscan", "scan-exclusive"), ("reduce_scatter_block", "reduce-scatter"),
    ]:  # fmt: skip
        cost = read_json(["cost", f"{name}:n=4,k=1,count=1", "--json"])
        tests.check(cost.get("operation") == operation, f"{name} is {operation}", cost)


def test_check_and_show_of_reductions():
    for operation in REDUCTIONS:
        for fields in ["n=5,k=2,count=3", "n=9,k=2,count=2,type=int32,op=compose"]:
            problem = f"{operation}:{fields}"
            result = kport(["check", problem])
            right = result.returncode == 0 and result.stdout.rstrip().endswith(": right")
            tests.check(right, f"check {problem}", said(result))
    # What is combined at the end, 0-3 being that of processors 0, 1, 2 and 3.
    for problem, last in [
        ("reduce:n=4,k=1,count=2,root=1,alg=tree", [".", "0-3", ".", "."]),
        ("allreduce:n=4,k=1,count=2,alg=recursive-doubling", ["0-3"] * 4),
        ("reduce-scatter:n=4,k=1,count=2", ["0-3.0", "0-3.1", "0-3.2", "0-3.3"]),
        ("scan:n=4,k=1,count=2", ["0", "0-1", "0-2", "0-3"]),
        ("scan-exclusive:n=4,k=1,count=2", [".", "0", "0-1", "0-2"]),
    ]:
        result = kport(["show", problem])
        # The matrix of the incoming buffers after the last round.
        matrix = result.stdout.rpartition("\nin ")[2].splitlines()
        right = result.returncode == 0 and len(matrix) > 1 and matrix[1].split() == ["0"] + last
        tests.check(right, f"show {problem}", said(result))


def has_fibers():
    return "switched by" in kport("--version").stdout


def test_runs_on_fibers():
    if not has_fibers():
        for arguments in [
            "run index:n=4,k=1,b=1,carrier=fibers", "run index:n=4,k=1,b=1 --interleave 1",
        ]:  # fmt: skip
            result = kport(arguments)
            right = result.returncode == 2 and "this build of kport does not have" in result.stderr
            tests.check(right, f"without fibers: {arguments}", said(result))
        return
    # Machine keys may stand anywhere, and are no part of the problem that is printed.
    for problem, workers in [
        ("index:n=9,k=2,b=8,carrier=fibers,workers=2", 2),
        ("index:carrier=fibers,n=9,k=2,b=8,workers=3", 3),
        ("index:n=9,workers=1,k=2,carrier=fibers,b=8", 1),
    ]:
        run = read_json(["run", problem, "--json", "--repeat", "2"])
        right = set(run) == RUN_KEYS | {"carrier", "workers", "switch", "guard"}
        right = right and run["carrier"] == "fibers" and run["workers"] == workers
        right = right and run["guard"] in ("guard pages", "canaries") and run["verified"] is True
        tests.check(right, f"run {problem} --json", run)
        result = kport(["run", problem, "--repeat", "2"])
        right = result.stdout.startswith("index:n=9,k=2,b=8,alg=")
        right = right and f"on fibers: workers {workers}, switched by" in result.stdout
        tests.check(right, f"run {problem}", said(result))
    run = read_json("run index:n=9,k=2,b=8,carrier=threads --json --repeat 2")
    tests.check(set(run) == RUN_KEYS, "carrier=threads is what it is without", run)
    for operation in ["index", "concatv", "scatter", "allreduce", "scan"]:
        result = kport(f"run {operation}:n=300,k=2,b=8,carrier=fibers --repeat 1")
        tests.check("verified" in result.stdout, f"run {operation} on 300 fibers", said(result))


def test_orders():
    if not has_fibers():
        return
    first = kport("run index:n=7,k=2,b=5 --interleave 18446744073709551615")
    again = kport("run index:n=7,k=2,b=5,carrier=fibers --interleave 18446744073709551615")
    right = first.returncode == 0 and "time:" not in first.stdout
    right = right and "in the order of the seed 18446744073709551615\n" in first.stdout
    tests.check(right and first.stdout == again.stdout, "--interleave of one seed", said(first))
    run = read_json("run index:n=7,k=2,b=5 --interleave 3..42 --json")
    right = run.get("interleave") == ["3", "42"] and run["orders"] == 40 and run["repeats"] == 1
    right = right and run["calls_per_repeat"] == 1
    right = right and run["carrier"] == "fibers" and run["workers"] == 1
    tests.check(right and "median_us" not in run, "40 seeds, 40 orders", run)
    run = read_json("run index:n=1,k=1,b=5 --interleave 3..42 --json")
    tests.check(run.get("orders") == 1, "one processor has one order", run)


def test_unwritable_output():
    if os.path.exists("/dev/full"):
        for command in ["list", BENCH]:
            with open("/dev/full", "w") as full:
                result = kport(command, stdout=full)
            right = result.stderr.count("written") == 1 and "No space" in result.stderr
            tests.check(result.returncode == 2 and right, f"a full disk is told once by kport {command}", said(result))
    for command in ["list", BENCH]:
        reader, writer = os.pipe()
        os.close(reader)
        result = kport(command, stdout=writer)
        os.close(writer)
        right = result.returncode in (-signal.SIGPIPE, 128 + signal.SIGPIPE) and "written" not in result.stderr
        tests.check(right, f"a reader that has left ends kport {command} without a word", said(result))
        result = execute(["sh", "-c", f'exec "$@" {command} >&-', "sh"] + with_wrapper([program]))
        right = result.returncode == 2 and result.stderr.count("written: Bad file descriptor") == 1
        right = right and result.stderr.count("written") == 1
        tests.check(right, f"no standard output at all is told once by kport {command}", said(result))


def test_threads_that_cannot_be():
    """Where no further thread can be started, the one that is there does all the work, and says so."""
    command = with_wrapper([program, "check", "--all", "--max-n", "3", "--jobs", "30"])
    limited = 'ulimit -u 1 && exec "$@"'
    if os.geteuid() == 0:  # whom that limit does not concern
        command = ["setpriv", "--reuid=65534", "--clear-groups", "bash", "-c", limited, "bash"] + command
    else:
        command = ["bash", "-c", limited, "bash"] + command
    if not shutil.which("bash") or not shutil.which(command[0]):
        tests.skip("check --all: threads that cannot be", "no bash, or no setpriv")
        return
    result = execute(command)
    if result.returncode == 126:
        tests.skip("check --all: threads that cannot be", "another user may not start this program")
        return
    right = result.returncode == 0 and re.search(r" s on 1 thread: all right$", result.stdout)
    tests.check(right, "check --all: threads that cannot be", said(result))
    result = kport("check --all --max-n 3 --jobs 2")
    right = result.returncode == 0 and re.search(r" s on (1 thread|2 threads): all right$", result.stdout)
    tests.check(right, "check --all: at most as many threads as are wanted", said(result))


test_refusals()
test_help()
test_model()
test_json()
test_texts()
test_runs()
test_runs_of_barriers()
test_runs_of_reductions()
test_cost_of_reductions()
test_check_and_show_of_reductions()
test_runs_on_fibers()
test_orders()
test_unwritable_output()
test_threads_that_cannot_be()
tests.end()
