"""Schedules: the rounds of an algorithm as data, which can be looked at, checked, counted and drawn."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import pathlib
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from . import _library as L
from ._library import lib
from .errors import AlgorithmError, Error, ScheduleError, error

SPACES = ("out", "in", "scratch")
COMBINING = ("copy", "left", "right")


def check_status(status: int) -> None:
    """Raises the calling thread's latest error if the status is one."""
    if status != 0:
        raise error(status, lib.last_error().contents)


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a schedule costs: rounds, bytes, and the least that any schedule of this problem takes."""

    c1: int
    c2: int
    c1_bound: int
    c2_bound: int
    messages: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class Piece:
    """Places of a space: `count` runs of `run` places each, which begin `stride` places apart."""

    space: str
    first: int
    count: int = 1
    stride: int = 0
    run: int = 1

    def __len__(self) -> int:
        return self.count * self.run

    def __str__(self) -> str:
        last = self.first + self.run - 1
        places = str(self.first) if self.run == 1 else f"{self.first}..{last}"
        if self.count > 1:
            places += f" by {self.stride} x {self.count}"
        return f"{self.space}[{places}]"


@dataclasses.dataclass(frozen=True)
class Message:
    """A message of a round. Its text is a line of a schedule file (doc/manual/guides/own.md, "The text form").

    `combine` is "copy", or "left" (received op present) or "right" (present op received). `operand` names
    the present data if it does not lie where the result goes.
    """

    round: int
    sender: int
    receiver: int
    send: tuple[Piece, ...]
    into: tuple[Piece, ...]
    combine: str = "copy"
    operand: tuple[Piece, ...] = ()
    sender_port: int = 0
    receiver_port: int = 0

    def __str__(self) -> str:
        ends = f"{_end(self.sender, self.sender_port)} -> {_end(self.receiver, self.receiver_port)}"
        return f"{ends}: {_pieces(self.send)} -> {_target(self.into, self.combine, self.operand)}"


@dataclasses.dataclass(frozen=True)
class Move:
    """A move within a processor, after the messages of its round. Round -1 is before the first."""

    round: int
    processor: int
    source: tuple[Piece, ...]
    into: tuple[Piece, ...]
    combine: str = "copy"

    def __str__(self) -> str:
        return f"{self.processor}: {_pieces(self.source)} -> {_target(self.into, self.combine, ())}"


def _end(rank: int, port: int) -> str:
    """An end of a message, as a schedule file has it: port 0, and a port that is still open, is left out."""
    return f"{rank}.{port}" if port > 0 else str(rank)


def _pieces(pieces: tuple[Piece, ...]) -> str:
    return " ".join(map(str, pieces))


def _target(into: tuple[Piece, ...], combine: str, operand: tuple[Piece, ...]) -> str:
    word = "" if combine == "copy" else combine + " "
    return word + _pieces(into) + (f" with {_pieces(operand)}" if operand else "")


def parse(text: str) -> L.Problem:
    """The problem of a problem string."""
    problem = L.Problem()
    check_status(lib.problem_parse(text.encode(), problem))
    return problem


def text_of(problem: L.Problem) -> str:
    """The problem string of a problem."""
    size = lib.problem_format(problem, None, 0) + 1
    text = ctypes.create_string_buffer(size)
    lib.problem_format(problem, text, size)
    return text.value.decode()


class Schedule:
    """A built schedule, which never changes. `kport.schedule` makes one."""

    def __init__(self, problem: str) -> None:
        self._handle = None
        parsed = parse(problem)
        own = _own_algorithm(parsed)
        check_status(lib.tune(parsed, None))
        self.problem = text_of(parsed)
        """The problem string, with the algorithm and all its parameters."""
        handle = ctypes.c_void_p()
        status = lib.schedule_build(parsed, ctypes.byref(handle))
        if status != 0:
            raise _why(own, error(status, lib.last_error().contents))
        self._handle = handle
        self._problem = lib.schedule_problem(handle).contents
        algorithm = ctypes.cast(self._problem.algorithm, ctypes.POINTER(L.Algorithm)).contents
        self.algorithm: str = algorithm.name.decode()
        self._own = own is not None

    def __del__(self) -> None:
        if self._handle is not None:
            lib.schedule_free(self._handle)

    def __repr__(self) -> str:
        return f'kport.schedule("{self.problem}")'

    @property
    def operation(self) -> str:
        return lib.operation_name(self._problem.operation).decode()

    @property
    def n(self) -> int:
        """The processors."""
        return self._problem.n

    @property
    def k(self) -> int:
        """The ports of a processor."""
        return self._problem.k

    @property
    def b(self) -> int:
        """The bytes of a block."""
        return self._problem.b

    @property
    def rounds(self) -> int:
        return lib.schedule_rounds(self._handle)

    def check(self) -> Schedule:
        """Checks that every block arrives; returns the schedule, or raises ScheduleError with the reason."""
        record = L.ErrorRecord()
        status = lib.schedule_check(self._handle, record)
        if status != 0:
            raise self._with_report(error(status, record))
        return self

    def _with_report(self, wrong: Error) -> Error:
        """Adds the way of the block, as `kport check` prints it."""
        if isinstance(wrong, ScheduleError):
            try:
                found = json.loads(self._program("check", "--json"))["findings"]
                wrong.report = found[0]["account"] or None
            except (Error, LookupError, ValueError):
                pass  # the sentence alone says it
        return wrong

    def cost(self) -> Cost:
        """The rounds and bytes, and the lower bounds of both."""
        cost, p = lib.schedule_cost(self._handle, self.b), self._problem
        c1, c2 = lib.bound_c1(p.operation, p.n, p.k), lib.bound_c2(p.operation, p.n, p.k, p.b)
        return Cost(cost.c1, cost.c2, c1, c2, cost.messages, cost.bytes)

    @property
    def messages(self) -> list[Message]:
        """All messages, by round and sender."""
        found = []
        for number in range(self.rounds):
            received = {}
            for rank in range(self.n):
                for message in self._each(lib.schedule_receives, lib.schedule_receive, rank, number):
                    received[message.peer, rank] = message
            for rank in range(self.n):
                for sent in self._each(lib.schedule_sends, lib.schedule_send, rank, number):
                    # What no receive expects goes nowhere, which check() says.
                    taken = received.get((rank, sent.peer))
                    found.append(self._message(number, rank, sent, taken))
        return found

    @property
    def moves(self) -> list[Move]:
        """All moves within processors, by round and processor. Those of round -1 come before round 0."""
        found = []
        for number in range(-1, self.rounds):
            for rank in range(self.n):
                for move in self._each(lib.schedule_moves, lib.schedule_move, rank, number):
                    sides = self._piece(rank, move.source), self._piece(rank, move.to)
                    for source, into in pairs(*sides):
                        found.append(Move(number, rank, (source,), (into,), COMBINING[move.combining]))
        return found

    def text(self) -> str:
        """The schedule as a file that the program `kport` reads (doc/manual/guides/own.md, "The text form")."""
        lines = ["kport schedule 1", "problem " + self._without_algorithm()]
        unit = lib.schedule_unit_of_block(self._handle)
        if unit != 1:
            lines.append("units " + ("bytes" if unit == self.b else "elements"))
        scratch = lib.schedule_units(self._handle, 2)
        if scratch:
            lines.append(f"scratch {scratch}")
        steps: list[Message | Move] = [*self.messages, *self.moves]
        for number in range(-1, self.rounds):
            here = [str(step) for step in steps if step.round == number]
            if here or number >= 0:
                lines.append("before" if number < 0 else f"round {number}")
                lines += ["  " + line for line in here]
        return "\n".join(lines) + "\n"

    def show(self) -> str:
        """Who sends how much to whom, round by round, as `kport show` prints it. A wrong schedule is refused."""
        self.check()
        return _Text(self._program("show"))

    def svg(self) -> str:
        """The picture that `kport show --svg` draws: time downwards, an arrow a message. In a wrong schedule
        the message that is wrong is red, and the sentence says why."""
        return self._program("show", "--svg", "-")

    def _repr_svg_(self) -> str | None:
        if self.n > 128 or self.rounds > 64:
            return None
        picture = self.svg()
        return picture[picture.index("<svg") :]

    def _program(self, command: str, *options: str) -> str:
        """What the program says about this schedule. One that only this process has goes by a file."""
        if not self._own:
            return execute([command, self.problem, *options])
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, self.algorithm).write_text(self.text())
            printed = execute([command, "@" + self.algorithm, *options], folder)
        return printed.replace(f"alg=@{self.algorithm}", f"alg={self.algorithm}")

    def _without_algorithm(self) -> str:
        bare = L.Problem.from_buffer_copy(self._problem)
        bare.algorithm = None
        bare.values[:] = [0] * L.PARAMETERS
        return text_of(bare)

    def _each(self, count: Callable, get: Callable, rank: int, number: int) -> Iterator:
        for i in range(count(self._handle, rank, number)):
            yield get(self._handle, rank, number, i)

    def _message(self, number: int, rank: int, sent: L.Message, taken: L.Message | None) -> Message:
        into = combine = operand = None
        if taken is not None:
            into = self._places(sent.peer, taken.pieces, taken.piece_count)
            operand = self._places(sent.peer, taken.operand, taken.operand_count)
            combine = COMBINING[taken.combining]
        return Message(
            number, rank, sent.peer,
            self._places(rank, sent.pieces, sent.piece_count), into or (), combine or "copy", operand or (),
            sent.port, taken.port if taken is not None else -1,
        )  # fmt: skip

    def _places(self, rank: int, pieces, count: int) -> tuple[Piece, ...]:
        return tuple(piece for i in range(count) for piece in self._piece(rank, pieces[i]))

    def _piece(self, rank: int, piece: L.Piece) -> tuple[Piece, ...]:
        """Where a piece lies at a processor: its places, as runs that do not wrap around."""
        space = SPACES[piece.space]
        places = []
        for i in range(piece.count):
            for j in range(piece.run):
                position = piece.first + i * piece.stride + j
                places.append(lib.schedule_place(self._handle, rank, piece.space, position))
        return runs_of(space, places)


def runs_of(space: str, places: list[int]) -> tuple[Piece, ...]:
    """Places in their order, as few runs of neighbours as can be."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][0] + runs[-1][1]:
            runs[-1][1] += 1
        else:
            runs.append([place, 1])
    return tuple(Piece(space, first, run=length) for first, length in runs)


