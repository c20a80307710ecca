"""mpi4py's lower-case calls: any objects, which travel pickled.

A collective call of objects is two calls of kport: of the lengths, and of the pickled objects.
"""

from __future__ import annotations

import array
import pickle
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from typing import Any

from .collectives import Collectives
from .datatypes import SUM, Op
from .messages import Messages
from .requests import ANY_SOURCE, ANY_TAG, PROC_NULL, Request, Status

RECEIVED = 32768  # bytes of the buffer that irecv makes, as many as mpi4py's


class Objects(Messages, Collectives):
    """The calls that take and return objects."""

    def _each_length(self, pickled: bytes) -> list[int]:
        lengths = array.array("q", [0] * self.size)
        self.Allgather(array.array("q", [len(pickled)]), lengths)
        return lengths.tolist()

    # --- Messages ---

    def send(self, obj: Any, dest: int, tag: int = 0) -> None:
        self.Send(pickle.dumps(obj), dest, tag)

    def ssend(self, obj: Any, dest: int, tag: int = 0) -> None:
        self.Ssend(pickle.dumps(obj), dest, tag)

    def issend(self, obj: Any, dest: int, tag: int = 0) -> Request:
        return self.Issend(pickle.dumps(obj), dest, tag)

    def recv(
        self, buf: Any = None, source: int = ANY_SOURCE, tag: int = ANY_TAG, status: Status | None = None
    ) -> Any:  # fmt: skip
        """Receives an object. `buf` is there for mpi4py's sake and is not used."""
        found = status if status is not None else Status()
        self.Probe(source, tag, found)
        if source == PROC_NULL:
            return None
        data = bytearray(found.count)
        self.Recv(data, found.source, found.tag)
        return _unpickled_one(data)

    def isend(self, obj: Any, dest: int, tag: int = 0) -> Request:
        return self.Isend(pickle.dumps(obj), dest, tag)

    def irecv(self, buf: Any = None, source: int = ANY_SOURCE, tag: int = ANY_TAG) -> Request:
        """Starts to receive an object, of at most 32 KiB or of as many bytes as `buf` has or is."""
        data = bytearray(RECEIVED if buf is None else buf) if buf is None or isinstance(buf, int) else buf
        request = self.Irecv(data, source, tag)
        if request._found is not None:
            found = request._found
            request._result = lambda: _unpickled_one(memoryview(data)[: found.bytes])
        return request

    def sendrecv(
        self, sendobj: Any, dest: int, sendtag: int = 0, recvbuf: Any = None, source: int = ANY_SOURCE,
        recvtag: int = ANY_TAG, status: Status | None = None,
    ) -> Any:  # fmt: skip
        request = self.isend(sendobj, dest, sendtag)
        received = self.recv(None, source, recvtag, status)
        request.wait()
        return received

    # --- Collective calls ---

    def bcast(self, obj: Any, root: int = 0) -> Any:
        pickled = pickle.dumps(obj) if self.rank == root else b""
        length = array.array("q", [len(pickled)])
        self.Bcast(length, root)
        data = bytearray(pickled) if self.rank == root else bytearray(length[0])
        self.Bcast(data, root)
        return obj if self.rank == root else pickle.loads(data)

    def scatter(self, sendobj: Sequence[Any] | None, root: int = 0) -> Any:
        sends: Any = None
        lengths: Any = None
        if self.rank == root:
            pickled = self._pickled(sendobj)
            lengths = array.array("q", map(len, pickled))
            sends = [b"".join(pickled), lengths.tolist()]
        length = array.array("q", [0])
        self.Scatter(lengths, length, root)
        data = bytearray(length[0])
        self.Scatterv(sends, data, root)
        return pickle.loads(data)

    def gather(self, sendobj: Any, root: int = 0) -> list[Any] | None:
        pickled = pickle.dumps(sendobj)
        length = array.array("q", [len(pickled)])
        if self.rank != root:
            self.Gather(length, None, root)
            self.Gatherv(pickled, None, root)
            return None
        lengths = array.array("q", [0] * self.size)
        self.Gather(length, lengths, root)
        data = bytearray(sum(lengths))
        self.Gatherv(pickled, [data, lengths.tolist()], root)
        return _unpickled(data, lengths.tolist())

    def allgather(self, sendobj: Any) -> list[Any]:
        pickled = pickle.dumps(sendobj)
        lengths = self._each_length(pickled)
        data = bytearray(sum(lengths))
        self.Allgatherv(pickled, [data, lengths])
        return _unpickled(data, lengths)

    def alltoall(self, sendobj: Sequence[Any]) -> list[Any]:
        pickled = self._pickled(sendobj)
        sent, received = array.array("q", map(len, pickled)), array.array("q", [0] * self.size)
        self.Alltoall(sent, received)
        data = bytearray(sum(received))
        self.Alltoallv([b"".join(pickled), sent.tolist()], [data, received.tolist()])
        return _unpickled(data, received.tolist())

    def reduce(self, sendobj: Any, op: Op = SUM, root: int = 0) -> Any:
        """Combines the objects in the order of the ranks."""
        gathered = self.gather(sendobj, root)
        return None if gathered is None else reduce(op, gathered)

    def allreduce(self, sendobj: Any, op: Op = SUM) -> Any:
        return reduce(op, self.allgather(sendobj))

    def scan(self, sendobj: Any, op: Op = SUM) -> Any:
        return list(accumulate(self.allgather(sendobj), op))[self.rank]

    def exscan(self, sendobj: Any, op: Op = SUM) -> Any:
        before = self.allgather(sendobj)[: self.rank]
        return reduce(op, before) if before else None

    def _pickled(self, objects: Sequence[Any] | None) -> list[bytes]:
        if objects is None or len(objects) != self.size:
            given = "nothing" if objects is None else f"{len(objects)} objects"
            raise ValueError(f"the call was given {given}; it sends {self.size} objects, one to each rank")
        return [pickle.dumps(item) for item in objects]


def _unpickled_one(data: Any) -> Any:
    """The object of a message; None if the message is empty."""
    return pickle.loads(data) if len(data) else None


def _unpickled(data: bytearray, lengths: list[int]) -> list[Any]:
    ends = list(accumulate(lengths))
    return [pickle.loads(memoryview(data)[end - length : end]) for end, length in zip(ends, lengths)]
