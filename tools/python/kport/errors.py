"""The exceptions of kport. Each has kport's sentence, which names processors, rounds and values."""

from __future__ import annotations

from typing import Any


class Error(RuntimeError):
    """A call of kport failed. The classes below are those of its statuses.

    `status` is kport's number, `sentence` its text. `processor`, `round`, `port` and `peer` say where it
    happened and are -1 where that means nothing; `file` and `line` are those of the call. `report` says what
    every processor was doing, if kport has made such a report, and `c1` and `c2` are as in `kport.Report`.
    """

    status = 0

    def __init__(self, sentence: str, record: Any = None, status: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if status is not None:
            self.status = status
        self.processor = record.processor if record else -1
        self.round = record.round if record else -1
        self.port = record.port if record else -1
        self.peer = record.peer if record else -1
        self.file = record.file.decode(errors="replace") if record and record.file else None
        self.line = record.line if record else -1
        self.report: str | None = None

    def __str__(self) -> str:
        return f"{self.sentence}\n{self.report}" if self.report else self.sentence

    def Get_error_code(self) -> int:
        return self.status

    def Get_error_class(self) -> int:
        return self.status

    def Get_error_string(self) -> str:
        return self.sentence


class ArgumentError(Error, ValueError):
    """An argument is not what it may be."""

    status = -1


class NoMemory(Error, MemoryError):
    """There is not enough memory."""

    status = -2


class ThreadError(Error):
    """A thread could not be started."""

    status = -3


class ProblemError(Error, ValueError):
    """The problem cannot be."""

    status = -4


class AlgorithmError(Error, ValueError):
    """There is no such algorithm or parameter."""

    status = -5


class Unserved(Error, ValueError):
    """The algorithm does not serve this problem."""

    status = -6


class ScheduleError(Error):
    """The schedule breaks a rule of the machine.

    `picture` is an SVG text with what is wrong in red, if a schedule file has messages that do not pair, so
    that `kport.schedule` has no schedule to return. A schedule that is there is drawn by its `svg()`.
    """

    status = -7
    picture: str | None = None


class Mismatch(Error):
    """The processors of the group called different things."""

    status = -8


class PeerError(Error):
    """Another processor's arguments were refused."""

    status = -9


class PortError(Error):
    """The port rule was broken."""

    status = -10


class MissingMessage(Error):
    """A message was expected that nobody sent."""

    status = -11


class UntakenMessage(Error):
    """A message was sent that nobody took."""

    status = -12


class LengthError(Error):
    """A message is not as long as its receiver expects."""

    status = -13


class Lost(Error):
    """A processor of the group is gone."""

    status = -14


class Failed(Error):
    """A processor's program failed."""

    status = -15


class Deadlock(Error):
    """Every processor waits and nothing is under way."""

    status = -16


class TimeLimit(Error, TimeoutError):
    """The time limit is over."""

    status = -17


class Busy(Error):
    """The machine or the processor is in use."""

    status = -18


class WrongThread(Error):
    """The handle belongs to another thread."""

    status = -19


class Ended(Error):
    """What the handle stood for has ended."""

    status = -20


class Unchecked(Error):
    """The schedule is too large to be checked."""

    status = -23


class Unwaited(Error):
    """A program ended or wrote to a request's data before it waited for it."""

    status = -24


BY_STATUS: dict[int, type[Error]] = {kind.status: kind for kind in Error.__subclasses__()}


def error(status: int, record: Any) -> Error:
    """The exception for a status and kport's record of it."""
    sentence = record.sentence.decode(errors="replace")
    return BY_STATUS.get(status, Error)(sentence, record, status)
