"""kport predict and kport compare, and the formats goal and simgrid of kport export: what is printed, the
forms, bad input. Without SimGrid; simgrid.py has what needs it.

usage: predict.py PROGRAM [full]
"""

import csv
import io
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from algorithms import listed, problem_of
from simulators import Wrong, read_goal, replay
from tap import Tests, execute, said

program = sys.argv[1]
full = "full" in sys.argv[2:]
tests = Tests()


def kport(*arguments):
    return execute([program, *arguments])


def rows_of(*arguments):
    return list(csv.DictReader(io.StringIO(kport(*arguments, "--csv").stdout)))


# --- The readers refuse what is wrong ---

GOAL = """num_ranks 2
rank 0 {
a: send 8b to 1 tag 0 nic 0
b: calc 0
b requires a
c: recv 8b from 1 tag 1
c requires b
}
rank 1 {
d: recv 8b from 0 tag 0
e: send 8b to 0 tag 1
e requires d
}
"""
WRONG_GOALS = [("8b to", "8 to"), ("to 1", "from 1"), ("tag 0 nic 0", "nic 0 tag 0"), ("b requires a", "b requires f"),
               ("b requires a", "requires a"), ("recv 8b", "recv 9b"), ("num_ranks 2", "num_ranks 3"), ("rank 1 {", "rank 0 {"),
               ("c requires b", "c requires c"), ("c requires b\n", ""), ("e requires d", "d requires e"),
               ("}\nrank 1", "rank 1"), ("b: calc", "a: calc"), ("nic 0", "nic 256"), ("from 0", "from 2"),
               ("send 8b", "send b"), ("a: send", "send: send"), ("tag 0\ne", "tag 1\ne"), ("calc 0", "calc")]  # fmt: skip
TRACE = "0 init\n0 isend 1 0 8\n0 waitall\n0 finalize\n1 init\n1 irecv 0 0 8\n1 wait 0 1 0\n1 finalize\n"
WRONG_TRACES = [("1 irecv 0 0 8\n", ""), ("irecv 0 0 8", "irecv 0 1 8"), ("irecv 0 0 8", "irecv 0 0 9"), ("1 finalize\n", ""),
                ("1 wait 0 1 0\n", ""), ("0 waitall\n", ""), ("wait 0 1 0", "wait 1 0 0"), ("0 isend 1 0 8\n", ""),
                ("isend 1", "isend 0"), ("finalize", "stop")]  # fmt: skip


def refused(reader, *arguments):
    try:
        reader(*arguments)
    except (Wrong, ValueError, IndexError):
        return True
    return False


taken = [(old, new) for old, new in WRONG_GOALS if old not in GOAL or not refused(read_goal, GOAL.replace(old, new, 1))]
tests.check(not refused(read_goal, GOAL) and not taken, "the reader of GOAL takes what is right and nothing else", taken)
taken = [(o, n) for o, n in WRONG_TRACES if o not in TRACE or not refused(replay, TRACE.replace(o, n, 1), 2)]
tests.check(not refused(replay, TRACE, 2) and not taken, "the replay takes what is right and nothing else", taken)

# --- Exported schedules of all algorithms ---

SIZES = [(1, 1, 8), (8, 1, 24), (8, 7, 64), (9, 2, 720), (16, 4, 64)]
MORE = [(2, 1, 8), (7, 6, 48), (8, 3, 0), (16, 2, 1000), (25, 4, 400), (27, 2, 8), (32, 1, 16), (13, 3, 104)]
wrong, served, algorithms = [], set(), list(listed(program))
for operation, algorithm in algorithms:
    for n, k, b in SIZES + MORE * full:
        problem = problem_of(operation, algorithm, n, k, b)
        cost = kport("cost", problem, "--json")
        if cost.returncode != 0:
            continue  # the algorithm does not serve these n and k
        expected = json.loads(cost.stdout)
        served.add((operation, algorithm))
        try:
            messages = read_goal(kport("export", problem, "--format", "goal").stdout)
            counted = sum(map(len, messages.values())), sum(map(sum, messages.values()))
            counts = replay(kport("export", problem, "--format", "simgrid").stdout, n)
        except (Wrong, ValueError, IndexError) as error:
            wrong.append((problem, error))
            continue
        if counts != (expected["messages"], expected["bytes"]) or (expected["bytes"] > 0 and counted != counts):
            wrong.append((problem, counts, counted, expected))
