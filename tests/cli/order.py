"""kport check --order and --svg: what is printed of the order of reductions; the mark in the picture of a wrong
schedule; the mark of algorithms in kport list; the key same_order.

usage: order.py PROGRAM
"""

import json
import os
import pathlib
import sys
import tempfile

from tap import Tests, execute, said

program = sys.argv[1]
tests = Tests()
os.environ["KPORT_TUNE"] = "builtin"
YES = "same order: yes, all processors get the same bits"
ALONE = "same order: yes, each element is combined at one processor alone"
DOUBLING = "allreduce:n=8,k=1,count=5,alg=recursive-doubling"
# Problems, and lines that are printed, apart from blanks.
ORDERS = {
    DOUBLING: ["((0+1)+(2+3))+((4+5)+(6+7))", "every element at processors 0-7", YES,
               "k yes compared: another order for k = 2",
               "length no proved: the schedule is the same for every length: it does not split blocks"],
    "reduce:n=12,k=1,count=10,root=3,alg=ordered-tree,op=compose": [
        "(((0+1)+(2+3))+((4+5)+(6+7)))+((8+9)+(10+11))", "every element at processor 3", ALONE,
        "n no compared: the same for n = 4 ... 11 without the operands that are missing there",
        "root no compared: the same for root = 0 ... 2, 4 ... 11"],
    "reduce:n=6,k=1,count=10,alg=tree": [ALONE, "root yes compared: another order for root = 1"],
    "reduce-scatter:n=4,k=1,count=3,alg=ring": [
        "2+3+1+0", "every element at processor 0", "0+3+2+1", "every element at processor 1",
        "0+1+3+2", "every element at processor 2", "1+2+0+3", "every element at processor 3", ALONE],
    "allreduce:n=4,k=1,count=8,alg=reduce-scatter-concat": [
        "(0+2)+(1+3)", "elements 0-7 at processors 0-3", YES],
    "allreduce:n=3,k=1,count=4,alg=reduce-scatter-concat": [
        YES, "elements 0-1 at processors 0-2", "length yes compared: another order for length = 2"],
    "reduce:n=70,k=1,count=10,alg=pipelined,packets=2": [
        "68+69+67+66+...+0", "packets no compared: the same for packets = 1, 3 ... 10"],
    "allreduce:n=100,k=1,count=10,alg=tree": [
        "[a-b] is a tree of the operands a ... b that is not written out, [m of a-b] one of m of them"],
    "scan:n=3,k=1,count=2": ["0+1", "1+2+0", ALONE],
    "allreduce:n=1,k=1,count=2": ["0", "every element at processor 0", YES,
                                  "n unknown: there is no other value to compare with"],
    "allreduce:n=8,k=1,count=4,per_process=4,alg=hierarchical": [
        YES, "per_process no compared: the same for per_process = 2"],
}  # fmt: skip


def kport(*arguments):
    return execute([program, *arguments])


for problem, lines in ORDERS.items():
    result = kport("check", problem, "--order")
    printed = [" ".join(line.split()) for line in result.stdout.splitlines()]
    missing = [line for line in lines if line not in printed]
    tests.check(result.returncode == 0 and not missing, f"the order of {problem}", f"{missing}\n{said(result)}")

result = kport("check", "index:n=4,k=1,b=8", "--order")
tests.check(result.returncode == 2 and "index combines nothing" in result.stderr, "an index has no order", said(result))
result = kport("check", "--all", "--order")
tests.check(result.returncode == 2, "--order is of a problem", said(result))

# --- The property ---

listed = json.loads(kport("list", "--json").stdout)["algorithms"]
combines = {"reduce", "allreduce", "reduce-scatter", "reduce-scatterv", "scan", "scan-exclusive"}
wrong = [row for row in listed if row["same_order"] != (True if row["operation"] in combines else None)]
tests.check(len(listed) > 60 and not wrong, "kport list --json says same_order", wrong)
marks = kport("list").stdout.count("same order of combining at all processors")
tests.check(marks == sum(row["operation"] in combines for row in listed), "kport list marks them", marks)
for command in ["run", "cost", "show", "check", "explain"]:
    result = kport(command, "allreduce:n=4,k=1,count=2,same_order=1")
    right = result.returncode == 0 and "same_order=1" in result.stdout
    tests.check(right, f"kport {command} with same_order=1", said(result))
result = kport("check", "concat:n=4,k=1,b=2,same_order=1")
tests.check(result.returncode == 2 and "concat combines nothing" in result.stderr, "same_order asks a reduction",
            said(result))  # fmt: skip

# --- Pictures ---

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "picture.svg"
    result = kport("check", DOUBLING, "--svg", path)
    right = result.returncode == 0 and "right" in result.stdout and "wrong" not in path.read_text()
    tests.check(right and path.read_text() == kport("show", DOUBLING, "--svg", "-").stdout,
                "a right schedule is drawn without a mark", said(result))  # fmt: skip
    result = kport("check", DOUBLING, "--svg", "-")
    tests.check(result.stdout == path.read_text(), "nothing but the picture on standard output")
    result = kport("check", "index:n=8,k=1,b=8,alg=radix,r=2", "--on", "ring", "--svg", path)
    drawn = path.read_text()
    right = result.returncode == 1 and "there is no link 0-2" in result.stderr
    tests.check(right and ">in round 1, from processor 0 to processor 2<" in drawn and drawn.count(">!<") == 1,
                "the message that the network does not permit is marked", said(result))  # fmt: skip
    result = kport("check", "index:n=200,k=1,b=8", "--svg", path)
    tests.check(result.returncode == 2 and path.read_text() == drawn, "a picture has a limit", said(result))
tests.end()
