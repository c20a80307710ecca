"""The plugin of pytest, in runs of pytest of its own."""

import importlib.metadata

import pytest

# An installed package is a plugin by itself.
INSTALLED = any(point.name == "kport" for point in importlib.metadata.entry_points(group="pytest11"))
PLUGIN = [] if INSTALLED else ["-p", "kport.pytest_plugin"]
PROGRAM = """
    from mpi4py import MPI
    comm = MPI.COMM_WORLD

    def total(value):
        return comm.allreduce(value)
"""


@pytest.fixture
def run(pytester):
    def run(tests, *options):
        pytester.makepyfile(test_it=tests)
        return pytester.runpytest_inprocess(*PLUGIN, "-p", "no:cacheprovider", *options)

    return run


def test_code_for_mpi4py(pytester, run):
    pytester.makepyfile(program=PROGRAM)
    result = run(
        """
        import program, pytest

        @pytest.mark.ranks(4)
        def test_total(comm):
            assert program.total(comm.rank) == 6
        """,
        "--kport-mpi4py",
    )
    result.assert_outcomes(passed=1)


def test_fixtures_and_parameters(run):
    result = run(
        """
        import pytest

        @pytest.fixture
        def seven():
            return 7

        @pytest.mark.ranks(3)
        @pytest.mark.parametrize("x", [1, 2])
        def test_it(seven, comm, x):
            assert comm.allgather(x + seven) == [x + 7] * 3

        class TestThings:
            @pytest.mark.ranks(2, ports=1)
            def test_method(self, comm):
                assert comm.size == 2
        """
    )
    result.assert_outcomes(passed=3)


def test_failures_are_reported(run):
    result = run(
        """
        import pytest

        @pytest.mark.ranks(3)
        def test_assertion(comm):
            assert comm.rank < 2

        @pytest.mark.ranks(2)
        def test_deadlock(comm):
            comm.recv(source=1 - comm.rank)

        @pytest.mark.ranks(2)
        def test_skips(comm):
            pytest.skip("not today")

        @pytest.mark.ranks
        def test_says_no_number(comm):
            pass
        """
    )
    result.assert_outcomes(failed=3, skipped=1)
    result.stdout.no_fnmatch_line("*machine.py*")
    result.stdout.fnmatch_lines(["*assert 2 < 2*", "*Deadlock*0 waits for 1, 1 waits for 0*"])
    result.stdout.fnmatch_lines(["*needs one, the number of ranks*"])
