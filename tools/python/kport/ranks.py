"""A rank: the thread that carries a processor of kport's machine, and what its calls have in common."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from ._library import lib
from .datatypes import of_thread
from .errors import Ended, Error, error

if TYPE_CHECKING:
    from .communicator import Comm

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_current = threading.local()
# kport keeps the address of a file's name, so each name stays.
_names: dict[str, bytes] = {}


def _name_of(path: str) -> bytes:
    if path not in _names:
        here = os.getcwd() + os.sep
        _names[path] = path.removeprefix(here).encode()
    return _names[path]


def current() -> Rank:
    """The rank that the calling thread carries."""
    rank = getattr(_current, "rank", None)
    if rank is None:
        raise Error("this thread is no rank; kport.run(n, program) and @pytest.mark.ranks(n) start ranks")
    return rank


class Rank:
    """A processor of a machine, for the thread that carries it."""

    def __init__(self, handle: int, seen: set[int], buffered: bool) -> None:
        self.handle, self.seen, self.buffered = handle, seen, buffered
        self.number: int = lib.processor(handle)
        self.ended = False
        self.bases: dict[tuple[int, ...], ctypes.c_void_p] = {}
        self.world: Comm | None = None
        self.alone: Comm | None = None

    def enter(self) -> None:
        _current.rank = self

    def leave(self) -> None:
        self.ended = True
        _current.rank = None

    def here(self) -> None:
        """Tells kport the line of the program that makes the next call."""
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            frame = frame.f_back
        lib.here(_name_of(frame.f_code.co_filename), frame.f_lineno)

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls a function of kport for this rank, and raises its error."""
        __tracebackhide__ = True  # pytest shows the caller's line
        if self.ended:
            raise Ended("the run of this communicator has ended")
        self.here()
        status = function(*arguments)
        failure = getattr(of_thread, "failure", None)
        if failure is not None:
            of_thread.failure = None
            raise failure
        if status != 0:
            raise self.failure(status)

    def without_buffers(self, name: str) -> None:
        """kport has no call that waits for its receive while others do not."""
        if self.buffered:
            raise NotImplementedError(f"{name} needs a run with buffered=False, in which every send waits")

    def failure(self, status: int) -> Error:
        self.seen.add(status)
        record = lib.error(self.handle).contents
        if record.status != status:  # a call that was given a wrong handle has no processor
            record = lib.last_error().contents
        return error(status, record)

    def group(self, numbers: tuple[int, ...]) -> ctypes.c_void_p:
        """A new group of these processors, apart from all others that there are of the same."""
        if numbers not in self.bases:
            base = ctypes.c_void_p()
            list_of = (ctypes.c_int * len(numbers))(*numbers)
            self.call(lib.group_create, self.handle, list_of, len(numbers), ctypes.byref(base))
            self.bases[numbers] = base
        return self.duplicate(self.bases[numbers])

    def duplicate(self, group: ctypes.c_void_p) -> ctypes.c_void_p:
        copy = ctypes.c_void_p()
        self.call(lib.group_dup, group, ctypes.byref(copy))
        return copy