def pairs(source: tuple[Piece, ...], into: tuple[Piece, ...]) -> Iterator[tuple[Piece, Piece]]:
    """Both sides of a move, cut into runs of the same lengths."""
    left, right = places_of(source), places_of(into)
    if len(left) != len(right):
        raise AlgorithmError(f"a move reads {len(left)} places and writes {len(right)}")
    begin = 0
    for i in range(1, len(left) + 1):
        together = i < len(left) and all(
            side[i][0] == side[i - 1][0] and side[i][1] == side[i - 1][1] + 1 for side in (left, right)
        )
        if not together:
            yield Piece(*left[begin], run=i - begin), Piece(*right[begin], run=i - begin)
            begin = i


def places_of(pieces: tuple[Piece, ...]) -> list[tuple[str, int]]:
    """Each place of the pieces, in their order."""
    return [
        (piece.space, piece.first + i * piece.stride + j)
        for piece in pieces
        for i in range(piece.count)
        for j in range(piece.run)
    ]


class _Text(str):
    """A text that a notebook prints as it is."""

    def __repr__(self) -> str:
        return str(self)


def execute(arguments: list[str], folder: str | None = None) -> str:
    command = [L.find_program(), *arguments]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    except OSError as failure:
        raise Error(f"{command[0]} cannot be started: {failure.strerror}; KPORT_PROGRAM may name it") from failure
    # With status 1 the schedule is wrong, which a picture or JSON shows.
    if result.returncode != 0 and not (result.returncode == 1 and result.stdout):
        raise Error((result.stderr.strip() or result.stdout.strip()).removeprefix("kport: "))
    return result.stdout