tests.check(not wrong, "GOAL texts and traces keep to their grammars, and have all messages", "\n".join(map(str, wrong)))
missing = set(algorithms) - served
tests.check(len(algorithms) >= 70 and not missing, "every algorithm was exported", sorted(missing))
result = kport("export", "index:n=300,k=299,b=8", "--format", "goal")
tests.check(result.returncode == 2 and "k is 299" in result.stderr, "GOAL has up to 256 ports", said(result))

# --- What predict prints ---

GATHER = "gather:n=9,k=1,b=300"
rows = rows_of("predict", GATHER, "--engine", "loggp", "--network", "flat,L=2,o=0.5,g=0.25,G=0.01,startup=0", "-a", "direct")
message, rest = 2 * 0.5 + 2 + 299 * 0.01, 2 + 299 * 0.01 + 0.5
tests.check(len(rows) == 1 and abs(float(rows[0]["loggp_us"]) - message - 7 * rest) < 1e-6, "a gather by LogGP", rows)
tests.check(abs(float(rows[0]["linear_us"]) - (8 * (2 + 1) + 8 * 300 * 0.01)) < 1e-6, "C1 beta + C2 tau", rows)
rows = rows_of("predict", GATHER, "--engine", "loggp", "--beta", "7", "--tau", "0.5", "-a", "direct")
tests.check(abs(float(rows[0]["linear_us"]) - (8 * 7 + 8 * 300 * 0.5)) < 1e-6, "beta and tau of one's own", rows)

arguments = ["predict", "index:n=16,k=1", "-b", "8,1K", "--engine", "loggp", "-a", "radix/r=2,radix/r=4,pairwise"]
rows, result = rows_of(*arguments), kport(*arguments)
data = json.loads(kport(*arguments, "--json").stdout)
tests.check([(row["block_bytes"], row["algorithm"]) for row in rows] ==
            [(b, a) for b in ("8", "1024") for a in ("radix,r=2", "radix,r=4", "pairwise")], "a row for each length and algorithm", rows)  # fmt: skip
same = all(abs(float(row["loggp_us"]) - there["loggp_us"]) < 1e-4 and int(row["c2_bytes"]) == there["c2"]
           and there["simgrid_us"] is None and row["simgrid_us"] == "" for row, there in zip(rows, data["rows"]))  # fmt: skip
