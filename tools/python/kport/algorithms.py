"""Algorithms written in Python: a generator that yields messages becomes an algorithm of kport.

    @kport.algorithm("concat")
    def around(p):
        for i in range(p.n):
            yield kport.move(-1, i, OUT[0], IN[i])
        for t in range(p.n - 1):
            for i in range(p.n):
                block = IN[(i - t) % p.n]
                yield kport.message(t, i, (i + 1) % p.n, block, block)

Problem strings know it from then on (`concat:n=4,k=1,b=8,alg=around`), and kport checks its schedules before
their first use.
"""

from __future__ import annotations

import ctypes
import inspect
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Union

from . import _library as L
from ._library import lib
from .errors import AlgorithmError
from .schedules import COMBINING, SPACES, Message, Move, Piece, check_status, pairs

Pieces = Union[Piece, Sequence[Piece]]
OPERATIONS = [lib.operation_name(i).decode() for i in range(17)]


class Space:
    """Places of a processor: `OUT[0]` is one, `IN[2:5]` are three. In a space of n blocks they count modulo n."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, places: int | slice) -> Piece:
        if not isinstance(places, slice):
            return Piece(self.name, operator.index(places))
        if places.start is None or places.stop is None or places.step not in (None, 1):
            raise ValueError("a slice of a space has a beginning and an end, and no step")
        return Piece(self.name, places.start, run=places.stop - places.start)


OUT, IN, SCRATCH = (Space(name) for name in SPACES)


def message(
    round: int, sender: int, receiver: int, send: Pieces, into: Pieces, combine: str = "copy",
    operand: Pieces = (), sender_port: int = -1, receiver_port: int = -1,
) -> Message:  # fmt: skip
    """A message of a round. `combine` is "left" (received op present) or "right" (present op received) in a
    reduction. A port that is not given is the lowest one that is free."""
    return Message(
        round, sender, receiver, _tuple(send), _tuple(into), combine, _tuple(operand), sender_port, receiver_port
    )


def move(round: int, processor: int, source: Pieces, into: Pieces, combine: str = "copy") -> Move:
    """A move within a processor, after the messages of the round; those of round -1 come before round 0."""
    return Move(round, processor, _tuple(source), _tuple(into), combine)


def _tuple(pieces: Pieces) -> tuple[Piece, ...]:
    return (pieces,) if isinstance(pieces, Piece) else tuple(pieces)


class Problem:
    """What a generator is asked for: `n`, `k`, `b`, `root`, `target`, and the parameters by their names."""

    def __init__(self, problem: L.Problem, names: Sequence[str]) -> None:
        self.n: int = problem.n
        self.k: int = problem.k
        self.b: int = problem.b
        self.root: int = problem.root
        self.target: int = problem.target
        for name, value in zip(names, problem.values):
            setattr(self, name, value)


class Algorithm:
    """An algorithm in Python, registered in kport. Calling it gives the generator's messages."""

    def __init__(
        self, generate: Callable[[Problem], Iterable[Message | Move]], operation: str, name: str, summary: str,
        serves: Callable[[Problem], str | None] | None, parameters: dict[str, tuple[int, int]], own_root: bool = False,
    ) -> None:  # fmt: skip
        self.generate, self.operation, self.name = generate, operation, name
        self._serves = serves
        self._reason = ctypes.create_string_buffer(b"")
        self.parameters = parameters
        self._parameters = tuple(parameters)
        self.failure: BaseException | None = None
        self._steps: tuple[tuple, list] | None = None
        # What kport keeps the addresses of.
        self._build, self._may = L.BUILD(self._write), L.SERVES(self._refuse)
        self._bounds = [_bounds(low, high) for low, high in parameters.values()]
        rows = [
            L.Parameter(key.encode(), b"a parameter", f"{low} ... {high}".encode(), *addresses)
            for (key, (low, high)), (addresses, _) in zip(parameters.items(), self._bounds)
        ]
        self.row = L.Algorithm(
            operation=OPERATIONS.index(operation), name=name.encode(), summary=summary.encode(),
            source=b"an algorithm in Python", build=self._build,
            own_root=own_root,
        )  # fmt: skip
        self.row.parameters[: len(rows)] = rows
        self.row.serves = self._may
        check_status(lib.algorithm_register(self.row, L.HEADERS, ctypes.sizeof(L.Algorithm)))
        ALGORITHMS[operation, name] = self

    def __call__(self, problem: Problem) -> Iterator[Message | Move]:
        return iter(self.generate(problem))

    def __repr__(self) -> str:
        return f"<kport algorithm {self.name} of {self.operation}>"

    def replace(
        self, generate: Callable[[Problem], Iterable[Message | Move]],
        serves: Callable[[Problem], str | None] | None,
    ) -> Algorithm:  # fmt: skip
        """Takes another generator. Schedules and machines that exist keep what they have built."""
        self.generate, self._serves, self._steps, self.failure = generate, serves, None, None
        return self

    def unregister(self) -> None:
        """Takes the algorithm out of kport's table. Raises Busy while a schedule or a machine exists."""
        check_status(lib.algorithm_unregister(self.row))
        ALGORITHMS.pop((self.operation, self.name), None)

    def _refuse(self, problem) -> int | None:
        """kport's `serves`: why the algorithm does not serve this problem, or None."""
        try:
            reason = self._serves and self._serves(Problem(problem.contents, self._parameters))
        except BaseException as failure:
            self.failure, reason = failure, f"{type(failure).__name__}: {failure}"
        if reason is None:
            return None
        self._reason = ctypes.create_string_buffer(reason.encode())
        return ctypes.addressof(self._reason)

    def _write(self, builder: int, problem) -> int:
        """kport's `build`: the rounds of processor problem.rank."""
        p = problem.contents
        try:
            steps = self._all_steps(p)
            _write_rank(builder, p.rank, steps)
            return 0
        except BaseException as failure:
            self.failure = failure
            return AlgorithmError.status

    def _all_steps(self, p: L.Problem) -> list[Message | Move]:
        """The generator's steps, which kport asks for once for each processor."""
        key = (p.n, p.k, p.b, p.root, p.target, tuple(p.values))
        if self._steps is None or self._steps[0] != key:
            steps = list(self.generate(Problem(p, self._parameters)))
            for step in steps:
                _check_step(step, p.n)
            self._steps = key, _with_ports(sorted(steps, key=lambda step: step.round))
        return self._steps[1]


