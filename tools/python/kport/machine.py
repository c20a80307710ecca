"""Machines: n ranks as threads of this process, with exact reports of what went wrong."""

from __future__ import annotations

import ctypes
import dataclasses
import sys
import threading
from collections.abc import Callable
from typing import Any

from . import _library as L
from ._library import lib
from .algorithms import ALGORITHMS
from .communicator import Comm
from .errors import Error, UntakenMessage, Unwaited, error
from .ranks import Rank

STACK = 8 << 20  # as much as Linux gives a thread; only what is touched takes memory
NEVER_PIN = 2
# Found when the programs have ended. All other errors reach a program, which may go on after them.
AT_THE_END = {UntakenMessage.status, Unwaited.status}
UNBUFFERED = ctypes.c_size_t(-1).value


@dataclasses.dataclass
class Report:
    """What a run has given: the programs' results by rank, and its rounds and bytes (C1, C2)."""

    results: list[Any]
    c1: int
    c2: int


class _Run:
    """One run. Its methods are called by the threads of the ranks, and by kport."""

    def __init__(self, n: int, program: Callable, arguments: tuple, buffered: bool) -> None:
        self.n, self.program, self.arguments, self.buffered = n, program, arguments, buffered
        self.results: list[Any] = [None] * n
        self.raised: list[tuple[int, BaseException]] = []
        self.told: list[str] = []
        self.seen: set[int] = set()  # the statuses of all errors that calls have raised
        self.report = L.RunReport()
        self.status = 0

    def rank(self, handle: int, _argument: Any) -> int:
        """The program of a processor. An exception ends the rank; others that wait for it fail too."""
        __tracebackhide__ = True  # pytest shows the program's lines
        number = lib.processor(handle)
        rank = Rank(handle, self.seen, self.buffered)
        threading.current_thread().name = f"rank {number}"
        # What a debugger or a measurement of coverage asks of each thread that Python starts.
        sys.setprofile(threading.getprofile())
        sys.settrace(threading.gettrace())
        try:
            rank.world = Comm._of(rank, lib.world(handle), "COMM_WORLD")
            rank.enter()
            self.results[number] = self.program(rank.world, *self.arguments)
            return 0
        except BaseException as exception:
            self.raised.append((number, exception))
            if isinstance(exception, Error) and exception.status:
                return exception.status
            return lib.fail(handle, f"rank {number}: {_told(exception)}".encode())
        finally:
            sys.settrace(None)
            rank.leave()
            # Python before 3.13 keeps its record of a thread that others have started.
            getattr(threading, "_active", {}).pop(threading.get_ident(), None)

    def tell(self, diagnosis: int, _argument: Any) -> None:
        """Called by kport at each failure."""
        size = lib.diagnosis_text(diagnosis, None, 0) + 1
        text = ctypes.create_string_buffer(size)
        lib.diagnosis_text(diagnosis, text, size)
        self.told.append(text.value.decode(errors="replace").rstrip())

    def start(self, config: L.Config) -> None:
        program, tell = L.PROGRAM(self.rank), L.ON_FAILURE(self.tell)
        config.on_failure = tell
        self.status = lib.run(config, program, None, self.report)
        if self.status != 0 and not self.raised and not self.report.error.status:
            self.report.error = lib.last_error().contents

    def finish(self) -> Report:
        """The result, or the exception that ended the run."""
        __tracebackhide__ = True
        # What a program raised is the cause; kport's errors at other ranks follow from it.
        for number, exception in self.raised:
            if not isinstance(exception, Error):
                raise _noted(exception, f"in rank {number} of {self.n}")
        if self.status != 0 and (self.raised or self.status in AT_THE_END or self.status not in self.seen):
            raise self._error()
        return Report(self.results, self.report.c1, self.report.c2)

    def _error(self) -> Error:
        """kport's error, as the exception of the rank that got it, whose traceback shows the call."""
        found = next((e for _, e in self.raised if isinstance(e, Error) and e.status == self.status), None)
        found = found or error(self.status, self.report.error)
        if self.told:
            found.report = self.told[0]
        for algorithm in ALGORITHMS.values():
            if algorithm.failure is not None:
                found.__cause__, algorithm.failure = algorithm.failure, None
        return found


def _told(exception: BaseException) -> str:
    text = str(exception).strip().splitlines()
    return f"{type(exception).__name__}: {text[0]}" if text else type(exception).__name__


def _noted(exception: BaseException, note: str) -> BaseException:
    if hasattr(exception, "add_note"):
        exception.add_note(note)
    return exception


def run(
    n: int, program: Callable[..., Any], *arguments: Any, ports: int = 0, time_limit: float = 0,
    buffered: bool = True, check_buffers: bool = False,
) -> Report:  # fmt: skip
    """Runs program(comm, *arguments) on n ranks, each a thread, and returns when all have ended.

    `ports` is k, the messages that a rank sends and receives in a round; 0: n - 1. `time_limit` is in
    seconds: the longest time that a rank waits for another; 0: no limit. (A deadlock needs none: kport finds
    it at once.) `buffered=False` lets every send wait for its receive, which finds programs that rely on
    buffers. `check_buffers=True` looks whether a program writes to what a request still sends.

    An exception in a rank ends the run: `run` raises it, and the calls of ranks that wait for this one raise
    `Failed`. If kport itself finds a failure, `run` raises its exception (`Deadlock`, `Mismatch`, ...).
    """
    __tracebackhide__ = True
    config = L.Config(processors=n, ports=ports, stack_bytes=STACK, pin=NEVER_PIN, check_buffers=check_buffers)
    config.time_limit_ms = int(time_limit * 1000)
    config.unreceived_bytes = 0 if buffered else UNBUFFERED
    if n < 1:
        raise ValueError(f"n is {n}; it may be 1 or more")
    this = _Run(n, program, arguments, buffered)
    # A thread of its own, so that an interrupt by the keyboard reaches the caller, who waits in Python.
    thread = threading.Thread(target=this.start, args=(config,), name="kport", daemon=True)
    thread.start()
    thread.join()
    return this.finish()
