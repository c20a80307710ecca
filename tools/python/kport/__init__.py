"""kport in Python: schedules of collective algorithms, and machines whose ranks are threads.

    >>> import kport
    >>> kport.schedule("index:n=8,k=2,b=1").check().cost().c1
    2
    >>> kport.run(4, lambda comm: comm.allreduce(comm.rank)).results
    [6, 6, 6, 6]

doc/manual/guides/python.md explains it.
"""

from . import errors
from ._library import lib as _lib
from .algorithms import IN, OUT, SCRATCH, Algorithm, Problem, algorithm, message, move
from .communicator import Comm
from .datatypes import IN_PLACE, Datatype, Op
from .errors import (
    AlgorithmError,
    ArgumentError,
    Busy,
    Deadlock,
    Ended,
    Error,
    Failed,
    LengthError,
    Lost,
    Mismatch,
    MissingMessage,
    PeerError,
    PortError,
    ProblemError,
    ScheduleError,
    TimeLimit,
    Unchecked,
    Unserved,
    UntakenMessage,
    Unwaited,
    WrongThread,
)
from .machine import Report, run
from .requests import ANY_SOURCE, ANY_TAG, PROC_NULL, UNDEFINED, Request, Status
from .schedules import Cost, Message, Move, Piece, Schedule, schedule

__version__: str = _lib.version().decode()
