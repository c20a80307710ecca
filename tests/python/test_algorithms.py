"""Algorithms written in Python."""

import os

import kport
import pytest
from kport import IN, OUT, SCRATCH
from kport._library import find_program


@kport.algorithm("concat")
def around(p):
    """Every block goes around the ring."""
    for i in range(p.n):
        yield kport.move(-1, i, OUT[0], IN[i])
    for t in range(p.n - 1):
        for i in range(p.n):
            block = IN[(i - t) % p.n]
            yield kport.message(t, i, (i + 1) % p.n, block, block)


@kport.algorithm("broadcast", name="some-at-once", every=(1, 4))
def some_at_once(p):
    for t, j in enumerate(range(1, p.n)):
        yield kport.message(t // min(p.every, p.k), 0, j, OUT[0], IN[0])


@kport.algorithm("allreduce", serves=lambda p: None if p.n == 2 else "n = 2")
def two_sums(p):
    for i in (0, 1):
        yield kport.message(0, i, 1 - i, OUT[0], IN[0], combine="left" if i == 0 else "right", operand=OUT[0])


@kport.algorithm("scatter")
def by_scratch(p):
    yield kport.move(-1, 0, OUT[0], IN[0])
    for j in range(1, p.n):
        yield kport.message(j - 1, 0, j, OUT[j], SCRATCH[1])
        yield kport.move(j - 1, j, SCRATCH[1], IN[0])


@pytest.mark.parametrize("n", [1, 2, 5])
def test_checks_and_costs(n):
    schedule = kport.schedule(f"concat:n={n},k=1,b=8,alg=around").check()
    cost = schedule.cost()
    assert (cost.c1, cost.c2, cost.messages) == (n - 1, 8 * (n - 1), n * (n - 1))


@pytest.mark.parametrize("root", [0, 2])
def test_parameters_and_roots(root):
    schedule = kport.schedule(f"broadcast:n=6,k=2,b=8,root={root},alg=some-at-once,every=2").check()
    assert schedule.rounds == 3 and {message.sender for message in schedule.messages} == {root}


def test_parameters_have_bounds():
    with pytest.raises(kport.Error, match="1 ... 4"):
        kport.schedule("broadcast:n=6,k=2,b=8,alg=some-at-once,every=5")


def test_reductions():
    kport.schedule("allreduce:n=2,k=1,count=4,alg=two-sums").check()
    with pytest.raises(kport.Unserved, match="n = 2"):
        kport.schedule("allreduce:n=3,k=1,count=4,alg=two-sums")


def test_scratch():
    assert "scratch 2" in kport.schedule("scatter:n=3,k=1,b=4,alg=by-scratch").check().text()


def test_shows_and_draws():
    schedule = kport.schedule("concat:n=4,k=1,b=8,alg=around")
    assert "C1 = 3 rounds" in schedule.show() and "<svg" in schedule._repr_svg_()


def test_the_heading_has_its_name():
    schedule = kport.schedule("concat:n=4,k=1,b=8,alg=around")
    assert schedule.show().startswith("concat:n=4,k=1,b=8,alg=around\n") and "@around" not in schedule.svg()


def test_the_program_by_a_relative_path(monkeypatch):
    monkeypatch.setenv("KPORT_PROGRAM", os.path.relpath(find_program()))
    kport.schedule("concat:n=4,k=1,b=8,alg=around").show()


def test_a_wrong_one_is_drawn_and_explained():
    @kport.algorithm("concat", name="one-too-far")
    def one_too_far(p):
        for i in range(p.n):
            yield kport.move(-1, i, OUT[0], IN[i])
        for i in range(p.n):
            yield kport.message(0, i, (i + 1) % p.n, IN[i], IN[(i + 2) % p.n])

    schedule = kport.schedule("concat:n=3,k=1,b=8,alg=one-too-far")
    with pytest.raises(kport.ScheduleError) as caught:
        schedule.check()
    assert "The way of the block" in caught.value.report and "<-- here" in str(caught.value)
    picture = schedule.svg()
    assert schedule._repr_svg_().startswith("<svg") and caught.value.sentence.partition(";")[0] in picture
    with pytest.raises(kport.ScheduleError) as shown:
        schedule.show()
    assert shown.value.sentence == caught.value.sentence


@pytest.mark.ranks(4)
def test_runs(comm):
    comm.use("concat", "around")
    received = bytearray(4)
    comm.Allgather(bytes([comm.rank]), received)
    assert received == bytes(range(4))


def test_a_wrong_one_is_refused():
    @kport.algorithm("concat", name="forgets")
    def forgets(p):
        for i in range(p.n):
            yield kport.move(-1, i, OUT[0], IN[i])

    problem = "concat:n=2,k=1,b=1,alg=forgets"
    with pytest.raises(kport.ScheduleError, match="holds nothing in place 1"):
        kport.schedule(problem).check()

    def program(comm):
        comm.use("concat", "forgets")
        comm.Allgather(b"x", bytearray(2))

    with pytest.raises(kport.ScheduleError, match="holds nothing"):
        kport.run(2, program)


@pytest.mark.parametrize(
    "step", ["text", kport.message(0, 0, 9, OUT[0], IN[0]), kport.message(-1, 0, 1, OUT[0], IN[0])]
)
def test_steps_that_cannot_be(step):
    algorithm = kport.Algorithm(lambda p: [step], "concat", f"step-{id(step)}", "", None, {})
    with pytest.raises(kport.AlgorithmError, match="the algorithm yields") as caught:
        kport.schedule(f"concat:n=4,k=1,b=1,alg={algorithm.name}")
    assert ".-1" not in caught.value.sentence


def test_exceptions_pass_through():
    @kport.algorithm("concat", name="raises")
    def raises(p):
        yield 1 / 0

    with pytest.raises(ZeroDivisionError):
        kport.schedule("concat:n=4,k=1,b=1,alg=raises")

    def program(comm):
        comm.use("concat", "raises")
        comm.Allgather(b"x", bytearray(2))

    with pytest.raises(kport.AlgorithmError) as caught:
        kport.run(2, program)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_second_definition_replaces_the_first():
    problem = "broadcast:n=3,k=2,b=1,alg=two-ways"

    @kport.algorithm("broadcast", name="two-ways")
    def slow(p):
        for j in range(1, p.n):
            yield kport.message(j - 1, 0, j, OUT[0], IN[0])

    first = kport.schedule(problem)

    @kport.algorithm("broadcast", name="two-ways")
    def fast(p):
        for j in range(1, p.n):
            yield kport.message(0, 0, j, OUT[0], IN[0])

    assert (first.rounds, kport.schedule(problem).check().rounds) == (2, 1)
    with pytest.raises(kport.Busy):
        kport.algorithm("broadcast", name="two-ways", r=(1, 2))(fast.generate)


def test_names_of_kport_are_taken():
    with pytest.raises(kport.AlgorithmError, match="ring"):
        kport.algorithm("concat", name="ring")(lambda p: [])
    with pytest.raises(ValueError, match="concatenate"):
        kport.algorithm("concatenate")
