"""mpi4py's upper-case collective calls: buffers, by kport's collectives of the same meaning."""

from __future__ import annotations

import array
import ctypes
from typing import Any

from ._library import IN_PLACE as PLACE
from ._library import lib
from .datatypes import IN_PLACE, SUM, BlocksBuffer, Buffer, Op
from .requests import Request

_Arguments = tuple[str, list, list]  # the call, its arguments, and what has to stay until its end


def _in_place(buffer: Any) -> bool:
    """As in mpi4py, no buffer means the same as IN_PLACE."""
    return buffer is IN_PLACE or buffer is None


class Collectives:
    """Each call has a form with I before its name, which starts the call and returns a request."""

    _rank: Any
    _handle: Any
    _hints: dict
    rank: int
    size: int

    def _blocking(self, arguments: _Arguments) -> None:
        __tracebackhide__ = True
        name, values, _ = arguments
        self._rank.call(getattr(lib, name), self._handle, *values, *self._hint(name))

    def _started(self, arguments: _Arguments) -> Request:
        name, values, keep = arguments
        handle = ctypes.c_void_p()
        function = getattr(lib, name + "_start")
        self._rank.call(function, self._handle, *values, *self._hint(name), ctypes.byref(handle))
        return Request(self._rank, handle, keep)

    def _hint(self, name: str) -> list:
        """The algorithm that `use` has named; a barrier has none."""
        return [] if name == "barrier" else [self._hints.get(name)]

    # --- Arguments. b is the bytes of a block, as kport has it. ---

    def _same_bytes(self, out: Buffer, into: Buffer) -> int:
        if out.bytes != into.bytes:
            raise ValueError(f"a block to send has {out.bytes} bytes, one to receive {into.bytes}")
        return into.bytes

    def _alltoall(self, sendbuf: Any, recvbuf: Any) -> _Arguments:
        into = Buffer(recvbuf, True, self.size)
        if _in_place(sendbuf):
            return "index", [PLACE, into.address, into.bytes], [into]
        out = Buffer(sendbuf, False, self.size)
        return "index", [out.address, into.address, self._same_bytes(out, into)], [out, into]

    def _allgather(self, sendbuf: Any, recvbuf: Any) -> _Arguments:
        into = Buffer(recvbuf, True, self.size)
        if _in_place(sendbuf):
            return "concat", [PLACE, into.address, into.bytes], [into]
        out = Buffer(sendbuf, False)
        return "concat", [out.address, into.address, self._same_bytes(out, into)], [out, into]

    def _bcast(self, buf: Any, root: int) -> _Arguments:
        data = Buffer(buf, self.rank != root)
        return "broadcast", [data.address, data.bytes, root], [data]

    def _scatter(self, sendbuf: Any, recvbuf: Any, root: int) -> _Arguments:
        if self.rank != root:
            into = Buffer(recvbuf, True)
            return "scatter", [None, into.address, into.bytes, root], [into]
        out = Buffer(sendbuf, False, self.size)
        if _in_place(recvbuf):
            return "scatter", [out.address, PLACE, out.bytes, root], [out]
        into = Buffer(recvbuf, True)
        return "scatter", [out.address, into.address, self._same_bytes(out, into), root], [out, into]

    def _gather(self, sendbuf: Any, recvbuf: Any, root: int) -> _Arguments:
        if self.rank != root:
            out = Buffer(sendbuf, False)
            return "gather", [out.address, None, out.bytes, root], [out]
        into = Buffer(recvbuf, True, self.size)
        if _in_place(sendbuf):
            return "gather", [PLACE, into.address, into.bytes, root], [into]
        out = Buffer(sendbuf, False)
        return "gather", [out.address, into.address, self._same_bytes(out, into), root], [out, into]

    def _reduction(self, name: str, sendbuf: Any, recvbuf: Any, op: Op, blocks: int = 1) -> _Arguments:
        """The reductions without a root, whose outgoing buffer has `blocks` operands."""
        if _in_place(sendbuf) or sendbuf is recvbuf:
            into = Buffer(recvbuf, True, blocks)
            out, place = into, PLACE
        else:
            out, into = Buffer(sendbuf, False, blocks), Buffer(recvbuf, True)
            place = out.address
            self._same_bytes(out, into)
        return name, [place, into.address, *self._operands(out, op)], [out, into, op]

    def _operands(self, data: Buffer, op: Op) -> list:
        return [data.count, data.datatype.kp_type, op.pointer(data.datatype)]

    def _reduce(self, sendbuf: Any, recvbuf: Any, op: Op, root: int) -> _Arguments:
        if self.rank == root:
            name, values, keep = self._reduction("reduce", sendbuf, recvbuf, op)
            return name, [*values, root], keep
        out = Buffer(sendbuf, False)
        return "reduce", [out.address, None, *self._operands(out, op), root], [out, op]

    def _reduce_scatter(self, sendbuf: Any, recvbuf: Any, recvcounts: Any, op: Op) -> _Arguments:
        in_place = _in_place(sendbuf) or sendbuf is recvbuf
        data = Buffer(recvbuf if in_place else sendbuf, in_place)
        if recvcounts is None:
            own = data.count // self.size if in_place else Buffer(recvbuf, True).count
            recvcounts = array.array("q", [0] * self.size)
            self.Allgather(array.array("q", [own]), recvcounts)
        if len(recvcounts) != self.size or sum(recvcounts) > data.count:
            raise ValueError(f"recvcounts is {list(recvcounts)}; it may be {self.size} numbers, {data.count} in all")
        counts = (ctypes.c_size_t * self.size)(*recvcounts)
        if in_place:
            into, place = data, PLACE
        else:
            into, place = Buffer(recvbuf, True), data.address
            if into.count < recvcounts[self.rank]:
                raise ValueError(f"recvbuf has {into.count} elements; this rank gets {recvcounts[self.rank]}")
        _, kind, op_pointer = self._operands(data, op)
        return "reduce_scatterv", [place, into.address, counts, kind, op_pointer], [data, into, counts, op]

    def _alltoallv(self, sendbuf: Any, recvbuf: Any) -> _Arguments:
        into = BlocksBuffer(recvbuf, True, self.size)
        receives = [into.address, into.counts, into.displacements]
        if _in_place(sendbuf):
            return "indexv", [PLACE, None, None, *receives], [into]
        out = BlocksBuffer(sendbuf, False, self.size)
        return "indexv", [out.address, out.counts, out.displacements, *receives], [out, into]

    def _allgatherv(self, sendbuf: Any, recvbuf: Any) -> _Arguments:
        into = BlocksBuffer(recvbuf, True, self.size)
        receives = [into.address, into.counts, into.displacements]
        if _in_place(sendbuf):
            return "concatv", [PLACE, 0, *receives], [into]
        out = Buffer(sendbuf, False)
        return "concatv", [out.address, out.bytes, *receives], [out, into]

    def _scatterv(self, sendbuf: Any, recvbuf: Any, root: int) -> _Arguments:
        sends: list = [None, None, None]
        keep: list = []
        if self.rank == root:
            out = BlocksBuffer(sendbuf, False, self.size)
            sends, keep = [out.address, out.counts, out.displacements], [out]
        if _in_place(recvbuf):
            return "scatterv", [*sends, PLACE, 0, root], keep
        into = Buffer(recvbuf, True)
        return "scatterv", [*sends, into.address, into.bytes, root], [*keep, into]

    def _gatherv(self, sendbuf: Any, recvbuf: Any, root: int) -> _Arguments:
        receives: list = [None, None, None]
        keep: list = []
        if self.rank == root:
            into = BlocksBuffer(recvbuf, True, self.size)
            receives, keep = [into.address, into.counts, into.displacements], [into]
        if _in_place(sendbuf):
            return "gatherv", [PLACE, 0, *receives, root], keep
        out = Buffer(sendbuf, False)
        return "gatherv", [out.address, out.bytes, *receives, root], [out, *keep]

    # --- The calls ---

    def Barrier(self) -> None:
        """Returns when all members have called it."""
        self._blocking(("barrier", [], []))

    def Ibarrier(self) -> Request:
        return self._started(("barrier", [], []))

    barrier = Barrier

    def Alltoall(self, sendbuf: Any, recvbuf: Any) -> None:
        """Block j of rank i's sendbuf becomes block i of rank j's recvbuf."""
        self._blocking(self._alltoall(sendbuf, recvbuf))

    def Ialltoall(self, sendbuf: Any, recvbuf: Any) -> Request:
        return self._started(self._alltoall(sendbuf, recvbuf))

    def Allgather(self, sendbuf: Any, recvbuf: Any) -> None:
        """Rank i's sendbuf becomes block i of every rank's recvbuf."""
        self._blocking(self._allgather(sendbuf, recvbuf))

    def Iallgather(self, sendbuf: Any, recvbuf: Any) -> Request:
        return self._started(self._allgather(sendbuf, recvbuf))

    def Bcast(self, buf: Any, root: int = 0) -> None:
        """The root's buffer is copied to every rank's."""
        self._blocking(self._bcast(buf, root))

    def Ibcast(self, buf: Any, root: int = 0) -> Request:
        return self._started(self._bcast(buf, root))

    def Scatter(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Block j of the root's sendbuf becomes rank j's recvbuf."""
        self._blocking(self._scatter(sendbuf, recvbuf, root))

    def Iscatter(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> Request:
        return self._started(self._scatter(sendbuf, recvbuf, root))

    def Gather(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Rank i's sendbuf becomes block i of the root's recvbuf."""
        self._blocking(self._gather(sendbuf, recvbuf, root))

    def Igather(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> Request:
        return self._started(self._gather(sendbuf, recvbuf, root))

    def Reduce(self, sendbuf: Any, recvbuf: Any, op: Op = SUM, root: int = 0) -> None:
        """Combines all ranks' sendbuf into the root's recvbuf."""
        self._blocking(self._reduce(sendbuf, recvbuf, op, root))

    def Ireduce(self, sendbuf: Any, recvbuf: Any, op: Op = SUM, root: int = 0) -> Request:
        return self._started(self._reduce(sendbuf, recvbuf, op, root))

    def Allreduce(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> None:
        """Combines all ranks' sendbuf into every rank's recvbuf."""
        self._blocking(self._reduction("allreduce", sendbuf, recvbuf, op))

    def Iallreduce(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> Request:
        return self._started(self._reduction("allreduce", sendbuf, recvbuf, op))

    def Reduce_scatter_block(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> None:
        """Combines block j of all ranks' sendbuf into rank j's recvbuf."""
        self._blocking(self._reduction("reduce_scatter", sendbuf, recvbuf, op, self.size))

    def Ireduce_scatter_block(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> Request:
        return self._started(self._reduction("reduce_scatter", sendbuf, recvbuf, op, self.size))

    def Reduce_scatter(self, sendbuf: Any, recvbuf: Any, recvcounts: Any = None, op: Op = SUM) -> None:
        """The same with a number of elements for every rank."""
        self._blocking(self._reduce_scatter(sendbuf, recvbuf, recvcounts, op))

    def Ireduce_scatter(self, sendbuf: Any, recvbuf: Any, recvcounts: Any = None, op: Op = SUM) -> Request:
        return self._started(self._reduce_scatter(sendbuf, recvbuf, recvcounts, op))

    def Scan(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> None:
        """Combines sendbuf of the ranks 0 ... i into rank i's recvbuf."""
        self._blocking(self._reduction("scan", sendbuf, recvbuf, op))

    def Iscan(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> Request:
        return self._started(self._reduction("scan", sendbuf, recvbuf, op))

    def Exscan(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> None:
        """Combines sendbuf of the ranks before i into rank i's recvbuf; that of rank 0 stays."""
        self._blocking(self._reduction("scan_exclusive", sendbuf, recvbuf, op))

    def Iexscan(self, sendbuf: Any, recvbuf: Any, op: Op = SUM) -> Request:
        return self._started(self._reduction("scan_exclusive", sendbuf, recvbuf, op))

    def Alltoallv(self, sendbuf: Any, recvbuf: Any) -> None:
        """Alltoall with blocks that have lengths of their own."""
        self._blocking(self._alltoallv(sendbuf, recvbuf))

    def Ialltoallv(self, sendbuf: Any, recvbuf: Any) -> Request:
        return self._started(self._alltoallv(sendbuf, recvbuf))

    def Allgatherv(self, sendbuf: Any, recvbuf: Any) -> None:
        """Allgather with blocks that have lengths of their own."""
        self._blocking(self._allgatherv(sendbuf, recvbuf))

    def Iallgatherv(self, sendbuf: Any, recvbuf: Any) -> Request:
        return self._started(self._allgatherv(sendbuf, recvbuf))

    def Scatterv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Scatter with blocks that have lengths of their own."""
        self._blocking(self._scatterv(sendbuf, recvbuf, root))

    def Iscatterv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> Request:
        return self._started(self._scatterv(sendbuf, recvbuf, root))

    def Gatherv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> None:
        """Gather with blocks that have lengths of their own."""
        self._blocking(self._gatherv(sendbuf, recvbuf, root))

    def Igatherv(self, sendbuf: Any, recvbuf: Any, root: int = 0) -> Request:
        return self._started(self._gatherv(sendbuf, recvbuf, root))
