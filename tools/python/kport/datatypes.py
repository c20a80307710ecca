"""Datatypes, operators, and the buffers of calls, written as mpi4py has them.

A buffer is any object with Python's buffer protocol (bytearray, array.array, memoryview, ctypes and NumPy
arrays), or a list: [data, datatype], [data, count], [data, count, datatype], [data, (counts, displacements),
datatype], [data, counts, displacements, datatype].
"""

from __future__ import annotations

import ctypes
import operator
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from . import _library as L
from ._library import lib


class _InPlace:
    def __repr__(self) -> str:
        return "IN_PLACE"


IN_PLACE = _InPlace()
"""In place of an outgoing buffer: the data already lie in the incoming one."""


class Datatype:
    """A type of elements. `kp_type` is its number in include/kport/operator.h."""

    def __init__(self, name: str, size: int, kp_type: int) -> None:
        self.name, self.size, self.extent, self.kp_type = "MPI_" + name, size, size, kp_type

    def __repr__(self) -> str:
        return f"<kport.MPI.Datatype {self.name}>"

    def Get_name(self) -> str:
        return self.name

    def Get_size(self) -> int:
        return self.size

    def Get_extent(self) -> tuple[int, int]:
        return 0, self.extent

    def Commit(self) -> Datatype:
        return self

    def Free(self) -> None:
        pass


# Name, type in C, kport's type, codes of the buffer protocol, of array.array and of NumPy.
_TABLE: list[tuple[str, Any, int, str]] = [
    ("BYTE", ctypes.c_ubyte, 0, ""),
    ("CHAR", ctypes.c_byte, 4, "c"),
    ("SIGNED_CHAR", ctypes.c_byte, 4, "b i1"),
    ("UNSIGNED_CHAR", ctypes.c_ubyte, 0, "B u1"),
    ("SHORT", ctypes.c_short, 5, "h i2"),
    ("UNSIGNED_SHORT", ctypes.c_ushort, 1, "H u2"),
    ("INT", ctypes.c_int, 6, "i i4"),
    ("UNSIGNED", ctypes.c_uint, 2, "I u4"),
    ("LONG", ctypes.c_long, 7 if ctypes.sizeof(ctypes.c_long) == 8 else 6, "l"),
    ("UNSIGNED_LONG", ctypes.c_ulong, 3 if ctypes.sizeof(ctypes.c_long) == 8 else 2, "L"),
    ("LONG_LONG", ctypes.c_longlong, 7, "q i8"),
    ("UNSIGNED_LONG_LONG", ctypes.c_ulonglong, 3, "Q u8"),
    ("FLOAT", ctypes.c_float, 8, "f f4"),
    ("DOUBLE", ctypes.c_double, 9, "d f8"),
    ("LONG_DOUBLE", ctypes.c_longdouble, 11, "g"),
    ("C_BOOL", ctypes.c_bool, 15, "? b1"),
    ("C_FLOAT_COMPLEX", ctypes.c_float * 2, 12, "F Zf c8"),
    ("C_DOUBLE_COMPLEX", ctypes.c_double * 2, 13, "D Zd c16"),
    ("C_LONG_DOUBLE_COMPLEX", ctypes.c_longdouble * 2, 14, "G Zg"),
    ("INT8_T", ctypes.c_int8, 4, ""),
    ("INT16_T", ctypes.c_int16, 5, ""),
    ("INT32_T", ctypes.c_int32, 6, ""),
    ("INT64_T", ctypes.c_int64, 7, ""),
    ("UINT8_T", ctypes.c_uint8, 0, ""),
    ("UINT16_T", ctypes.c_uint16, 1, ""),
    ("UINT32_T", ctypes.c_uint32, 2, ""),
    ("UINT64_T", ctypes.c_uint64, 3, ""),
]


def _pair(value: Any) -> Any:
    return type("_Pair", (ctypes.Structure,), {"_fields_": [("value", value), ("index", ctypes.c_int)]})


_PAIRS: list[tuple[str, Any, int]] = [
    ("SHORT_INT", ctypes.c_int16, 16),
    ("TWOINT", ctypes.c_int32, 17),
    ("LONG_INT", ctypes.c_int64, 18),
    ("FLOAT_INT", ctypes.c_float, 19),
    ("DOUBLE_INT", ctypes.c_double, 20),
    ("LONG_DOUBLE_INT", ctypes.c_longdouble, 21),
]

