"""What the documents show: the examples of doc/manual/guides/python.md, and the notebook, cell by cell."""

import ast
import contextlib
import doctest
import io
import json
import pathlib

import kport

ROOT = pathlib.Path(__file__).parents[2]


def test_the_page():
    page = (ROOT / "doc" / "manual" / "guides" / "python.md").read_text()
    failed, tried = doctest.testfile(str(ROOT / "doc" / "manual" / "guides" / "python.md"), module_relative=False)
    assert failed == 0 and tried == page.count(">>>") > 10


def test_the_page_names_every_call():
    page = (ROOT / "doc" / "manual" / "guides" / "python.md").read_text()
    starting = {name for name in dir(kport.Comm) if name[0] == "I" and name[1:].capitalize() in dir(kport.Comm)}
    calls = {name for name in dir(kport.Comm) if name[0] != "_"} - starting
    unnamed = {name for name in calls if f"`{name}`" not in page and f"comm.{name}(" not in page}
    assert unnamed == {"Clone", "Get_name", "Set_name", "Is_inter", "Is_intra"}


def test_the_notebook():
    """Without Jupyter: every cell is executed, and prints or shows what its outputs say."""
    notebook = json.loads((ROOT / "doc" / "manual" / "guides" / "python.ipynb").read_text())
    variables = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5
    for cell in cells:
        assert outputs_of("".join(cell["source"]), variables) == [said_in(output) for output in cell["outputs"]]


def said_in(output):
    """The text of an output of the notebook."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    if output["output_type"] == "error":
        return output["ename"] + ": " + output["evalue"]
    return "".join(output["data"]["text/plain"])


def outputs_of(source, variables):
    """What a cell prints, and its last expression's value."""
    tree, printed, outputs = ast.parse(source), io.StringIO(), []
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "a cell", "exec"), variables)
        value = eval(compile(ast.Expression(last.value), "a cell", "eval"), variables) if last else None
    if printed.getvalue():
        outputs.append(printed.getvalue())
    if value is not None:
        outputs.append(repr(value))
        assert not isinstance(value, kport.Schedule) or "<svg" in value._repr_svg_()
    return outputs
