"""Requests: calls that were started and need not have ended. Status: what a receive has found."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _library as L
from ._library import lib
from .datatypes import BYTE, Datatype

if TYPE_CHECKING:
    from .ranks import Rank

ANY_SOURCE = -1
ANY_TAG = -1
PROC_NULL = -2
UNDEFINED = -32766
TAG_UB = 0  # the key of the largest tag


class Status:
    """Source, tag and length of a message."""

    def __init__(self) -> None:
        self.source, self.tag, self.error, self.count = ANY_SOURCE, ANY_TAG, 0, 0
        self.cancelled = False

    def set(self, found: L.MessageStatus | None) -> None:
        """Takes what kport has found; None: a receive from PROC_NULL."""
        self.source = found.source if found else PROC_NULL
        self.tag = found.tag if found else ANY_TAG
        self.count = found.bytes if found else 0

    def Get_source(self) -> int:
        return self.source

    def Get_tag(self) -> int:
        return self.tag

    def Get_error(self) -> int:
        return self.error

    def Get_count(self, datatype: Datatype = BYTE) -> int:
        """The elements of the message; UNDEFINED if its bytes are not whole elements."""
        elements, rest = divmod(self.count, datatype.size)
        return UNDEFINED if rest else elements

    Get_elements = Get_count

    def Is_cancelled(self) -> bool:
        return False


class Request:
    """A call that was started. It keeps the buffers of the call until it has ended, and is true as long as nobody
    has been told that it has. `result` makes what `wait` returns."""

    def __init__(
        self, rank: Rank | None = None, handle: ctypes.c_void_p | None = None, keep: Any = None,
        found: L.MessageStatus | None = None, result: Callable[[], Any] | None = None,
    ) -> None:  # fmt: skip
        self._rank: Any = rank
        self._handle, self._keep, self._found, self._result = handle, keep, found, result
        # Ended, and nobody knows. A message to or from PROC_NULL has ended when it begins.
        self._ended = handle is None and rank is not None
        self._nowhere = self._ended

    def __bool__(self) -> bool:
        return bool(self._handle) or self._ended

    def _look(self) -> bool:
        """Whether the request has ended. Does not wait."""
        if self._handle:
            ended = ctypes.c_int()
            self._rank.call(lib.test, ctypes.byref(self._handle), ctypes.byref(ended))
            self._ended = bool(ended)
        return not self._handle

    def _end(self, status: Status | None) -> Any:
        """Tells the end of the request, and gives back its buffers."""
        if status is not None and (self._found is not None or self._nowhere):
            status.set(self._found)
        result = self._result() if self._result else None
        self._handle = self._keep = self._found = self._result = None
        self._ended = self._nowhere = False
        return result

    def wait(self, status: Status | None = None) -> Any:
        """Waits until the request has ended; returns the object that was received, if one was."""
        if self._handle:
            self._rank.call(lib.wait, ctypes.byref(self._handle))
        return self._end(status)

    def Wait(self, status: Status | None = None) -> bool:
        self.wait(status)
        return True

    def test(self, status: Status | None = None) -> tuple[bool, Any]:
        """Whether the request has ended, and the object that was received. Does not wait."""
        return (True, self._end(status)) if self._look() else (False, None)

    def Test(self, status: Status | None = None) -> bool:
        return self.test(status)[0]

    def Cancel(self) -> None:
        raise NotImplementedError("kport cancels no requests")

    cancel = Cancel

    def Free(self) -> None:
        raise NotImplementedError("kport frees no request before its end; wait for it")

    @classmethod
    def waitall(cls, requests: Sequence[Request], statuses: list[Status] | None = None) -> list[Any]:
        return [request.wait(status) for request, status in zip(requests, _statuses(requests, statuses))]

    @classmethod
    def Waitall(cls, requests: Sequence[Request], statuses: list[Status] | None = None) -> bool:
        cls.waitall(requests, statuses)
        return True

    @classmethod
    def testall(cls, requests: Sequence[Request], statuses: list[Status] | None = None) -> tuple[bool, Any]:
        """Whether all requests have ended, and the objects that were received. Ends all of them or none."""
        if not all([request._look() for request in requests]):
            return False, None
        return True, cls.waitall(requests, statuses)

    @classmethod
    def Testall(cls, requests: Sequence[Request], statuses: list[Status] | None = None) -> bool:
        return cls.testall(requests, statuses)[0]

    @classmethod
    def waitany(cls, requests: Sequence[Request], status: Status | None = None) -> tuple[int, Any]:
        """Waits until one of the requests has ended: its index, or UNDEFINED if there is none, and the
        object that was received."""
        for index, request in enumerate(requests):
            if request._ended:
                return index, request._end(status)
        rank = next((request._rank for request in requests if request._handle), None)
        if rank is None:
            return UNDEFINED, None
        handles = (ctypes.c_void_p * len(requests))(*(r._handle.value if r._handle else None for r in requests))
        which = ctypes.c_int()
        rank.call(lib.wait_any, len(requests), handles, ctypes.byref(which))
        return which.value, requests[which.value]._end(status)

    @classmethod
    def Waitany(cls, requests: Sequence[Request], status: Status | None = None) -> int:
        return cls.waitany(requests, status)[0]

    @classmethod
    def testany(cls, requests: Sequence[Request], status: Status | None = None) -> tuple[int, bool, Any]:
        """The first request that has ended: its index, True, and its object. UNDEFINED and False if none has
        ended, UNDEFINED and True if there is none."""
        under_way = [index for index, request in enumerate(requests) if request]
        for index in under_way:
            ended, result = requests[index].test(status)
            if ended:
                return index, True, result
        return UNDEFINED, not under_way, None

    @classmethod
    def Testany(cls, requests: Sequence[Request], status: Status | None = None) -> tuple[int, bool]:
        return cls.testany(requests, status)[:2]

    @classmethod
    def testsome(
        cls, requests: Sequence[Request], statuses: list[Status] | None = None
    ) -> tuple[list[int] | None, list[Any] | None]:  # fmt: skip
        """The indices of the requests that have ended, and their objects; None if there is no request."""
        if not any(requests):
            return None, None
        indices, objects, found = [], [], []
        for index in [index for index, request in enumerate(requests) if request]:
            status = Status()
            ended, result = requests[index].test(status)
            if ended:
                indices.append(index)
                objects.append(result)
                found.append(status)
        if statuses is not None:
            statuses[:] = found
        return indices, objects

    @classmethod
    def Testsome(cls, requests: Sequence[Request], statuses: list[Status] | None = None) -> list[int] | None:
        return cls.testsome(requests, statuses)[0]

    @classmethod
    def waitsome(
        cls, requests: Sequence[Request], statuses: list[Status] | None = None
    ) -> tuple[list[int] | None, list[Any] | None]:  # fmt: skip
        """Waits until at least one request has ended; returns what testsome does."""
        status = Status()
        first, result = cls.waitany(requests, status)
        if first == UNDEFINED:
            return None, None
        others: list[Status] = []
        indices, objects = cls.testsome(requests, others)
        if statuses is not None:
            statuses[:] = [status, *others]
        return [first, *(indices or [])], [result, *(objects or [])]

    @classmethod
    def Waitsome(cls, requests: Sequence[Request], statuses: list[Status] | None = None) -> list[int] | None:
        return cls.waitsome(requests, statuses)[0]


def _statuses(requests: Sequence[Request], statuses: list[Status] | None) -> list[Status | None]:
    """A status for every request; a list of the caller's is filled up."""
    if statuses is None:
        return [None] * len(requests)
    if isinstance(statuses, list):
        statuses.extend(Status() for _ in range(len(requests) - len(statuses)))
    return [*statuses, *([None] * (len(requests) - len(statuses)))]