DATATYPES = {name: Datatype(name, ctypes.sizeof(kind), number) for name, kind, number, _ in _TABLE}
DATATYPES |= {name: Datatype(name, ctypes.sizeof(_pair(kind)), number) for name, kind, number in _PAIRS}
ALIASES = {
    "BOOL": "C_BOOL", "UNSIGNED_INT": "UNSIGNED", "INT_INT": "TWOINT", "COMPLEX": "C_FLOAT_COMPLEX",
    "C_COMPLEX": "C_FLOAT_COMPLEX", "DOUBLE_COMPLEX": "C_DOUBLE_COMPLEX",
}  # fmt: skip
_BY_CODE = {code: DATATYPES[name] for name, _, _, codes in _TABLE for code in codes.split()}
BYTE = DATATYPES["BYTE"]


def datatype_of(code: str) -> Datatype:
    """The datatype of a code, such as "d" or "i4"."""
    native = "<" if sys.byteorder == "little" else ">"
    found = _BY_CODE.get(code.lstrip("@=" + native))
    if found is None:
        raise TypeError(f'no datatype has the code "{code}"; there are: {" ".join(_BY_CODE)}')
    return found


class _View(ctypes.Structure):
    """Py_buffer, which keeps an object's memory where it is as long as the view exists."""

    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    ]  # fmt: skip

    WRITABLE, FORMAT, ANY_CONTIGUOUS = 0x1, 0x4, 0x98

    def __init__(self, data: Any, writable: bool) -> None:
        super().__init__()
        flags = self.ANY_CONTIGUOUS | self.FORMAT | (self.WRITABLE if writable else 0)
        _get_buffer(data, ctypes.byref(self), flags)

    def __del__(self) -> None:
        if self.obj:
            _release_buffer(ctypes.byref(self))


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(_View), ctypes.c_int]
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes, _release_buffer.restype = [ctypes.POINTER(_View)], None


class Buffer:
    """A buffer of a call: where it lies, its datatype, and how many elements a block has.

    `blocks` is how many blocks the call needs; without a count the elements are divided among them.
    """

    def __init__(self, message: Any, writable: bool, blocks: int = 1) -> None:
        data, count, displacement, datatype = _unpack(message)
        self._set(data, datatype, writable)
        size = self.datatype.size
        offset = (displacement or 0) * size
        if count is None:
            elements, rest = divmod(max(0, self.length - offset), size)
            if rest or elements % blocks:
                raise ValueError(f"a buffer of {self.length} bytes is not {blocks} blocks of elements of {size} bytes")
            count = elements // blocks
        _within(offset, blocks * count * size, self.length)
        self.address += offset
        self.count: int = operator.index(count)
        self.bytes = self.count * size

    def _set(self, data: Any, datatype: Any, writable: bool) -> None:
        self.view = None if data is None else _View(data, writable)
        self.length: int = self.view.len if self.view else 0
        # Of an empty buffer some objects give an address that no element could have.
        self.address: int = (self.view.buf or 0) if self.view and self.length else 0
        if datatype is None:
            code = self.view.format.decode() if self.view and self.view.format else "B"
            # Bytes have no other code of their own.
            datatype = BYTE if code == "B" and not hasattr(data, "dtype") else datatype_of(code)
        self.datatype: Datatype = datatype_of(datatype) if isinstance(datatype, str) else datatype