ALGORITHMS: dict[tuple[str, str], Algorithm] = {}
_BOUND = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)


def _bounds(low: int, high: int) -> tuple[list[int], list]:
    """The addresses of two functions that return the bounds, and what has to be kept."""
    functions = [_BOUND(lambda _problem, value=value: value) for value in (low, high)]
    return [ctypes.cast(function, ctypes.c_void_p).value or 0 for function in functions], functions


def _check_step(step: object, n: int) -> None:
    if not isinstance(step, (Message, Move)):
        raise AlgorithmError(f"the algorithm yields {step!r}; it may yield kport.message(...) and kport.move(...)")
    ranks = [step.sender, step.receiver] if isinstance(step, Message) else [step.processor]
    outside = [rank for rank in ranks if not 0 <= rank < n]
    if outside:
        raise AlgorithmError(
            f"the algorithm yields a step of processor {outside[0]}; with n={n} there are 0 ... {n - 1}: {step}"
        )
    low = 0 if isinstance(step, Message) else -1
    if step.round < low:
        raise AlgorithmError(f"the algorithm yields a step of round {step.round}; it may be {low} or more: {step}")
    if step.combine not in COMBINING:
        raise AlgorithmError(f'combine is "{step.combine}"; it may be {", ".join(COMBINING)}: {step}')


def _with_ports(steps: list[Message | Move]) -> list[Message | Move]:
    """Each message has ports: where none is given, the lowest that is free at this end in this round."""
    used: dict[tuple, set[int]] = {}
    for step in steps:
        if isinstance(step, Message):
            used.setdefault((step.round, "send", step.sender), set()).add(step.sender_port)
            used.setdefault((step.round, "receive", step.receiver), set()).add(step.receiver_port)
    found = []
    for step in steps:
        if isinstance(step, Message):
            ports = {
                "sender_port": _free(used[step.round, "send", step.sender], step.sender_port),
                "receiver_port": _free(used[step.round, "receive", step.receiver], step.receiver_port),
            }
            step = Message(**{**step.__dict__, **ports})
        found.append(step)
    return found


