"""The upper-case calls, each beside what it means, blocking and as a request."""

import array

import kport
import pytest
from kport import MPI


def ints(*values):
    return array.array("i", values)


def both(comm, name, *arguments):
    """A call, or what starts it and a wait: the caller's buffers are filled either way."""
    yield lambda *own: getattr(comm, name)(*own, *arguments)
    yield lambda *own: getattr(comm, "I" + name.lower())(*own, *arguments).Wait()


@pytest.mark.ranks(5)
def test_alltoall(comm):
    for call in both(comm, "Alltoall"):
        received = ints(*[0] * 5)
        call(ints(*(10 * comm.rank + j for j in range(5))), received)
        assert received.tolist() == [10 * i + comm.rank for i in range(5)]
        call(MPI.IN_PLACE, received)
        assert received.tolist() == [10 * comm.rank + j for j in range(5)]


@pytest.mark.ranks(5)
def test_allgather(comm):
    for call in both(comm, "Allgather"):
        received = ints(*[0] * 10)
        call(ints(comm.rank, -comm.rank), received)
        assert received.tolist() == [sign * i for i in range(5) for sign in (1, -1)]
        received[:] = ints(*([7] * 10))
        received[2 * comm.rank] = comm.rank
        call(MPI.IN_PLACE, received)
        assert received[::2].tolist() == list(range(5))


@pytest.mark.ranks(4)
def test_bcast(comm):
    for call in both(comm, "Bcast", 2):
        data = bytearray(b"root" if comm.rank == 2 else b"none")
        call(data)
        assert data == b"root"


@pytest.mark.ranks(3)
def test_bcast_of_what_cannot_be_written(comm):
    received = bytearray(4)
    comm.Bcast(b"root" if comm.rank == 0 else received, 0)
    assert comm.rank == 0 or received == b"root"


@pytest.mark.ranks(4)
def test_scatter_and_gather(comm):
    for scatter, gather in zip(both(comm, "Scatter", 1), both(comm, "Gather", 3)):
        mine = ints(0, 0)
        scatter(ints(*range(8)) if comm.rank == 1 else None, mine)
        assert mine.tolist() == [2 * comm.rank, 2 * comm.rank + 1]
        whole = ints(*[0] * 8) if comm.rank == 3 else None
        gather(mine, whole)
        assert whole is None or whole.tolist() == list(range(8))


@pytest.mark.ranks(4)
def test_scatter_and_gather_in_place(comm):
    whole = ints(*range(4)) if comm.rank == 0 else None
    mine = MPI.IN_PLACE if comm.rank == 0 else ints(0)
    comm.Scatter(whole, mine)
    if comm.rank != 0:
        mine[0] *= 10
    comm.Gather(mine, whole)
    assert comm.rank != 0 or whole.tolist() == [0, 10, 20, 30]


@pytest.mark.ranks(4)
def test_reduce(comm):
    for call in both(comm, "Reduce", MPI.SUM, 2):
        result = ints(0, 0) if comm.rank == 2 else None
        call(ints(comm.rank, 1), result)
        assert result is None or result.tolist() == [6, 4]
    data = ints(comm.rank + 1)
    comm.Reduce(MPI.IN_PLACE if comm.rank == 0 else data, data if comm.rank == 0 else None, MPI.PROD)
    assert data[0] == (24 if comm.rank == 0 else comm.rank + 1)


@pytest.mark.ranks(4)
@pytest.mark.parametrize("name, meant", [("SUM", 6), ("PROD", 0), ("MIN", 0), ("MAX", 3), ("BOR", 3), ("BXOR", 0)])
def test_allreduce(comm, name, meant):
    for call in both(comm, "Allreduce", getattr(MPI, name)):
        result = ints(0)
        call(ints(comm.rank), result)
        assert result[0] == meant
        result[0] = comm.rank
        call(MPI.IN_PLACE, result)
        assert result[0] == meant


@pytest.mark.ranks(3)
def test_reduce_scatter(comm):
    for call in both(comm, "Reduce_scatter_block"):
        result = ints(0, 0)
        call(ints(*range(6)), result)
        assert result.tolist() == [6 * comm.rank, 6 * comm.rank + 3]
    for call in both(comm, "Reduce_scatter", [1, 0, 2]):
        result = ints(*[0] * [1, 0, 2][comm.rank])
        call(ints(5, 6, 7), result)
        assert result.tolist() == [[15], [], [18, 21]][comm.rank]


@pytest.mark.ranks(3)
def test_in_place_has_three_names(comm):
    for name in (MPI.IN_PLACE, None, "the same"):
        data = ints(comm.rank)
        comm.Allreduce(data if name == "the same" else name, data)
        assert data[0] == 3
        data = ints(*[comm.rank] * 3)
        comm.Reduce_scatter(data if name == "the same" else name, data)
        assert data[0] == 3


@pytest.mark.ranks(3)
def test_reduce_scatter_asks_for_the_counts(comm):
    result = ints(*[0] * (comm.rank + 1))
    comm.Reduce_scatter(ints(*range(6)), result)
    assert result.tolist() == [[0], [3, 6], [9, 12, 15]][comm.rank]


@pytest.mark.ranks(5)
def test_scans(comm):
    for call in both(comm, "Scan"):
        result = ints(0)
        call(ints(comm.rank + 1), result)
        assert result[0] == sum(range(1, comm.rank + 2))
    for call in both(comm, "Exscan"):
        result = ints(-1)
        call(ints(comm.rank + 1), result)
        assert result[0] == (sum(range(1, comm.rank + 1)) if comm.rank else -1)