tests.check(same and len(data["rows"]) == len(rows) == 6, "JSON has the same as CSV", data)
texts = [line.split() for line in result.stdout.splitlines() if line[:10].strip().isdigit()]
same = [(t[0], t[1], t[2], t[3]) for t in texts] == [tuple(list(row.values())[:4]) for row in rows]
tests.check(same and len(texts) == 6, "the text has the same rows", said(result))
least = [min(float(r["loggp_us"]) for r in rows if r["block_bytes"] == b) for b in ("8", "1024")]
stars = [float(t[-1].rstrip("*")) for t in texts if t[-1].endswith("*")]
tests.check([round(us, 3) for us in least] == stars, "the least of a length has a star", said(result))
ranges = [row["block_bytes"] for row in rows_of("predict", "index:n=8,k=1", "-b", "3:20", "--engine", "loggp", "-a", "radix")]
tests.check(ranges == ["3", "6", "12"], "MIN:MAX goes by powers of 2", ranges)
equal = ["compare", "concat", "--n", "8", "--k", "1", "-a", "ring,circulant,recursive-doubling"]
result = kport(*equal)
lines = [line for line in result.stdout.splitlines() if line[:10].strip().isdigit()]
right = len(lines) == 18 and all("circulant" in line and line.endswith("also recursive-doubling") for line in lines)
tests.check(right, "compare names those that are as good", said(result))
tests.check(result.stdout.endswith("circulant,prefer=c1; recursive-doubling: equally good, and the best, for all these lengths\n"), "and says so at the end", said(result))
picture = kport(*equal, "--svg", "-").stdout
tests.check("recursive-doubling = circulant" in picture and "ring = " not in picture, "and in the legend of the picture", picture[-3000:])
result = kport("compare", "concat", "--n", "8", "--k", "1", "-m", "8", "-a", "ring,circulant")
tests.check(result.stdout.endswith("circulant,prefer=c1 is best for all these lengths\n"), "one that is best is named", said(result))
result = kport("predict", "concat:n=2,k=1,b=8", "--engine", "loggp")
shown = [line.split() for line in result.stdout.splitlines() if line[:10].strip().isdigit()]
stars = [[text.endswith("*") for text in words[4:]] for words in shown]
least = [min(float(words[i].rstrip("*")) for words in shown) for i in (4, 5)]
right = all(star == (float(words[4 + i].rstrip("*")) == least[i]) for words, row in zip(shown, stars) for i, star in enumerate(row))
tests.check(right and sum(row[1] for row in stars) > 1, "equal times have a star each", said(result))
result = kport("predict", "concat:n=8,k=1,b=8", "--network", "ring", "--engine", "loggp")
strays = {line.split()[1]: line.endswith("+") for line in result.stdout.splitlines() if line[:10].strip().isdigit()}
stars = [line.endswith("+") for line in result.stdout.splitlines() if line[:10].strip().isdigit() and "*" in line]
tests.check(stars and not any(stars) and "* the least for each b among those without +\n" in result.stdout, "the star is at what the network allows", said(result))
tests.check(strays.get("ring") is False and strays.get("recursive-doubling") is True, "what leaves the links is marked", said(result))

result = kport("predict", "gather:n=8,k=1,b=8", "--network", "ring", "--engine", "loggp", "-a", "direct,ring")
strays = [line.endswith("+") for line in result.stdout.splitlines() if line[:10].strip().isdigit()]
tests.check(strays == [True, False], "a message without a link is marked", said(result))