def _free(used: set[int], given: int) -> int:
    port = given
    if port < 0:
        port = next(port for port in range(len(used) + 1) if port not in used)
    used.add(port)
    return port


def _write_rank(builder: int, rank: int, steps: list[Message | Move]) -> None:
    lib.build_scratch(builder, _scratch(steps))
    rounds = max((step.round for step in steps), default=-1) + 1
    of_round: dict[int, list[Message | Move]] = {}
    for step in steps:
        of_round.setdefault(step.round, []).append(step)
    for number in range(-1, rounds):
        if number >= 0:
            lib.build_round(builder)
        for step in of_round.get(number, []):
            if isinstance(step, Message):
                _write_message(builder, rank, step)
        for step in of_round.get(number, []):
            if isinstance(step, Move) and step.processor == rank:
                _write_move(builder, step)


def _write_message(builder: int, rank: int, step: Message) -> None:
    if step.sender == rank:
        lib.build_send(builder, step.sender_port, step.receiver)
        _each(lib.build_piece, builder, step.send)
    if step.receiver == rank:
        if step.combine == "copy":
            lib.build_receive(builder, step.receiver_port, step.sender)
        else:
            lib.build_combine(builder, step.receiver_port, step.sender, COMBINING.index(step.combine))
        _each(lib.build_piece, builder, step.into)
        _each(lib.build_operand, builder, step.operand)


def _write_move(builder: int, step: Move) -> None:
    for source, into in pairs(step.source, step.into):
        if step.combine == "copy":
            lib.build_move(builder, _native(source), _native(into))
        else:
            lib.build_fold(builder, _native(source), _native(into), COMBINING.index(step.combine))


def _each(function: Callable, builder: int, pieces: tuple[Piece, ...]) -> None:
    for piece in pieces:
        function(builder, _native(piece))


def _native(piece: Piece) -> L.Piece:
    return L.Piece(SPACES.index(piece.space), piece.first, piece.count, piece.stride, piece.run)


def _scratch(steps: list[Message | Move]) -> int:
    """The places of scratch that the steps need."""
    most = 0
    for step in steps:
        groups = (step.send, step.into, step.operand) if isinstance(step, Message) else (step.source, step.into)
        for piece in (piece for pieces in groups for piece in pieces if piece.space == "scratch"):
            most = max(most, piece.first + (piece.count - 1) * piece.stride + piece.run)
    return most


def algorithm(
    operation: str, name: str | None = None, serves: Callable[[Problem], str | None] | None = None,
    **parameters: tuple[int, int],
) -> Callable[[Callable[[Problem], Iterable[Message | Move]]], Algorithm]:  # fmt: skip
    """Makes a generator function an algorithm of an operation, under its own name or `name`.

    The function gets a `Problem` and yields what `kport.message` and `kport.move` return, of all processors.
    Unless the problem has root 0, kport counts ranks from the root. `serves(problem)` returns why the algorithm
    does not serve a problem, or None. A parameter is a keyword with its bounds: `r=(2, 64)`. A second definition
    replaces the first; if it has other parameters, no schedule may be left (`Busy`).
    """

    if operation not in OPERATIONS:
        raise ValueError(f'the operation is "{operation}"; it may be {", ".join(OPERATIONS)}')

    def register(generate: Callable[[Problem], Iterable[Message | Move]]) -> Algorithm:
        called = name or generate.__name__.replace("_", "-")
        there = ALGORITHMS.get((operation, called))
        if there is not None and there.parameters == parameters:
            return there.replace(generate, serves)
        if there is not None:
            there.unregister()
        lines = (inspect.getdoc(generate) or called).splitlines()
        return Algorithm(generate, operation, called, lines[0], serves, parameters)

    return register
