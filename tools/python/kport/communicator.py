"""Communicators: a rank's handle of a group, with mpi4py's methods."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _library as L
from ._library import lib
from .errors import Ended
from .groups import CONGRUENT, IDENT, Group
from .objects import Objects
from .ranks import Rank
from .requests import TAG_UB, UNDEFINED
from .schedules import check_status


class Comm(Objects):
    """A communicator. Only the thread of its rank may use it. `Comm(other)` is the same communicator; `Comm()`
    is the null communicator, which is false."""

    name: str
    _numbers: tuple[int, ...]
    _hints: dict[str, L.Hints]

    def __new__(cls, comm: Comm | None = None) -> Comm:
        if comm is not None and not isinstance(comm, Comm):
            raise TypeError(f"a communicator is made of a communicator, not of {comm!r}")
        self = super().__new__(cls)
        self.__dict__.update(comm._fields() if comm else {})
        return self

    @classmethod
    def _of(cls, rank: Rank, handle: Any, name: str = "") -> Comm:
        """The communicator of a handle of kport's."""
        self = cls()
        self._rank, self._handle, self.name = rank, handle, name
        self.rank, self.size = lib.rank(handle), lib.size(handle)
        self._numbers = tuple(lib.group_processor(handle, member) for member in range(self.size))
        self._hints = {}
        return self

    def _fields(self) -> dict[str, Any]:
        return self.__dict__

    def __bool__(self) -> bool:
        return bool(self._fields())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comm):
            return NotImplemented
        return self._fields().get("_handle") == other._fields().get("_handle")

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<kport.Comm {self.name}: rank {self.rank} of {self.size}>" if self else "<kport.Comm, null>"

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

    def Get_attr(self, keyval: int) -> Any:
        """The value of MPI.TAG_UB, the largest tag; None of any other key."""
        return 2**31 - 1 if keyval == TAG_UB else None

    def Get_group(self) -> Group:
        return Group(self._numbers, self._numbers[self.rank])

    def Dup(self, info: Any = None) -> Comm:
        """A communicator of the same members, whose messages meet none of this one."""
        return Comm._of(self._rank, self._rank.duplicate(self._handle), self.name)

    Clone = Dup

    def Split(self, color: int = 0, key: int = 0) -> Comm:
        """A communicator of the members with the same color, by key and rank; none for UNDEFINED."""
        said = self.allgather((color, key))
        members = sorted((its_key, rank) for rank, (its_color, its_key) in enumerate(said) if its_color == color)
        return self._of_numbers([] if color == UNDEFINED else [self._numbers[rank] for _, rank in members])

    def Create(self, group: Group) -> Comm:
        """A communicator of the members of `group`; none at others. All members of this one call it."""
        return self._of_numbers(group.numbers)

    def Create_group(self, group: Group, tag: int = 0) -> Comm:
        """The same; the members of `group` call it."""
        return self._of_numbers(group.numbers)

    def _of_numbers(self, numbers: Any) -> Comm:
        if self._numbers[self.rank] not in numbers:
            return Comm()
        return Comm._of(self._rank, self._rank.group(tuple(numbers)))

    def Compare(self, other: Comm) -> int:
        """IDENT, CONGRUENT (the same members in the same order), SIMILAR (in another order) or UNEQUAL."""
        if self == other:
            return IDENT
        return self.Get_group().Compare(other.Get_group()) or CONGRUENT

    def Free(self) -> None:
        """Frees the communicator, which is null then; the world is freed by the end of the run."""
        self._rank.call(lib.group_free, self._handle)
        self._fields().clear()

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

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("rank", "size", "name"):
            raise Ended("the communicator is null: it was freed, or this rank is no member")
        raise AttributeError(f"kport's communicators have no {name}; doc/manual/guides/python.md lists what they have")