with tempfile.TemporaryDirectory() as folder:
    schedule, network, picture = (os.path.join(folder, name) for name in ("ring.txt", "mine", "picture.svg"))
    kport("export", "concat:n=6,k=1,b=40,alg=ring", "--format", "text", "-o", schedule)
    from_file = rows_of("predict", "@" + schedule, "--engine", "loggp")
    direct = rows_of("predict", "concat:n=6,k=1,b=40,alg=ring", "--engine", "loggp")
    times = [[row["loggp_us"] for row in list] for list in (from_file, direct)]
    tests.check(len(from_file) == 1 and times[0] == times[1], "a schedule from a file", (from_file, direct))
    ring = direct[0]["loggp_us"]
    for problem, listed in [("@" + schedule, "circulant"), ("concat:n=6,k=1,b=40,alg=circulant", "@" + schedule),
                            ("concat:n=6,k=1,b=40", f"@{schedule},circulant")]:  # fmt: skip
        rows = rows_of("predict", problem, "--engine", "loggp", "-a", listed)
        names = {row["algorithm"].partition(",")[0].removeprefix("@" + folder): row["loggp_us"] for row in rows}
        tests.check(len(rows) == 2 and names.get("/ring.txt") == ring and "circulant" in names,
                    f"predict {problem.replace(folder, '')} beside {listed.replace(folder, '')}", rows)  # fmt: skip
    beside = json.loads(kport("compare", "@" + schedule, "-m", "8,40", "--json").stdout)["rows"]
    alone = json.loads(kport("compare", "concat", "-n", "6", "-k", "1", "-m", "8,40", "--json").stdout)["rows"]
    own = [(row["b"], row["c1"], row["c2"]) for row in beside if schedule in row["problem"]]
    others = [row["problem"] for row in beside if schedule not in row["problem"]]
    tests.check(own == [(8, 5, 40), (40, 5, 200)] and others == [row["problem"] for row in alone],
                "compare a file with all algorithms", beside)  # fmt: skip
    listed = json.loads(kport("compare", "concat", "--n", "6", "--k", "1", "-m", "8,40", "-a", f"circulant,@{schedule}", "--json").stdout)["rows"]
    tests.check([(row["b"], row["c1"]) for row in listed if schedule in row["problem"]] == [(8, 5), (40, 5)],
                "a file in the list of compare", listed)  # fmt: skip
    for words, sentence in [
        (["compare", "@" + schedule, "--n", "8"], f"--n is 8, but the schedule of @{schedule} is for 6; leave it out"),
        (["compare", "@" + schedule, "--k", "2"], f"--k is 2, but the schedule of @{schedule} is for 1; leave it out"),
        (["compare", "concat", "--n", "8", "--k", "1", "-a", "@" + schedule], "serves n=6"),
        (["predict", "index:n=6,k=1,b=8", "-a", "@" + schedule], f"@{schedule} is a schedule of concat; it may be one of index"),
        (["predict", "concat:n=6,k=1,b=8", "-a", f"@{schedule}:b=8"], "a file there has no keys"),
        (["predict", "concat:n=6,k=1,b=8", "-a", "@none.txt"], "none.txt: No such file"),
        (["predict", schedule], f"'{schedule}' is not a problem string; did you mean the file @{schedule}?"),
    ]:
        result = kport(*words)
        told = result.returncode == 2 and sentence in result.stderr and not result.stdout
        tests.check(told, f"{' '.join(words)}: {sentence}".replace(folder, ""), said(result))
    with open(network, "w") as file:
        file.write("torus  # rows and columns\nrows=2\nL=3, G=0.5\n")
    a = rows_of("predict", "index:n=8,k=1,b=8", "--engine", "loggp", "--network", network)
    b = rows_of("predict", "index:n=8,k=1,b=8", "--engine", "loggp", "--network", "torus,rows=2,L=3,G=0.5")
    tests.check(a and a == b, "a network from a file", (a, b))
    with open(network, "w") as file:
        file.write("# nothing\n")
    result = kport("predict", "index:n=8,k=1,b=8", "--network", network)
    tests.check(result.returncode == 2 and "has no text" in result.stderr, "a network with comments alone", said(result))
    open(network, "w").close()
    result = kport("predict", "index:n=8,k=1,b=8", "--network", network)
    tests.check(result.returncode == 2 and "is an empty file" in result.stderr, "an empty network", said(result))
    result = kport(*arguments, "--svg", picture)
    drawn = ElementTree.parse(picture).getroot()
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    curves = [path for path in drawn.iter("{http://www.w3.org/2000/svg}path") if path.get("class", "").startswith("curve s") and "L" in path.get("d")]
    tests.check({"radix,r=2", "radix,r=4", "pairwise"} <= set(words) and len(curves) == 6, "the picture has its curves", words)
    result = kport("compare", "index", "--n", "64", "--k", "1", "--beta", "10", "--tau", "0.001", "-m", "8:64K", "--svg", "-")
    drawn = ElementTree.fromstring(result.stdout)
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    tests.check("radix,r=3 from 589 B" in words, "the picture of compare has its marks", words)

# --- Platforms ---

PLATFORMS = [("fat-tree,hosts=4,cores=3", 10, {"topology": "FAT_TREE", "topo_parameters": "2;4,3;1,3;1,1", "radical": "0-11"}),
             ("torus,rows=2", 10, {"topology": "TORUS", "topo_parameters": "5,2", "radical": "0-9"}),
             ("dragonfly,groups=2,routers=3,nodes=2", 9, {"topology": "DRAGONFLY", "topo_parameters": "2,1;1,1;3,1;2", "radical": "0-11"}),
             ("flat,L=2,G=0.01", 3, {"bb_lat": "2us", "bb_bw": "100000000Bps", "bb_sharing_policy": "FATPIPE"})]  # fmt: skip