class BlocksBuffer(Buffer):
    """A buffer of a v form: n blocks with lengths and places of their own. kport counts in bytes."""

    def __init__(self, message: Any, writable: bool, blocks: int) -> None:
        data, counts, displacements, datatype = _unpack(message)
        self._set(data, datatype, writable)
        size = self.datatype.size
        if counts is None:
            elements = self.length // size
            counts = [elements // blocks + (i < elements % blocks) for i in range(blocks)]
        counts = _numbers(counts, blocks, "counts", lambda value, i: value)
        if displacements is None:
            displacements = [sum(counts[:i]) for i in range(blocks)]
        displacements = _numbers(displacements, blocks, "displacements", lambda value, i: value * i)
        for count, displacement in zip(counts, displacements):
            _within(displacement * size, count * size, self.length)
        sizes = ctypes.c_size_t * blocks
        self.counts = sizes(*(count * size for count in counts))
        self.displacements = sizes(*(displacement * size for displacement in displacements))


def _numbers(given: Any, blocks: int, name: str, of: Callable[[int, int], int]) -> list[int]:
    if not isinstance(given, Sequence) and not hasattr(given, "__len__"):
        value = operator.index(given)
        return [of(value, i) for i in range(blocks)]
    numbers = [operator.index(value) for value in given]
    if len(numbers) != blocks:
        raise ValueError(f"there are {len(numbers)} {name}; the call needs {blocks}")
    return numbers


def _within(offset: int, length: int, whole: int) -> None:
    if offset < 0 or length < 0 or (length > 0 and offset + length > whole):
        raise ValueError(f"bytes {offset} ... {offset + length} are not in a buffer of {whole} bytes")


def _unpack(message: Any) -> tuple[Any, Any, Any, Any]:
    """Data, count or counts, displacement or displacements, datatype; what is not given is None."""
    if not isinstance(message, (list, tuple)):
        return message, None, None, None
    if not 1 <= len(message) <= 4:
        raise ValueError(f"a buffer's list has {len(message)} items; it may have 1 ... 4")
    data, *rest = message
    datatype = rest.pop() if rest and isinstance(rest[-1], (Datatype, str)) else None
    if len(rest) == 1 and isinstance(rest[0], tuple):
        rest = list(rest[0])
    count, displacement, *more = [*rest, None, None]
    if any(item is not None for item in more):
        raise ValueError("a buffer's list is [data, count, displacement, datatype]")
    return data, count, displacement, datatype


class Op:
    """An operator of a reduction. Called with two values, it combines them."""

    def __init__(self, name: str, function: Callable, builtin: int | None, commute: bool = True) -> None:
        self.name, self._function, self._builtin, self._commute = name, function, builtin, commute
        self._of_type: dict[Datatype, L.Operator] = {}

    def __repr__(self) -> str:
        return f"<kport.MPI.Op {self.name}>"

    def __call__(self, left: Any, right: Any) -> Any:
        return self._function(left, right)

    @classmethod
    def Create(cls, function: Callable[[memoryview, memoryview, Datatype], None], commute: bool = False) -> Op:
        """An operator of the user's own: function(inbuf, inoutbuf, datatype) stores inbuf op inoutbuf in
        inoutbuf. Both are memoryviews of bytes. Ranks call it at the same time."""
        return cls(getattr(function, "__qualname__", "user"), function, None, commute)

    def Is_commutative(self) -> bool:
        return self._commute

    def Free(self) -> None:
        pass

    def pointer(self, datatype: Datatype) -> int:
        """The address of kport's operator for these elements. It stays, because kport keeps it with a call."""
        if self._builtin is not None:
            return ctypes.addressof(lib.operators[self._builtin])
        if datatype not in self._of_type:
            _combined_by.append((self, datatype))
            # kport tells operators apart by their names; their contexts are each rank's own.
            made = L.Operator(self.name.encode(), _combine, len(_combined_by), 0, self._commute)
            self._of_type[datatype] = made
        return ctypes.addressof(self._of_type[datatype])

    def combine(self, to: int, left: int, right: int, count: int, datatype: Datatype) -> None:
        """Stores `left op right` at `to`, which may be one of the two."""
        length = count * datatype.size
        before = ctypes.string_at(left, length)
        if to != right:
            ctypes.memmove(to, right, length)
        result = (ctypes.c_char * length).from_address(to)
        self._function(memoryview(before), memoryview(result).cast("B"), datatype)


_combined_by: list[tuple[Op, Datatype]] = []
of_thread = threading.local()
"""`failure`: what an operator has raised on this thread. An exception cannot pass through kport."""


@L.COMBINE
def _combine(to: int, left: int, right: int, count: int, context: int) -> None:
    op, datatype = _combined_by[context - 1]
    try:
        op.combine(to, left, right, count, datatype)
    except BaseException as failure:
        of_thread.failure = failure


def _chosen(better: Callable[[Any, Any], bool]) -> Callable:
    """MINLOC and MAXLOC of pairs (value, index): of equal values the lower index."""

    def choose(left: tuple, right: tuple) -> tuple:
        if left[0] == right[0]:
            return left if left[1] <= right[1] else right
        return left if better(left[0], right[0]) else right

    return choose


# In the order of kp_builtin in include/kport/operator.h.
_OPERATORS: list[tuple[str, Callable]] = [
    ("SUM", operator.add),
    ("PROD", operator.mul),
    ("MIN", min),
    ("MAX", max),
    ("LAND", lambda left, right: bool(left) and bool(right)),
    ("LOR", lambda left, right: bool(left) or bool(right)),
    ("LXOR", lambda left, right: bool(left) != bool(right)),
    ("BAND", operator.and_),
    ("BOR", operator.or_),
    ("BXOR", operator.xor),
    ("COMPOSE", lambda left, right: (left[0] * right[0], right[0] * left[1] + right[1])),
    ("MINLOC", _chosen(operator.lt)),
    ("MAXLOC", _chosen(operator.gt)),
]
OPERATORS = {name: Op(name, function, number, name != "COMPOSE") for number, (name, function) in enumerate(_OPERATORS)}
SUM = OPERATORS["SUM"]
