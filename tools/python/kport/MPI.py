"""The names of mpi4py's module MPI, for ranks that are threads of this process.

COMM_WORLD and COMM_SELF are those of the calling thread's rank (kport.run, @pytest.mark.ranks). What kport has
not raises AttributeError, so that no program runs with something else than it asks for.
"""

from __future__ import annotations

import pickle
import platform
import time
from typing import Any

from .communicator import Comm
from .datatypes import ALIASES, DATATYPES, IN_PLACE, OPERATORS, Datatype, Op
from .errors import Error as Exception
from .groups import CONGRUENT, IDENT, SIMILAR, UNEQUAL, Group
from .ranks import current
from .requests import ANY_SOURCE, ANY_TAG, PROC_NULL, TAG_UB, UNDEFINED, Request, Status

Intracomm = Comm
COMM_NULL = Comm()
REQUEST_NULL = Request()
GROUP_EMPTY = Group()
GROUP_NULL = None
DATATYPE_NULL = None
OP_NULL = None
INFO_NULL = None
BOTTOM = None
SUCCESS = 0
MAX_PROCESSOR_NAME = 256
THREAD_SINGLE, THREAD_FUNNELED, THREAD_SERIALIZED, THREAD_MULTIPLE = range(4)

(
    BYTE, CHAR, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED, LONG, UNSIGNED_LONG, LONG_LONG,
    UNSIGNED_LONG_LONG, FLOAT, DOUBLE, LONG_DOUBLE, C_BOOL, C_FLOAT_COMPLEX, C_DOUBLE_COMPLEX,
    C_LONG_DOUBLE_COMPLEX, INT8_T, INT16_T, INT32_T, INT64_T, UINT8_T, UINT16_T, UINT32_T, UINT64_T,
    SHORT_INT, TWOINT, LONG_INT, FLOAT_INT, DOUBLE_INT, LONG_DOUBLE_INT,
) = DATATYPES.values()  # fmt: skip
BOOL, UNSIGNED_INT, INT_INT, COMPLEX, C_COMPLEX, DOUBLE_COMPLEX = (DATATYPES[name] for name in ALIASES.values())
SUM, PROD, MIN, MAX, LAND, LOR, LXOR, BAND, BOR, BXOR, COMPOSE, MINLOC, MAXLOC = OPERATORS.values()


class _OfThisRank:
    """Stands for a communicator of whichever rank uses it, so that modules may keep it in a variable."""

    def __init__(self, name: str, attribute: str) -> None:
        self.__dict__["_name"], self.__dict__["_attribute"] = name, attribute

    def _meant(self) -> Comm:
        rank = current()
        if rank.alone is None and self._attribute == "alone":
            rank.alone = Comm._of(rank, rank.group((rank.number,)), "COMM_SELF")
        return getattr(rank, self._attribute)

    def _fields(self) -> dict[str, Any]:
        return self._meant()._fields()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._meant(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._meant(), name, value)

    def __repr__(self) -> str:
        return f"<kport.MPI.{self._name}>"

    def __eq__(self, other: object) -> bool:
        return other is self or self._meant() == other

    def __bool__(self) -> bool:
        return True

    __hash__ = object.__hash__
    # isinstance(MPI.COMM_WORLD, MPI.Comm) holds.
    __class__ = property(lambda self: Comm)  # type: ignore[assignment]


COMM_WORLD: Comm = _OfThisRank("COMM_WORLD", "world")  # type: ignore[assignment]
COMM_SELF: Comm = _OfThisRank("COMM_SELF", "alone")  # type: ignore[assignment]


def Init() -> None:
    """Does nothing: a rank begins with its thread."""


def Init_thread(required: int = THREAD_MULTIPLE) -> int:
    return THREAD_SINGLE


def Finalize() -> None:
    """Does nothing: a rank ends with its thread."""


def Is_initialized() -> bool:
    return True


def Is_finalized() -> bool:
    return False


def Query_thread() -> int:
    """Each communicator is used by the thread of its rank only."""
    return THREAD_SINGLE


def Is_thread_main() -> bool:
    return True


def Get_processor_name() -> str:
    return platform.node()


def Get_library_version() -> str:
    from . import __version__

    return f"kport {__version__}"


def get_vendor() -> tuple[str, tuple[int, int, int]]:
    from . import __version__

    major, minor, micro = map(int, __version__.split("."))
    return "kport", (major, minor, micro)


def Get_version() -> tuple[int, int]:
    return 4, 0


def Wtime() -> float:
    return time.perf_counter()


def Wtick() -> float:
    return time.get_clock_info("perf_counter").resolution
