"""The module MPI: messages, lower-case calls, requests, communicators."""

import array

import kport
import pytest
from kport import MPI

world = MPI.COMM_WORLD  # of whichever rank uses it


@pytest.mark.ranks(4)
def test_world_is_that_of_the_rank(comm):
    assert world.Get_rank() == comm.rank and world.size == 4 and world == comm
    assert isinstance(world, MPI.Comm) and isinstance(comm, MPI.Intracomm)
    assert MPI.COMM_SELF.Get_size() == 1 and MPI.COMM_SELF.allgather(comm.rank) == [comm.rank]


def test_no_rank_has_no_world():
    with pytest.raises(MPI.Exception, match="this thread is no rank"):
        world.Get_rank()


@pytest.mark.ranks(3)
def test_messages_of_buffers(comm):
    me, right, left = comm.rank, (comm.rank + 1) % 3, (comm.rank + 2) % 3
    status = MPI.Status()
    received = array.array("d", [0, 0, 0])
    request = comm.Isend(array.array("d", [me, me]), right, tag=5)
    comm.Probe(left, MPI.ANY_TAG, status)
    assert (status.Get_source(), status.Get_tag(), status.Get_count(MPI.DOUBLE)) == (left, 5, 2)
    comm.Recv(received, MPI.ANY_SOURCE, 5, status)
    request.Wait()
    assert received.tolist() == [left, left, 0] and status.source == left and status.count == 16
    comm.Sendrecv(array.array("d", [10 * me]), right, 1, [received, 1, MPI.DOUBLE], left, 1, status)
    assert received[0] == 10 * left and status.Get_elements(MPI.DOUBLE) == 1
    comm.Sendrecv_replace(received, left, 2, right, 2)
    assert received[0] == 10 * me
    assert not comm.Iprobe()
    comm.Barrier()


@pytest.mark.ranks(2)
def test_requests(comm):
    if comm.rank == 0:
        for tag in (3, 2, 1, 0):
            comm.Send(bytes([tag]), 1, tag)
        comm.Barrier()
        return
    data = [bytearray(1) for _ in range(4)]
    requests = [comm.Irecv(data[tag], 0, tag) for tag in range(4)]
    comm.Barrier()
    status = MPI.Status()
    assert MPI.Request.Waitany(requests, status) == 0 and status.tag == 0
    assert requests[1].Test() and not requests[1]
    statuses = []
    assert MPI.Request.Testall(requests, statuses) and len(statuses) == 4
    assert [bytes(item) for item in data] == [b"\0", b"\1", b"\2", b"\3"]
    assert MPI.Request.Waitany(requests) == MPI.UNDEFINED
    assert MPI.Request.Waitsome(requests) is None


@pytest.mark.ranks(2)
def test_waitsome(comm):
    if comm.rank == 0:
        comm.send("now", 1, 1)
        comm.recv(source=1)
        comm.send("later", 1, 2)
    else:
        requests = [comm.irecv(source=0, tag=2), comm.irecv(source=0, tag=1)]
        assert MPI.Request.Waitsome(requests) == [1]
        comm.send(None, 0)
        assert MPI.Request.Waitsome(requests) == [0]


@pytest.mark.ranks(2)
def test_testing_ends_all_or_none(comm):
    if comm.rank == 0:
        comm.send("first", 1, 0)
        comm.recv(source=1)
        comm.send("second", 1, 1)
        return
    requests = [comm.irecv(source=0, tag=0), comm.irecv(source=0, tag=1)]
    while not requests[0]._look():
        pass
    assert MPI.Request.testall(requests) == (False, None) and all(requests)
    assert MPI.Request.testany(requests) == (0, True, "first") and not requests[0]
    assert MPI.Request.Testany(requests) == (MPI.UNDEFINED, False) and MPI.Request.Testsome(requests) == []
    comm.send(None, 0)
    assert MPI.Request.waitsome(requests) == ([1], ["second"])
    assert MPI.Request.testsome(requests) == (None, None) and MPI.Request.Testall(requests)


def test_synchronous_sends():
    def program(comm):
        if comm.rank == 0:
            comm.Ssend(b"1", 1)
            comm.issend(2, 1).wait()
        else:
            return comm.Recv(bytearray(1)), comm.recv()

    assert kport.run(2, program, buffered=False).results[1] == (None, 2)
    with pytest.raises(NotImplementedError, match="buffered=False"):
        kport.run(2, program)


@pytest.mark.ranks(2)
def test_an_empty_message_is_no_object(comm):
    comm.Send([None, 0, MPI.BYTE], comm.rank)
    comm.Send(b"", comm.rank)
    assert comm.recv() is None and comm.irecv().wait() is None


@pytest.mark.ranks(2)
def test_proc_null(comm):
    status = MPI.Status()
    comm.Send(b"", MPI.PROC_NULL)
    comm.Recv(bytearray(1), MPI.PROC_NULL, status=status)
    assert status.source == MPI.PROC_NULL and status.count == 0
    assert MPI.Request.waitany([comm.Irecv(bytearray(1), MPI.PROC_NULL)]) == (0, None)
    assert comm.recv(source=MPI.PROC_NULL) is None and comm.sendrecv(1, MPI.PROC_NULL, source=MPI.PROC_NULL) is None