for network, n, expected in PLATFORMS:
    result = kport("predict", f"concat:n={n},k=1,b=8", "--network", network, "--platform", "-")
    cluster = ElementTree.fromstring(result.stdout).find("cluster") if result.returncode == 0 else None
    right = cluster is not None and expected.items() <= cluster.attrib.items()
    tests.check(right, f"the platform of {network}", said(result))

# --- What compare says, by going through every length ---


def best_at(problem, b, beta, tau):
    best = None
    for row in lengths[b]:
        us = int(row["c1_rounds"]) * beta + int(row["c2_bytes"]) * tau
        best = (us, row["algorithm"]) if best is None or us < best[0] - 1e-12 else best
    return best[1]


for operation, n, k, beta, tau, low, high in [("index", 16, 1, 10, 0.05, 8, 64), ("concat", 12, 2, 3, 0.5, 1, 40)]:
    data = json.loads(kport("compare", operation, "--n", n, "--k", k, "--beta", beta, "--tau", tau,
                            "-m", f"{low}:{high}", "--json").stdout)  # fmt: skip
    lengths = {}
    numbers = list(range(low, high + 1))
    for start in range(0, len(numbers), 60):
        part = ",".join(map(str, numbers[start:start + 60]))
        for row in rows_of("compare", operation, "--n", n, "--k", k, "--beta", beta, "--tau", tau, "-m", part):
            lengths.setdefault(int(row["block_bytes"]), []).append(row)
    top = max(row["b"] for row in data["rows"])
    best = {b: best_at(operation, b, beta, tau) for b in lengths if b <= top}
    changes = [(b, best[b - 1], best[b]) for b in sorted(best) if b - 1 in best and best[b] != best[b - 1]]
    said_so = [(change["b"], change["from"], change["to"]) for change in data["changes"]]
    tests.check(changes == said_so and len(lengths) == len(numbers), f"compare {operation}: where the best changes", (changes, said_so))
    wrong = [row for rows in lengths.values() for row in rows
             if abs(float(row["linear_us"]) - int(row["c1_rounds"]) * beta - int(row["c2_bytes"]) * tau) > 1e-6]  # fmt: skip
    tests.check(not wrong, f"compare {operation}: every time is C1 beta + C2 tau", wrong)
whole, page = (kport("compare", "index", "--k", "1", *more).stdout for more in (["--all"], []))
rows = [line for line in whole.splitlines() if re.match(r" +\d", line)]
firsts = {line.split()[0]: line[:-1] for line in reversed(rows) if line.endswith("*")}
best = [line.partition("  also ")[0] for line in page.splitlines() if re.match(r" +\d", line)]
right = best == [firsts[b] for b in dict.fromkeys(line.split()[0] for line in rows)] and len(page.splitlines()) < 32
tests.check(right and f"--all: all {len(rows)} rows" in page, "by default compare prints the best of each length", page)
tests.check(page.startswith("index: n = 64, k = 1,"), "compare's usual n", page)
starred = kport("predict", "index:n=16,k=1", "-m", "8:1M", "--engine", "loggp").stdout
rows = [line for line in starred.splitlines() if re.match(r" +\d", line)]
whole = kport("predict", "index:n=16,k=1", "-m", "8:1M", "--engine", "loggp", "--all").stdout
right = all("*" in row and row in whole for row in rows) and 18 <= len(rows) <= 36 and len({row.split()[0] for row in rows}) == 18
tests.check(right and f"--all: all {len(re.findall(r'^ +[0-9]', whole, re.M))} rows" in starred, "predict prints a page by default", starred)
few = kport("compare", "concat", "--n", "6", "-m", "8,40").stdout
right = few.startswith("concat: n = 6, k = 5,") and few.count("\n         8  ") > 1
tests.check(right, "few rows are all printed, and the usual k is n - 1", few)
for command in ("compare", "predict"):
    usage = kport("help", command).stdout.partition("\n\n")[0]
    tests.check(all(len(line) <= 100 for line in usage.splitlines()), f"the usage of {command} is no longer than a line", usage)
    tests.check("-m" in usage and "-b" in usage, f"the synopsis of {command} has -m and -b", usage)
