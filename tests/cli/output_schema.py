"""What the commands print with --json is as doc/manual/reference/output.schema.json says: the schema names every key, and
every command that prints JSON has one.

usage: output_schema.py SOURCE PROGRAM
"""

import copy
import json
import pathlib
import sys

from tap import Tests, execute, said

root, program = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
tests = Tests()
whole = json.loads((root / "doc" / "manual" / "reference" / "output.schema.json").read_text())

COMMANDS = {
    "run index:n=4,k=1,b=8 --repeat 1": "run",
    "run allreduce:n=5,k=2,count=3,carrier=fibers --repeat 1": "run",
    "run index:n=4,k=1,b=8,carrier=fibers --repeat 1 --interleave 1..2": "run",
    "run barrier:n=4 --repeat 1": "run",
    "cost concatv:n=4,k=2,b=80": "cost",
    "cost index:n=16,k=1,b=8,per_process=4,alg=hierarchical-parallel,r=2": "cost",
    "cost index:n=8,k=1,b=64 --beta 2 --tau 0.5": "cost",
    "cost {ring}": "cost-msccl",
    "cost {ring} --bytes 4096": "cost-msccl",
    "check allreduce:n=4,k=1,b=8": "check",
    "check @wrong.txt": "check",
    "show allreduce:n=5,k=2,count=3": "show",
    "show index:n=20,k=1,b=8": "show",
    "show @wrong.txt": "show",
    "check {ring}": "check-msccl",
    "check {ring} --same-order --depth 1": "check-msccl",
    "list": "list",
    "bounds 5 2 8": "bounds",
    "tables --n 64 --words 8": "tables",
    "soak --seconds 1": "soak",
    "route --n 4 --h 2 --trials 2": "route",
    "route --n 4 --h 2 --trials 2 --payload 64 --two-stage": "route",
    "bench index -n 2 -m 8:16 -i 5 -c": "bench",
    "bench barrier -n 2 -i 5": "bench",
    "bench latency -m 8:16 -i 5": "bench-messages",
    "bench allreduce --overlap -n 2 -m 8:16 -i 5": "bench-overlap",
    "explain index:n=64,k=3,b=4K --all": "explain",
    "explain allreduce:n=6,k=2,b=8": "explain",
    "predict index:n=8,k=1,b=8 --network flat -b 8,64 -a radix,pairwise": "predict",
    "compare index --n 8 --k 2 --beta 10 --tau 0.01": "compare",
    "help": "help",
}

text = execute([program, "export", "concat:n=4,k=1,b=8"]).stdout
pathlib.Path("wrong.txt").write_text(text[: text.rstrip().rindex("\n") + 1])  # without its last step

try:
    import jsonschema
except ImportError:
    jsonschema = None


def faults(document):
    schema = {"$ref": f"#/$defs/{document['schema'].split()[1]}", "$defs": whole["$defs"]}
    return [f"{list(error.path)}: {error.message}" for error in jsonschema.Draft202012Validator(schema).iter_errors(document)]


for command, name in COMMANDS.items():
    result = execute([program, *command.format(ring=root / "examples" / "ring.xml").split(), "--json"])
    document = json.loads(result.stdout or "{}")
    if not tests.check(document.get("schema") == f"kport {name} 1", f"{command}: its schema", said(result)):
        continue
    if not jsonschema:
        tests.skip(f"{command}: as the schema says", "Debian: python3-jsonschema is not found")
        continue
    tests.check(faults(document) == [], f"{command}: as the schema says", faults(document))
    changed = copy.deepcopy(document)
    changed["no_such_key"] = 1
    tests.check(faults(changed) != [], f"{command}: a key that the schema does not have is a fault")

asked = json.loads(execute([program, "help", "--json"]).stdout)["commands"]
with_json = {one["name"] for one in asked if "--json" in one["usage"]}
tests.check(with_json <= {title.split("-")[0] for title in whole["$defs"]}, "every command with --json has a schema",
            with_json)  # fmt: skip
tests.end()