def _own_algorithm(problem: L.Problem) -> Any:
    """The algorithm in Python that a problem names, or None."""
    from .algorithms import ALGORITHMS, OPERATIONS

    if not problem.algorithm:
        return None
    row = ctypes.cast(problem.algorithm, ctypes.POINTER(L.Algorithm)).contents
    return ALGORITHMS.get((OPERATIONS[row.operation], row.name.decode()))


def _why(own: Any, refused: Error) -> BaseException:
    """What an algorithm in Python raised while kport asked it for its rounds, or else kport's error."""
    if own is None or own.failure is None:
        return refused
    failure, own.failure = own.failure, None
    return failure


def schedule(problem: str) -> Schedule:
    """Builds the schedule of a problem string, such as "index:n=8,k=2,b=1" or "concat:n=5,k=1,b=8,alg=ring".

    The algorithm and the parameters that the string leaves open are chosen by kport's built-in model. "@FILE"
    reads a schedule file. If messages of the file do not pair, there is no schedule; the ScheduleError then
    has the `report` and the `picture`.
    """
    if not problem.startswith("@"):
        return Schedule(problem)
    from .files import read

    try:
        return Schedule(read(problem))
    except ScheduleError as wrong:
        # Messages that do not pair make no schedule, but the program draws what stands in the file.
        try:
            wrong.picture = execute(["show", problem, "--svg", "-"])
            wrong.report = json.loads(execute(["check", problem, "--json"]))["findings"][0]["account"] or None
        except (Error, LookupError, ValueError):
            pass  # the sentence alone says it
        raise