result = kport("compare", "allreduce:type=int32", "--n", "8", "-m", "8:64")
tests.check(result.returncode == 0 and "recursive-doubling" in result.stdout, "compare of a reduction", said(result))

# --- Bad input ---

INDEX = "index:n=6,k=1,b=8"
REFUSED = [
    (["predict"], "which problem"),
    (["predict", INDEX, "--network", "hyper"], "may be flat, bus, ring"),
    (["predict", INDEX, "--network", "hypercube"], "n must be a power of 2"),
    (["predict", INDEX, "--network", "torus,rows=4"], "torus,rows=4\" and n is 6; n must be a multiple of its rows"),
    (["predict", INDEX, "--network", "torus,columns=2"], "may have L, o, g, G, S, startup, rows"),
    (["predict", INDEX, "--network", "flat,L=-1"], "0 ... 1e9"),
    (["predict", INDEX, "--network", "flat,G=0"], "1e-9 ... 1e9"),
    (["predict", INDEX, "--network", "flat,L=nan"], "0 ... 1e9"),
    (["predict", INDEX, "--network", "flat,L"], "L"),
    (["predict", INDEX, "--network", "flat,S=many"], "a number of bytes"),
    (["predict", INDEX, "--network", "fat-tree,hosts=0"], "1 ... 1048576"),
    (["predict", INDEX, "--network", "dragonfly,groups=3,routers=2"], "as many routers"),
    (["predict", INDEX, "--network", "dragonfly,groups=1,nodes=2"], "groups * routers * nodes"),
    (["predict", INDEX, "--network", "optical", "--engine", "simgrid"], "no platform for this network"),
    (["predict", INDEX, "--barrier", "--engine", "simgrid"], "no barrier"),
    (["predict", INDEX, "--engine", "fast"], "loggp or simgrid"),
    (["predict", INDEX, "-a", "pairwise"], "a power of 2"),
    (["compare", "broadcast", "--n", "15", "--k", "2", "-m", "1", "-a", "pipelined/packets=2"], "it may be 1 ... 1"),
    (["predict", INDEX, "-a", "radix/q=2"], "q is no parameter"),
    (["predict", INDEX, "-a", "slow"], "it may be radix"),
    (["predict", INDEX, "-b", "8,,16"], "a list such as"),
    (["predict", INDEX, "-b", "0"], "-b has the length \"0\"; a length may be 1 ... 1024G"),
    (["predict", INDEX, "-b", "4,1025G"], "-b has the length \"1025G\"; a length"),
    (["predict", INDEX, "-b", "9" * 30], "-b has the length \"9999"),
    (["predict", INDEX, "-b", "8,16,8"], "-b has 8 twice"),
    (["predict", INDEX, "-a", "radix/r=2,radix/r=3,radix/r=2"], "-a has radix/r=2 twice"),
    (["predict", INDEX, "--network", "flat,L=1e300"], "0 ... 1e9"),
    (["predict", INDEX, "--network", f"flat,S={'9' * 30}"], "a number of bytes"),
    (["predict", INDEX, "--network", "./none"], "./none\", which does not exist"),
    (["predict", INDEX, "--network", "none.xml"], "which does not exist"),
    (["predict", INDEX, "--network", os.path.dirname(__file__)], "which is a folder"),
    (["predict", INDEX, "--network", "/dev/null"], "which has no text"),
    (["predict", INDEX, "-b", "16:8"], "MIN <= MAX"),
    (["predict", "allreduce:n=6,k=1", "-b", "12"], "a multiple of 8"),
    (["predict", "index:n=6,k=1"], "b is missing"),
    (["predict", INDEX, "--csv", "--json"], "one of them"),
    (["predict", INDEX, "--beta", "fast"], "in microseconds"),
    (["predict", INDEX, "--network", "optical", "--platform", "-"], "no platform"),
    (["compare"], "OPERATION is missing"),
    (["compare", "index", "--n", "4", "-b", "16:8"], "MIN <= MAX"),
    (["compare", "index:n=8", "--n", "8"], '--n is given, and n stands in "index:n=8"; it may be one of them'),
    (["compare", "index:n=8,k=2", "--k", "2"], "--k is given, and k stands"),
    (["compare", "index:n=8x"], "n is '8x'"),
    (["compare", "index:k=9", "--n", "4"], "1 ... 3"),
    (["compare", "allreduce:op=max,count=8"], "the option -m gives the lengths, as in -m 8"),
    (["compare", "x" * 501], "longer than 500"),
    (["predict", "index", "--n", "6"], "n is a key, which stands behind the operation, as in index:n=..."),
    (["bench", "index", "--carrier", "fibers"], "as in index:carrier=...; kport help bench"),
    (["predict", INDEX, "-m", "16:8"], "MIN <= MAX"),
    (["compare", "indx", "--n", "4"], "index"),
    (["compare", "index", "--n", "4", "--k", "9"], "1 ... 3"),
    (["compare", "index", "--n", "4", "-m", "x"], "MIN:MAX"),
    (["compare", "index", "--n", "4", "-m", "8:0"], "-m has the length \"0\""),
    (["compare", "index", "--n", "4", "-m", "8,8"], "-m has 8 twice"),
    (["compare", "index", "--n", "4", "--tau", "-1"], "0 ... 1e9"),
]  # fmt: skip
for arguments, sentence in REFUSED:
    result = kport(*arguments)
    right = result.returncode == 2 and result.stdout == "" and sentence in result.stderr
    tests.check(right, f"refused: {' '.join(arguments)}", said(result))
