"""The generated pages of the algorithms: one for each operation, with a drawing of each algorithm by kport."""

import json
import subprocess

import help as told
from markdown import escaped, fenced

# The first of these that an algorithm serves is drawn.
SIZES = ["n=5,k=1", "n=5,k=2", "n=4,k=1", "n=4,k=2", "n=4,k=3", "n=5,k=4", "n=9,k=1", "n=9,k=4",
         "n=4,k=1,per_process=2", "n=6,k=1,per_process=2"]  # fmt: skip
MPI_NAMES = {
    "index": "MPI_Alltoall", "concat": "MPI_Allgather", "broadcast": "MPI_Bcast", "scatter": "MPI_Scatter",
    "gather": "MPI_Gather", "indexv": "MPI_Alltoallv", "concatv": "MPI_Allgatherv", "scatterv": "MPI_Scatterv",
    "gatherv": "MPI_Gatherv", "reduce": "MPI_Reduce", "allreduce": "MPI_Allreduce", "barrier": "MPI_Barrier",
    "reduce-scatter": "MPI_Reduce_scatter_block", "reduce-scatterv": "MPI_Reduce_scatter", "scan": "MPI_Scan",
    "scan-exclusive": "MPI_Exscan",
}  # fmt: skip


def drawn(kport, row):
    """The problem that is drawn, its costs, and the picture."""
    block = "" if row["operation"] == "barrier" else ",b=8"
    for size in SIZES:
        problem = f"{row['operation']}:{size}{block},alg={row['algorithm']}"
        picture = subprocess.run([kport, "show", problem, "--svg", "-"], capture_output=True, text=True)
        if picture.returncode == 0:
            return problem, json.loads(told.output_of(kport, "cost", problem, "--json")), picture.stdout
    raise SystemExit(f"catalogue.py: no size of {SIZES} is drawn for {row['operation']} {row['algorithm']}")


def entry(stage, row):
    problem, cost, picture = drawn(stage.kport, row)
    name = f"drawings/{row['operation']}-{row['algorithm']}.svg"
    stage.write(name, picture)
    lines = [f"- Source: {escaped(row['source'])}"]
    lines += [f"- Parameter `{p['name']}` = {escaped(p['values'])}: {escaped(p['summary'])}" for p in row["parameters"]]
    if row["restriction"]:
        lines.append(f"- Only for {escaped(row['restriction'])}")
    if row["same_order"] is True:
        lines.append("- All processors combine in the same order.")
    return "\n\n".join([
        f"## {row['algorithm']}", escaped(row["summary"][:1].upper() + row["summary"][1:]) + ".", "\n".join(lines),
        f"`kport show {cost.get('problem', problem)} --svg FILE` draws this. C1 = {cost['c1']} rounds, "
        f"C2 = {cost['c2']} bytes.", f"![{row['algorithm']}: the messages of every round](../../{name})"])  # fmt: skip


def write(stage):
    """A page for each operation, and one that lists them."""
    rows = json.loads(told.output_of(stage.kport, "list", "--json"))["algorithms"]
    operations = list(dict.fromkeys(row["operation"] for row in rows))
    table = "| operation | in MPI | algorithms |\n|---|---|---|"
    for operation in operations:
        own = [row for row in rows if row["operation"] == operation]
        mpi = f"`{MPI_NAMES[operation]}`" if operation in MPI_NAMES else ""
        names = ", ".join(row["algorithm"] for row in own)
        table += f"\n| [{operation}](algorithms/{operation}.md) | {mpi} | {names} |"
        head = f"# Algorithms for {operation}\n\nIn the drawings time goes downwards, and an arrow is a message."
        stage.write(f"reference/algorithms/{operation}.md", "\n\n".join([head] + [entry(stage, row) for row in own]) + "\n")
    pages = "\n".join(f"algorithms/{operation}" for operation in operations)
    stage.write("reference/algorithms.md", "# All algorithms\n\nThis is the table of `kport list`, with a drawing of each "
                f"algorithm.\n\n{table}\n\n" + fenced(f":hidden:\n\n{pages}", "{toctree}") + "\n")  # fmt: skip