@pytest.mark.ranks(3)
def test_messages_of_objects(comm):
    right, left = (comm.rank + 1) % 3, (comm.rank + 2) % 3
    request = comm.isend({"from": comm.rank}, right)
    assert comm.irecv(source=left).wait() == {"from": left}
    request.wait()
    assert comm.sendrecv(comm.rank, right, source=left) == left
    request = comm.isend("x" * 100000, comm.rank)
    status = MPI.Status()
    assert len(comm.recv(status=status)) == 100000 and status.Get_source() == comm.rank
    request.wait()


@pytest.mark.ranks(4)
def test_collectives_of_objects(comm):
    me = comm.rank
    assert comm.bcast({"root": me}, root=2) == {"root": 2}
    assert comm.scatter([str(i) * i for i in range(4)] if me == 1 else None, root=1) == str(me) * me
    assert comm.gather([me] * me, root=3) == ([[i] * i for i in range(4)] if me == 3 else None)
    assert comm.allgather("abcd"[me]) == list("abcd")
    assert comm.alltoall([(me, j) for j in range(4)]) == [(i, me) for i in range(4)]
    assert comm.reduce(me + 1, MPI.PROD, root=0) == (24 if me == 0 else None)
    assert comm.allreduce("abcd"[me]) == "abcd"
    assert comm.allreduce((me % 2, me), MPI.MAXLOC) == (1, 1)
    assert comm.scan(1) == me + 1 and comm.exscan(me, MPI.SUM) == (sum(range(me)) if me else None)
    comm.barrier()


@pytest.mark.ranks(2)
def test_collectives_of_objects_check_their_number(comm):
    with pytest.raises(ValueError, match="3 objects"):
        comm.alltoall([1, 2, 3])


@pytest.mark.ranks(6)
def test_split(comm):
    part = comm.Split(comm.rank % 2, key=-comm.rank)
    assert part.size == 3 and part.allgather(comm.rank) == sorted(range(comm.rank % 2, 6, 2), reverse=True)
    none = comm.Split(MPI.UNDEFINED if comm.rank else 0)
    assert bool(none) == (comm.rank == 0) and (none == MPI.COMM_NULL) == (comm.rank != 0)
    part.Free()
    assert part == MPI.COMM_NULL
    with pytest.raises(kport.Ended, match="null"):
        part.Barrier()


@pytest.mark.ranks(5)
def test_groups(comm):
    world = comm.Get_group()
    odd, even = world.Incl([3, 1]), world.Excl([1, 3])
    assert (odd.size, even.size, odd.Get_rank()) == (2, 3, {1: 1, 3: 0}.get(comm.rank, MPI.UNDEFINED))
    part = comm.Create(odd)
    assert bool(part) == (comm.rank in (1, 3))
    if part:
        assert part.allgather(comm.rank) == [3, 1]
        assert MPI.Comm.Compare(part, comm) == MPI.UNEQUAL
    else:
        assert comm.Create_group(even).allgather(comm.rank) == [0, 2, 4]
    assert MPI.Group.Union(odd, even).Translate_ranks([0, 4], world) == [3, 4]
    assert MPI.Group.Intersection(odd, even) == MPI.GROUP_EMPTY and MPI.Group.Difference(world, odd) == even
    assert MPI.Group.Compare(world, MPI.Group.Union(even, odd)) == MPI.SIMILAR
    assert MPI.Comm.Compare(comm, comm) == MPI.IDENT and MPI.Comm.Compare(comm, comm.Dup()) == MPI.CONGRUENT


@pytest.mark.ranks(3)
def test_own_classes(comm):
    class Own(MPI.Intracomm):
        def __new__(cls, comm=None):
            return super().__new__(cls, comm)

        def last(self):
            return self.bcast(self.rank, root=self.size - 1)

    own = Own(MPI.COMM_WORLD.Dup())
    assert isinstance(own, Own) and own.last() == 2
    assert own.Get_attr(MPI.TAG_UB) == 2**31 - 1
    with pytest.raises(TypeError, match="not of 7"):
        MPI.Comm(7)


@pytest.mark.ranks(2)
def test_communicators_are_apart(comm):
    copies = [comm.Dup(), comm.Dup(), comm.Split(0), comm.Split(0)]
    if comm.rank == 0:
        for i, copy in enumerate(copies):
            copy.send(i, 1)
    else:
        assert [copy.recv() for copy in reversed(copies)] == [3, 2, 1, 0]


@pytest.mark.ranks(2)
def test_too_long_a_message(comm):
    if comm.rank == 0:
        comm.Send(bytes(8), 1)
    else:
        with pytest.raises(kport.LengthError, match="8"):
            comm.Recv(bytearray(4))


def test_datatypes():
    assert MPI.DOUBLE.Get_size() == 8 and MPI.INT.Get_name() == "MPI_INT" and MPI.BOOL is MPI.C_BOOL
    assert MPI.DOUBLE_INT.Get_extent() == (0, 16)
    assert MPI.SUM(2, 3) == 5 and MPI.MINLOC((2, 7), (2, 3)) == (2, 3)
    assert MPI.Wtime() > 0 and MPI.Is_initialized() and not MPI.Is_finalized()
    with pytest.raises(AttributeError):
        MPI.File