# n and k may stand in the string.
same = [kport("compare", *words, "-m", "8:64") for words in (["index", "--n", "6", "--k", "2"], ["index:n=6,k=2"], ["index:k=2", "--n", "6"])]
tests.check(same[0].returncode == 0 and len({result.stdout.partition("\n")[2] for result in same}) == 1, "n and k in the string of compare", said(same[1]))
# A parameter's range is that of each length asked for.
for command in [["compare", "broadcast", "--n", "15", "--k", "2", "-m"],
                ["predict", "broadcast:n=15,k=2", "--network", "flat", "--engine", "loggp", "-b"]]:  # fmt: skip
    result = kport(*command, "1001,1002", "-a", "pipelined/packets=2")
    right = result.returncode == 0 and result.stdout.count("  pipelined,packets=2  ") == 2 and not result.stderr
    tests.check(right, f"{command[0]}: a value that serves all lengths, but not 0", said(result))
    for others in ["", ",tree"]:
        result = kport(*command, "1,1002", "-a", "pipelined/packets=2" + others, "--csv")
        lengths = [line.split(",")[0] for line in result.stdout.splitlines()[1:] if "packets=2" in line]
        all_rows = len(result.stdout.splitlines()) - 1
        right = result.returncode == 0 and "pipelined is left out at b = 1: packets is 2" in result.stderr
        right = right and result.stderr.count("left out") == 1 and all_rows == (3 if others else 1)
        tests.check(right and lengths != ["1"], f"{command[0]}{others}: what does not serve a length is left out", said(result))
without = execute([program, "predict", INDEX, "--engine", "simgrid"], env={**os.environ, "PATH": ""})
tests.check(without.returncode == 2 and "no smpirun in PATH" in without.stderr, "SimGrid that is not there", said(without))
without = execute([program, "predict", INDEX], env={**os.environ, "PATH": ""})
tests.check(without.returncode == 0 and "SimGrid is left out" in without.stdout, "its column is left out", said(without))
tests.end()
