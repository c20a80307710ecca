"""Lets `from mpi4py import MPI` mean kport's MPI, in this process."""

from __future__ import annotations

import importlib.machinery
import sys
import types

from . import MPI


def install() -> None:
    """From now on `import mpi4py` gives a package whose module MPI is kport.MPI.

    A program that has imported the real mpi4py already would use two MPIs, so this raises ImportError.
    """
    there = sys.modules.get("mpi4py")
    if there is not None and getattr(there, "MPI", None) is not MPI:
        raise ImportError("mpi4py is imported already; kport takes its place only before that")
    package = types.ModuleType("mpi4py", "mpi4py's names, by kport")
    package.__path__ = []  # a package: it has a module MPI
    package.__spec__ = importlib.machinery.ModuleSpec("mpi4py", None, is_package=True)
    rc = types.SimpleNamespace(initialize=True, finalize=True, threads=True, thread_level="multiple")
    package.__dict__.update(MPI=MPI, rc=rc)
    sys.modules["mpi4py"], sys.modules["mpi4py.MPI"] = package, MPI


def uninstall() -> None:
    """Undoes `install`."""
    if getattr(sys.modules.get("mpi4py"), "MPI", None) is MPI:
        del sys.modules["mpi4py"], sys.modules["mpi4py.MPI"]
