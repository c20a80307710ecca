"""Schedule files (doc/manual/guides/own.md, "Schedules as files"): the program kport reads them."""

from __future__ import annotations

import json
import pathlib
import re

from .algorithms import ALGORITHMS, Algorithm, Problem
from .errors import Error
from .schedules import Message, Move, Piece, execute


def read(argument: str) -> str:
    """Makes an algorithm of a file, right or wrong, and returns the problem string that names it.

    `argument` is @FILE, and keys may follow behind a colon, as in "@ring.txt:b=64".
    """
    found = json.loads(execute(["show", argument, "--json"]))
    file = found["schedule"]
    if file["units"] != "blocks":
        raise Error(f"{argument} splits blocks into {file['units']}; kport.schedule reads files of whole blocks")
    steps = [_step(step) for step in file["steps"]]
    path = pathlib.Path(argument[1:].partition(":")[0])
    name = "file-" + re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    problem = file["problem"]
    own = {key: problem.get(key, 0) for key in ("n", "k", "root")}

    def serves(p: Problem) -> str | None:
        right = all(getattr(p, key) == value for key, value in own.items())
        return None if right else ", ".join(f"{key}={value}" for key, value in own.items())

    there = ALGORITHMS.get((problem["operation"], name))
    if there is not None:
        there.replace(lambda p: steps, serves)
    else:
        Algorithm(lambda p: steps, problem["operation"], name, f"the schedule of {path}", serves, {}, own_root=True)
    fields = ",".join(f"{key}={value}" for key, value in problem.items() if key != "operation")
    return f"{problem['operation']}:{fields},alg={name}"


def _step(step: dict) -> Message | Move:
    sent, put, operand = (_pieces(step.get(side, [])) for side in ("take", "put", "with"))
    combine = step.get("combine", "copy")
    if "at" in step:
        return Move(step["round"], step["at"], sent, put, combine)
    return Message(
        step["round"], step["from"], step["to"], sent, put, combine, operand, step["from_port"], step["to_port"]
    )


def _pieces(pieces: list[dict]) -> tuple[Piece, ...]:
    return tuple(Piece(**piece) for piece in pieces)
