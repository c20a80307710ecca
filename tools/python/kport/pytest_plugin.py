"""A plugin of pytest: a test with `@pytest.mark.ranks(4)` runs on four ranks, each a thread.

The argument `comm` of such a test is the rank's communicator; MPI.COMM_WORLD is the same. All other arguments
are shared by the ranks. `kport_mpi4py = true` in pytest's configuration, or --kport-mpi4py, lets
`from mpi4py import MPI` in tests and in the tested code mean kport's MPI.
"""

from __future__ import annotations

from typing import Any

import pytest

from . import as_mpi4py
from .machine import run


def pytest_addoption(parser: pytest.Parser) -> None:
    help_text = "mpi4py is kport's MPI in this run"
    parser.getgroup("kport").addoption("--kport-mpi4py", action="store_true", help=help_text)
    parser.addini("kport_mpi4py", help_text, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "ranks(n, ports=0, time_limit=0, buffered=True, check_buffers=False): the test runs on n ranks of kport",
    )
    if config.getoption("--kport-mpi4py") or config.getini("kport_mpi4py"):
        as_mpi4py.install()


@pytest.fixture
def comm() -> Any:
    """The communicator of the rank that runs the test; it is filled in for each rank."""
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    mark = pyfuncitem.get_closest_marker("ranks")
    if mark is None:
        return None
    if len(mark.args) != 1:
        raise pytest.UsageError(f"@pytest.mark.ranks has the arguments {mark.args}; it needs one, the number of ranks")
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}

    __tracebackhide__ = True

    def program(world: Any) -> None:
        __tracebackhide__ = True
        own = dict(arguments, comm=world) if "comm" in arguments else arguments
        pyfuncitem.obj(**own)

    run(mark.args[0], program, **mark.kwargs)
    return True
