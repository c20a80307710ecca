"""libkport by ctypes: where it is, its structures, and the types of its functions.

ctypes releases Python's lock during each call, so the threads of a machine run beside each other in kport.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
import shutil
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_long,
    c_size_t,
    c_uint,
    c_uint64,
    c_void_p,
)
from typing import Any

from .errors import Error

HEADERS = b"0.1.0"  # KP_HEADERS of the headers that this file describes
PARAMETERS = 4
BUILTINS = 13
IN_PLACE = c_void_p(-1).value


class ErrorRecord(Structure):
    _fields_ = [
        ("status", c_int), ("processor", c_int), ("round", c_int), ("port", c_int), ("peer", c_int),
        ("line", c_int), ("file", c_char_p), ("sentence", c_char * 512),
    ]  # fmt: skip


class Problem(Structure):
    _fields_ = [
        ("operation", c_int), ("n", c_int), ("k", c_int), ("per_process", c_int), ("b", c_size_t),
        ("root", c_int), ("target", c_int), ("in_place", c_int), ("type", c_int), ("op", c_void_p),
        ("algorithm", c_void_p), ("values", c_long * PARAMETERS), ("rank", c_int), ("same_order", c_int),
    ]  # fmt: skip


class Piece(Structure):
    _fields_ = [
        ("space", c_int), ("first", c_int64), ("count", c_int64), ("stride", c_int64), ("run", c_int64),
    ]  # fmt: skip


class Message(Structure):
    _fields_ = [
        ("port", c_int), ("peer", c_int), ("pieces", POINTER(Piece)), ("piece_count", c_int),
        ("units", c_int64), ("row", c_int64), ("combining", c_int), ("operand", POINTER(Piece)),
        ("operand_count", c_int),
    ]  # fmt: skip


class Move(Structure):
    _fields_ = [("source", Piece), ("to", Piece), ("combining", c_int)]


class Cost(Structure):
    _fields_ = [("c1", c_uint64), ("c2", c_uint64), ("messages", c_uint64), ("bytes", c_uint64)]


class Parameter(Structure):
    _fields_ = [
        ("name", c_char_p), ("summary", c_char_p), ("range", c_char_p), ("low", c_void_p), ("high", c_void_p),
        ("words", c_void_p),
    ]  # fmt: skip


SERVES = CFUNCTYPE(c_void_p, POINTER(Problem))
BUILD = CFUNCTYPE(c_int, c_void_p, POINTER(Problem))


class Algorithm(Structure):
    _fields_ = [
        ("operation", c_int), ("name", c_char_p), ("summary", c_char_p), ("source", c_char_p),
        ("symmetry", c_int), ("parameters", Parameter * (PARAMETERS + 1)), ("restriction", c_char_p),
        ("serves", SERVES), ("splits", c_void_p), ("build", BUILD), ("mirror_of", c_void_p),
        ("and_back", c_int), ("own_root", c_int), ("same_schedule_as", c_void_p), ("length_bytes", c_int),
        ("pads", c_int), ("stated_cost", c_void_p), ("stated_between", c_void_p), ("same_order", c_int),
    ]  # fmt: skip


class Hints(Structure):
    _fields_ = [("algorithm", c_void_p), ("values", c_long * PARAMETERS), ("trusted", c_int), ("flags", c_int)]


COMBINE = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p)


class Operator(Structure):
    _fields_ = [
        ("name", c_char_p), ("combine", COMBINE), ("context", c_void_p), ("element_bytes", c_size_t),
        ("commutative", c_int),
    ]  # fmt: skip


ON_FAILURE = CFUNCTYPE(None, c_void_p, c_void_p)
PROGRAM = CFUNCTYPE(c_int, c_void_p, c_void_p)


class Config(Structure):
    _fields_ = [
        ("processors", c_int), ("ports", c_int), ("stack_bytes", c_size_t), ("pin", c_int), ("wait", c_int),
        ("time_limit_ms", c_uint), ("eager_bytes", c_size_t), ("discipline", c_int), ("generations", c_int),
        ("message_eager_bytes", c_size_t), ("unreceived_bytes", c_size_t), ("plan_bytes", c_size_t),
        ("beta_us", c_double), ("tau_us", c_double), ("tuning", c_int), ("profile", c_void_p),
        ("carrier", c_int), ("workers", c_int), ("seed", c_uint64), ("on_failure", ON_FAILURE),
        ("on_failure_arg", c_void_p), ("trace", c_void_p), ("progress", c_int), ("check_buffers", c_int),
        ("per_process", c_int), ("mpi_comm", c_void_p), ("cpus", c_char_p),
    ]  # fmt: skip


class RunReport(Structure):
    _fields_ = [("error", ErrorRecord), ("started", c_int), ("c1", c_uint64), ("c2", c_uint64)]


class MessageStatus(Structure):
    _fields_ = [("source", c_int), ("tag", c_int), ("bytes", c_size_t)]


_P, _I, _S = c_void_p, c_int, c_size_t
_SIZES = POINTER(c_size_t)
_HINTS = POINTER(Hints)
_RECORD = POINTER(ErrorRecord)
_REQUESTS = POINTER(c_void_p)
_REDUCED: list = [_P, _P, _P, _S, _I, _P]  # group, out, in, count, type, operator

# The calls of a member that have a form with a request, as kp_NAME and kp_NAME_start.
COLLECTIVES: dict[str, list] = {
    "barrier": [_P],
    "index": [_P, _P, _P, _S, _HINTS],
    "concat": [_P, _P, _P, _S, _HINTS],
    "broadcast": [_P, _P, _S, _I, _HINTS],
    "scatter": [_P, _P, _P, _S, _I, _HINTS],
    "gather": [_P, _P, _P, _S, _I, _HINTS],
    "reduce": [*_REDUCED, _I, _HINTS],
    "allreduce": [*_REDUCED, _HINTS],
    "reduce_scatter": [*_REDUCED, _HINTS],
    "scan": [*_REDUCED, _HINTS],
    "scan_exclusive": [*_REDUCED, _HINTS],
    "reduce_scatterv": [_P, _P, _P, _SIZES, _I, _P, _HINTS],
    "indexv": [_P, _P, _SIZES, _SIZES, _P, _SIZES, _SIZES, _HINTS],
    "concatv": [_P, _P, _S, _P, _SIZES, _SIZES, _HINTS],
    "scatterv": [_P, _P, _SIZES, _SIZES, _P, _S, _I, _HINTS],
    "gatherv": [_P, _P, _S, _P, _SIZES, _SIZES, _I, _HINTS],
}
FUNCTIONS: dict[str, tuple[Any, list]] = {
    "last_error": (_RECORD, []),
    "error": (_RECORD, [_P]),
    "strerror": (c_char_p, [_I]),
    "version": (c_char_p, []),
    "here": (None, [c_char_p, _I]),
    "run": (_I, [POINTER(Config), PROGRAM, _P, POINTER(RunReport)]),
    "fail": (_I, [_P, c_char_p]),
    "world": (_P, [_P]),
    "processor": (_I, [_P]),
    "group_create": (_I, [_P, POINTER(c_int), _I, _REQUESTS]),
    "group_dup": (_I, [_P, _REQUESTS]),
    "group_free": (_I, [_P]),
    "rank": (_I, [_P]),
    "size": (_I, [_P]),
    "group_processor": (_I, [_P, _I]),
    "diagnosis_text": (_S, [_P, _P, _S]),
    "send": (_I, [_P, _P, _S, _I, _I]),
    "receive": (_I, [_P, _P, _S, _I, _I, POINTER(MessageStatus)]),
    "exchange_messages": (_I, [_P, _P, _S, _I, _I, _P, _S, _I, _I, POINTER(MessageStatus)]),
    "probe": (_I, [_P, _I, _I, POINTER(MessageStatus)]),
    "probe_now": (_I, [_P, _I, _I, POINTER(c_int), POINTER(MessageStatus)]),
    "send_start": (_I, [_P, _P, _S, _I, _I, _REQUESTS]),
    "receive_start": (_I, [_P, _P, _S, _I, _I, POINTER(MessageStatus), _REQUESTS]),
    "test": (_I, [_REQUESTS, POINTER(c_int)]),
    "wait": (_I, [_REQUESTS]),
    "wait_any": (_I, [_I, _REQUESTS, POINTER(c_int)]),
    "wait_some": (_I, [_I, _REQUESTS, POINTER(c_int), POINTER(c_int)]),
    "hints_parse": (_I, [_I, c_char_p, POINTER(Hints)]),
    "operation_name": (c_char_p, [_I]),
    "problem_parse": (_I, [c_char_p, POINTER(Problem)]),
    "problem_format": (_I, [POINTER(Problem), _P, _S]),
    "tune": (_I, [POINTER(Problem), _P]),
    "schedule_build": (_I, [POINTER(Problem), _REQUESTS]),
    "schedule_free": (None, [_P]),
    "schedule_problem": (POINTER(Problem), [_P]),
    "schedule_rounds": (_I, [_P]),
    "schedule_units": (c_int64, [_P, _I]),
    "schedule_unit_of_block": (c_int64, [_P]),
    "schedule_sends": (_I, [_P, _I, _I]),
    "schedule_receives": (_I, [_P, _I, _I]),
    "schedule_send": (Message, [_P, _I, _I, _I]),
    "schedule_receive": (Message, [_P, _I, _I, _I]),
    "schedule_moves": (_I, [_P, _I, _I]),
    "schedule_move": (Move, [_P, _I, _I, _I]),
    "schedule_place": (c_int64, [_P, _I, _I, c_int64]),
    "schedule_check": (_I, [_P, _RECORD]),
    "schedule_cost": (Cost, [_P, _S]),
    "bound_c1": (c_uint64, [_I, _I, _I]),
    "bound_c2": (c_uint64, [_I, _I, _I, _S]),
    "build_scratch": (None, [_P, c_int64]),
    "build_round": (None, [_P]),
    "build_send": (None, [_P, _I, _I]),
    "build_receive": (None, [_P, _I, _I]),
    "build_piece": (None, [_P, Piece]),
    "build_combine": (None, [_P, _I, _I, _I]),
    "build_operand": (None, [_P, Piece]),
    "build_fold": (None, [_P, Piece, Piece, _I]),
    "build_move": (None, [_P, Piece, Piece]),
    "algorithm_at": (POINTER(Algorithm), [_I]),
    "algorithm_find": (POINTER(Algorithm), [_I, c_char_p]),
    "algorithm_register": (_I, [POINTER(Algorithm), c_char_p, _S]),
    "algorithm_unregister": (_I, [POINTER(Algorithm)]),
}


class Library:
    """The functions of libkport, without their prefix: kp_run is `run`."""

    def __init__(self, path: str) -> None:
        self.path = path
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in FUNCTIONS.items():
            self._declare(loaded, name, result, arguments)
        for name, arguments in COLLECTIVES.items():
            self._declare(loaded, name, c_int, arguments)
            self._declare(loaded, name + "_start", c_int, [*arguments, _REQUESTS])
        self.operators = (Operator * BUILTINS).in_dll(loaded, "kp_builtin_operators")
        version = self.version()
        if version != HEADERS:
            raise ImportError(f"{path} is kport {version.decode()}; this package needs {HEADERS.decode()}")

    def _declare(self, loaded: ctypes.CDLL, name: str, result: Any, arguments: list) -> None:
        function = getattr(loaded, "kp_" + name)
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)

    def __getattr__(self, name: str):
        raise AttributeError(f"libkport has no kp_{name}")


def _beside(name: str) -> str | None:
    path = pathlib.Path(__file__).with_name(name)
    return str(path) if path.exists() else None


def find_library() -> str:
    """KPORT_LIBRARY, or the library of this package, or an installed one."""
    found = os.environ.get("KPORT_LIBRARY") or _beside("libkport.so") or ctypes.util.find_library("kport")
    if not found:
        raise ImportError("libkport.so is not found; KPORT_LIBRARY may name it")
    return found


def find_program() -> str:
    """KPORT_PROGRAM, or the program of this package, or an installed one."""
    found = os.environ.get("KPORT_PROGRAM") or _beside("kport-program") or shutil.which("kport")
    if not found:
        raise Error("the program kport is not found; KPORT_PROGRAM may name it")
    return os.path.abspath(found)  # it may be started in another folder


lib = Library(find_library())
