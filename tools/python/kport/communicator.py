"""Communicators: a rank's handle of a group, with mpi4py's methods for messages and groups."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _library as L
from ._library import lib
from .collectives import Collectives
from .datatypes import Buffer
from .objects import Objects
from .ranks import Rank
from .requests import ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED, Request, Status
from .schedules import check_status


class Comm(Collectives, Objects):
    """A communicator. Only the thread of its rank may use it."""

    def __init__(self, rank: Rank, handle: Any, name: str = "") -> None:
        self._rank, self._handle, self.name = rank, handle, name
        self.rank: int = lib.rank(handle)
        """The number of this member, 0 ... size - 1."""
        self.size: int = lib.size(handle)
        """The number of members."""
        self._processor: int = lib.group_processor(handle, self.rank)
        self._hints: dict[str, L.Hints] = {}

    def __repr__(self) -> str:
        return f"<kport.Comm {self.name}: rank {self.rank} of {self.size}>"

    # --- Groups ---

    def Get_rank(self) -> int:
        return self.rank

    def Get_size(self) -> int:
        return self.size

    def Get_name(self) -> str:
        return self.name

    def Set_name(self, name: str) -> None:
        self.name = name

    def Is_inter(self) -> bool:
        return False

    def Is_intra(self) -> bool:
        return True

    def Dup(self, info: Any = None) -> Comm:
        """A communicator of the same members, whose messages meet none of this one."""
        return Comm(self._rank, self._rank.duplicate(self._handle), self.name)

    Clone = Dup

    def Split(self, color: int = 0, key: int = 0) -> Comm | None:
        """A communicator of the members with the same color, by key and rank; None for UNDEFINED."""
        said = self.allgather((color, key, self._processor))
        if color == UNDEFINED:
            return None
        members = sorted((its_key, rank) for rank, (its_color, its_key, _) in enumerate(said) if its_color == color)
        return Comm(self._rank, self._rank.group(tuple(said[rank][2] for _, rank in members)))

    def Free(self) -> None:
        """Frees the communicator; the world is freed by the end of the run."""
        self._rank.call(lib.group_free, self._handle)
        self._handle = None

    def Abort(self, errorcode: int = 0) -> None:
        """Ends the run: this rank fails, and all others with it."""
        raise SystemExit(f"Abort({errorcode}) was called")

    def use(self, operation: str, algorithm: str) -> None:
        """From now on the calls of an operation take this algorithm, as in `comm.use("index", "radix,r=4")`.

        All members say the same. An empty text gives the choice back to kport.
        """
        number = next((i for i in range(64) if (lib.operation_name(i) or b"").decode() == operation), -1)
        if number < 0:
            raise ValueError(f'there is no operation "{operation}"')
        hints = L.Hints()
        check_status(lib.hints_parse(number, algorithm.encode(), ctypes.byref(hints)))
        self._hints[operation.replace("-", "_")] = hints

    # --- Messages ---

    def _peer(self, peer: int, least: int = 0) -> int:
        if not least <= peer < self.size:
            raise ValueError(f"the rank is {peer}; it may be {least} ... {self.size - 1}")
        return peer

    def Send(self, buf: Any, dest: int, tag: int = 0) -> None:
        """Sends a message; returns when the buffer may be overwritten."""
        if dest != PROC_NULL:
            data = Buffer(buf, False)
            self._rank.call(lib.send, self._handle, data.address, data.bytes, self._peer(dest), tag)

    def Recv(
        self, buf: Any, source: int = ANY_SOURCE, tag: int = ANY_TAG, status: Status | None = None
    ) -> None:  # fmt: skip
        """Receives a message that is no longer than the buffer."""
        found = None
        if source != PROC_NULL:
            data, found = Buffer(buf, True), L.MessageStatus()
            where = self._handle, data.address, data.bytes, self._peer(source, ANY_SOURCE), tag
            self._rank.call(lib.receive, *where, ctypes.byref(found))
        if status is not None:
            status.set(found)

    def Isend(self, buf: Any, dest: int, tag: int = 0) -> Request:
        if dest == PROC_NULL:
            return Request(self._rank, None)
        data, handle = Buffer(buf, False), ctypes.c_void_p()
        what = self._handle, data.address, data.bytes, self._peer(dest), tag
        self._rank.call(lib.send_start, *what, ctypes.byref(handle))
        return Request(self._rank, handle, data)

    def Irecv(self, buf: Any, source: int = ANY_SOURCE, tag: int = ANY_TAG) -> Request:
        if source == PROC_NULL:
            return Request(self._rank, None)
        data, found, handle = Buffer(buf, True), L.MessageStatus(), ctypes.c_void_p()
        what = self._handle, data.address, data.bytes, self._peer(source, ANY_SOURCE), tag
        self._rank.call(lib.receive_start, *what, ctypes.byref(found), ctypes.byref(handle))
        return Request(self._rank, handle, data, found)

    def Sendrecv(
        self, sendbuf: Any, dest: int, sendtag: int = 0, recvbuf: Any = None, source: int = ANY_SOURCE,
        recvtag: int = ANY_TAG, status: Status | None = None,
    ) -> None:  # fmt: skip
        """Sends one message and receives another at the same time."""
        if dest == PROC_NULL or source == PROC_NULL:
            self.Send(sendbuf, dest, sendtag)
            self.Recv(recvbuf, source, recvtag, status)
            return
        out, into, found = Buffer(sendbuf, False), Buffer(recvbuf, True), L.MessageStatus()
        self._rank.call(
            lib.exchange_messages, self._handle, out.address, out.bytes, self._peer(dest), sendtag,
            into.address, into.bytes, self._peer(source, ANY_SOURCE), recvtag, ctypes.byref(found),
        )  # fmt: skip
        if status is not None:
            status.set(found)

    def Sendrecv_replace(
        self, buf: Any, dest: int, sendtag: int = 0, source: int = ANY_SOURCE, recvtag: int = ANY_TAG,
        status: Status | None = None,
    ) -> None:  # fmt: skip
        data = Buffer(buf, True)
        sent = ctypes.string_at(data.address, data.bytes)
        self.Sendrecv(sent, dest, sendtag, buf, source, recvtag, status)

    def Probe(self, source: int = ANY_SOURCE, tag: int = ANY_TAG, status: Status | None = None) -> bool:
        """Waits until there is a message that Recv with this source and tag would take."""
        found = None
        if source != PROC_NULL:
            found = L.MessageStatus()
            self._rank.call(lib.probe, self._handle, self._peer(source, ANY_SOURCE), tag, ctypes.byref(found))
        if status is not None:
            status.set(found)
        return True

    def Iprobe(self, source: int = ANY_SOURCE, tag: int = ANY_TAG, status: Status | None = None) -> bool:
        """Whether there is such a message now."""
        if source == PROC_NULL:
            return self.Probe(source, tag, status)
        found, there = L.MessageStatus(), ctypes.c_int()
        where = self._handle, self._peer(source, ANY_SOURCE), tag
        self._rank.call(lib.probe_now, *where, ctypes.byref(there), ctypes.byref(found))
        if there and status is not None:
            status.set(found)
        return bool(there)

    probe, iprobe = Probe, Iprobe

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"kport's communicators have no {name}; doc/python.md lists what they have")


