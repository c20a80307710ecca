"""Machines: what a run returns, and what ends it."""

import signal
import sys
import threading

import kport
import pytest


def ring(comm):
    return comm.recv(source=(comm.rank + 1) % comm.size)


def test_results_are_by_rank():
    report = kport.run(5, lambda comm, base: base + comm.rank, 10)
    assert report.results == [10, 11, 12, 13, 14]
    assert (report.c1, report.c2) == (0, 0)


def test_counts_rounds_and_bytes():
    def program(comm):
        received = bytearray(8 * 4)
        comm.use("index", "radix,r=2")
        comm.Alltoall(bytes(8 * 4), received)

    cost = kport.schedule("index:n=8,k=1,b=4,alg=radix,r=2").cost()
    report = kport.run(8, program, ports=1)
    assert (report.c1, report.c2) == (cost.c1, cost.c2)


def test_deadlock_is_an_exception_with_every_rank():
    with pytest.raises(kport.Deadlock) as caught:
        kport.run(3, ring)
    said = str(caught.value)
    for rank in range(3):
        assert f"{rank} waits for {(rank + 1) % 3}" in said
    assert f"test_machine.py:{ring.__code__.co_firstlineno + 1}" in said
    assert caught.value.report.startswith("deadlock:")


def test_deadlock_of_collectives():
    def program(comm):
        if comm.rank == 0:
            comm.recv(source=1)
        comm.Barrier()

    with pytest.raises(kport.Deadlock, match="0 waits for 1"):
        kport.run(2, program)


def test_sends_without_buffers_wait():
    def program(comm):
        comm.send(1, (comm.rank + 1) % comm.size)
        return comm.recv()

    assert kport.run(2, program).results == [1, 1]
    with pytest.raises(kport.Deadlock):
        kport.run(2, program, buffered=False)


def test_mismatch_names_both_calls():
    def program(comm):
        if comm.rank == 1:
            comm.Bcast(bytearray(4))
        else:
            comm.Barrier()

    with pytest.raises(kport.Mismatch, match="broadcast:n=3.*barrier|barrier.*broadcast:n=3"):
        kport.run(3, program)


def test_an_exception_ends_the_others():
    seen = []

    def program(comm):
        if comm.rank == 1:
            raise ValueError("the reason")
        try:
            comm.Barrier()
        except kport.Failed as failed:
            seen.append(failed.sentence)
            raise

    with pytest.raises(ValueError, match="the reason") as caught:
        kport.run(3, program)
    assert len(seen) == 2 and all("rank 1: ValueError: the reason" in sentence for sentence in seen)
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__ == ["in rank 1 of 3"]
    assert caught.traceback[-1].name == "program"


def test_abort_ends_all():
    def program(comm):
        if comm.rank == 0:
            comm.Abort(3)
        comm.Barrier()

    with pytest.raises(SystemExit, match="3"):
        kport.run(2, program)


def test_an_error_that_all_catch_is_none():
    def program(comm):
        with pytest.raises(kport.Deadlock):
            ring(comm)
        return "went on"

    assert kport.run(2, program).results == ["went on"] * 2


def test_a_message_nobody_receives():
    def program(comm):
        if comm.rank == 0:
            comm.Send(b"lost", 1)
        comm.Barrier()

    with pytest.raises(kport.UntakenMessage) as caught:
        kport.run(2, program)
    assert "test_machine.py" in caught.value.sentence


def test_a_request_nobody_waits_for():
    def program(comm):
        comm.Ibarrier()

    with pytest.raises(kport.Unwaited):
        kport.run(2, program)


def test_time_limit():
    release = threading.Event()

    def program(comm):
        if comm.rank == 0:
            release.wait(20)
        else:
            try:
                comm.Barrier()
            finally:
                release.set()

    with pytest.raises(kport.TimeLimit, match="processor 0"):
        kport.run(2, program, time_limit=0.05)


def test_a_program_that_writes_too_early():
    def program(comm):
        data = bytearray(100000)
        if comm.rank == 0:
            request = comm.Isend(data, 1)
            data[7] = 1
            comm.Barrier()
            request.Wait()
        else:
            comm.Barrier()
            comm.Recv(data, 0)

    with pytest.raises(kport.Unwaited, match="written to what its request sends.*test_machine.py"):
        kport.run(2, program, check_buffers=True)


def test_a_communicator_ends_with_its_run():
    comm = kport.run(1, lambda comm: comm).results[0]
    with pytest.raises(kport.Ended):
        comm.Barrier()


def test_another_thread_may_not_use_it():
    def program(comm):
        failures = []

        def use():
            try:
                comm.Barrier()
            except kport.WrongThread as failure:
                failures.append(failure)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        return len(failures)

    assert kport.run(1, program).results == [1]


def test_debuggers_see_the_ranks():
    lines = set()

    def trace(frame, event, _argument):
        if frame.f_code is ring.__code__:
            lines.add(event)
        return trace

    threading.settrace(trace)
    try:
        with pytest.raises(kport.Deadlock):
            kport.run(2, ring)
    finally:
        threading.settrace(None)
    assert {"call", "line"} <= lines


def test_the_keyboard_interrupts():
    # A shell in the background has its children ignore SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    release, entered = threading.Event(), threading.Event()
    main = threading.main_thread().ident

    def program(comm):
        if comm.rank == 0:
            entered.set()
            release.wait(20)
        comm.Barrier()

    def interrupt():
        entered.wait(20)
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        kport.run(2, program)
    signal.signal(signal.SIGINT, before)
    release.set()
    thread.join()


def test_no_thread_is_left():
    names = kport.run(20, lambda comm: threading.current_thread().name).results
    assert names == [f"rank {i}" for i in range(20)]
    # The first ones may be those of an interrupted run.
    assert not {thread.name for thread in threading.enumerate()} & set(names[5:])


def test_machines_in_machines():
    def program(comm):
        return sum(kport.run(2, lambda inner: inner.allreduce(comm.rank)).results)

    assert kport.run(3, program).results == [0, 4, 8]


@pytest.mark.parametrize("n", [0, -1, 2**21])
def test_no_such_machine(n):
    with pytest.raises(ValueError, match=str(n)):
        kport.run(n, lambda comm: None)