@pytest.mark.ranks(3)
def test_v_forms(comm):
    me, n = comm.rank, comm.size
    for call in both(comm, "Alltoallv"):
        received = ints(*[-1] * (3 * me))
        sent = ints(*(100 * me + j for j in range(n) for _ in range(j)))
        call([sent, [0, 1, 2]], [received, [me] * n])
        assert received.tolist() == [100 * i + me for i in range(n) for _ in range(me)]
    for call in both(comm, "Allgatherv"):
        received = ints(*[-1] * 8)
        call(ints(*[me] * (me + 1)), [received, ([1, 2, 3], [0, 2, 5])])
        assert received.tolist() == [0, -1, 1, 1, -1, 2, 2, 2]
    for scatter, gather in zip(both(comm, "Scatterv", 1), both(comm, "Gatherv", 1)):
        mine = ints(*[0] * me)
        scatter([ints(7, 8, 9), [0, 1, 2], MPI.INT] if me == 1 else None, mine)
        assert mine.tolist() == [[], [7], [8, 9]][me]
        whole = ints(0, 0, 0)
        gather(mine, [whole, [0, 1, 2], [0, 0, 1], MPI.INT] if me == 1 else None)
        assert me != 1 or whole.tolist() == [7, 8, 9]


@pytest.mark.ranks(4)
def test_many_requests(comm):
    results = [ints(0) for _ in range(10)]
    requests = [comm.Iallreduce(ints(i * comm.rank), results[i]) for i in range(10)]
    requests.append(comm.Ibarrier())
    MPI.Request.Waitall(requests)
    assert [result[0] for result in results] == [6 * i for i in range(10)]


@pytest.mark.ranks(4)
def test_own_operator(comm):
    def smaller_first(left, right, datatype):
        both_values = sorted(left.cast("i").tolist() + right.cast("i").tolist())
        right.cast("i")[:] = array.array("i", both_values[:1])

    result = ints(0)
    comm.Allreduce(ints(10 - comm.rank), result, MPI.Op.Create(smaller_first, commute=True))
    assert result[0] == 7


@pytest.mark.ranks(3)
def test_own_operator_in_the_order_of_the_ranks(comm):
    def second(left, right, _datatype):
        """Keeps what is in right."""

    def first(left, right, _datatype):
        right[:] = left

    for function, meant in ((first, 0), (second, 2)):
        result = ints(-1)
        comm.Allreduce(ints(comm.rank), result, MPI.Op.Create(function))
        assert result[0] == meant


def test_own_operator_that_raises():
    def program(comm):
        def fails(left, right, datatype):
            raise ZeroDivisionError("in the operator")

        comm.Allreduce(ints(1), ints(0), MPI.Op.Create(fails, commute=True))

    with pytest.raises(ZeroDivisionError, match="in the operator"):
        kport.run(2, program)


@pytest.mark.ranks(2)
def test_arguments_are_checked(comm):
    with pytest.raises(ValueError, match="3"):
        comm.Alltoall(bytes(3), bytearray(4))
    with pytest.raises(ValueError, match="bytes"):
        comm.Allgather(bytes(3), bytearray(4))
    with pytest.raises((BufferError, TypeError, ValueError)):
        comm.Recv(b"read only", 0)
    with pytest.raises(ValueError, match="not in a buffer of 4 bytes"):
        comm.Send([bytes(4), 5, MPI.BYTE], 0)
    with pytest.raises(ValueError, match="rank is 2"):
        comm.Send(b"", 2)
    with pytest.raises(AttributeError, match="Win_create"):
        comm.Win_create()


def test_refused_arguments_name_the_value():
    with pytest.raises(kport.ArgumentError, match="7"):
        kport.run(2, lambda comm: comm.Bcast(bytearray(4), 7))


@pytest.mark.ranks(4)
def test_numpy(comm):
    numpy = pytest.importorskip("numpy")
    sent = numpy.arange(8, dtype=numpy.float64) + 10 * comm.rank
    received = numpy.empty_like(sent)
    comm.Alltoall(sent, received)
    assert (received == [10 * i + 2 * comm.rank + j for i in range(4) for j in range(2)]).all()
    total = numpy.zeros((2, 2), dtype=numpy.complex128)
    comm.Allreduce(numpy.full((2, 2), 1 + 1j), total)
    assert (total == 4 + 4j).all()
    pairs = numpy.array([(1.5 - comm.rank, comm.rank)], dtype=[("value", "f8"), ("index", "i4")])
    if pairs.itemsize == 12:
        pairs = pairs.astype(numpy.dtype([("value", "f8"), ("index", "i4")], align=True))
    least = numpy.empty_like(pairs)
    comm.Allreduce([pairs, MPI.DOUBLE_INT], [least, MPI.DOUBLE_INT], MPI.MINLOC)
    assert least[0]["index"] == 3
    with pytest.raises((ValueError, BufferError)):
        comm.Send(numpy.arange(10)[::2], 0)


@pytest.mark.ranks(4)
def test_numpy_scalars_as_counts(comm):
    numpy = pytest.importorskip("numpy")
    counts = numpy.arange(1, 5)
    received = numpy.empty(10, dtype="i4")
    comm.Allgatherv(numpy.full(comm.rank + 1, comm.rank, dtype="i4"), [received, counts])
    assert received.tolist() == [i for i in range(4) for _ in range(i + 1)]
