"""mpi4py's upper-case calls for messages between two ranks."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _library as L
from ._library import lib
from .datatypes import Buffer
from .ranks import Rank
from .requests import ANY_SOURCE, ANY_TAG, PROC_NULL, Request, Status


class Messages:
    """What a communicator has, and its calls for messages."""

    _rank: Rank
    _handle: Any
    rank: int
    """The number of this member, 0 ... size - 1."""
    size: int
    """The number of members."""

    def _peer(self, peer: int, least: int = 0) -> int:
        if not least <= peer < self.size:
            raise ValueError(f"the rank is {peer}; it may be {least} ... {self.size - 1}")
        return peer

    def Send(self, buf: Any, dest: int, tag: int = 0) -> None:
        """Sends a message; returns when the buffer may be overwritten."""
        if dest != PROC_NULL:
            data = Buffer(buf, False)
            self._rank.call(lib.send, self._handle, data.address, data.bytes, self._peer(dest), tag)

    def Ssend(self, buf: Any, dest: int, tag: int = 0) -> None:
        """Sends a message; returns when its receive has begun. The run needs buffered=False for that."""
        self._rank.without_buffers("Ssend")
        self.Send(buf, dest, tag)

    def Issend(self, buf: Any, dest: int, tag: int = 0) -> Request:
        self._rank.without_buffers("Issend")
        return self.Isend(buf, dest, tag)

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
