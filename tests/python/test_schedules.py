"""Schedules: built, checked, counted, shown."""

import pathlib
import subprocess

import kport
import pytest
from kport._library import find_program

PROBLEMS = [
    "index:n=8,k=2,b=1",
    "index:n=5,k=1,b=3,alg=literal,r=2",
    "concat:n=9,k=2,b=4,alg=circulant",
    "broadcast:n=6,k=1,b=8,root=2",
    "scatter:n=7,k=2,b=8,root=3",
    "gather:n=7,k=1,b=8,root=6",
    "reduce:n=5,k=1,count=4,root=1",
    "allreduce:n=6,k=2,count=12,type=int32,op=max",
    "reduce-scatter:n=6,k=1,count=2",
    "scan:n=7,k=1,count=3",
    "one-to-one:n=5,k=2,b=10,root=1,to=3",
    "barrier:n=5,k=1,b=0",
]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_is_right(problem):
    schedule = kport.schedule(problem)
    assert schedule.check() is schedule
    cost = schedule.cost()
    assert cost.c1 >= cost.c1_bound and cost.c2 >= cost.c2_bound
    assert cost.messages == len(schedule.messages)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_program_reads_the_text(problem, tmp_path):
    path = tmp_path / "schedule"
    path.write_text(kport.schedule(problem).text())
    for command in ("check", "cost"):
        result = subprocess.run([find_program(), command, f"@{path}"], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
    cost = kport.schedule(problem).cost()
    assert f"C1 {cost.c1:13} rounds" in result.stdout and f"C2 {cost.c2:13} bytes" in result.stdout


def test_problem_names_what_was_chosen():
    schedule = kport.schedule("index:n=8,k=2,b=1")
    assert repr(schedule) == 'kport.schedule("index:n=8,k=2,b=1,alg=radix,r=3")'
    assert (schedule.operation, schedule.n, schedule.k, schedule.b) == ("index", 8, 2, 1)
    assert schedule.algorithm == "radix" and schedule.rounds == 2


def test_cost_of_a_known_schedule():
    assert kport.schedule("index:n=8,k=2,b=1").cost() == kport.Cost(2, 6, 2, 4, 32, 80)


def test_messages_are_those_of_a_tree():
    ends = [(m.round, m.sender, m.receiver) for m in kport.schedule("broadcast:n=4,k=1,b=8,root=1").messages]
    assert ends == [(0, 1, 2), (1, 1, 3), (1, 2, 0)]


def test_messages_have_places():
    first = kport.schedule("scatter:n=4,k=1,b=8,root=1").messages[0]
    assert str(first) == "1 -> 3: out[3] out[0] -> in[0] scratch[0]"


def test_show_is_that_of_the_program():
    shown = kport.schedule("concat:n=4,k=1,b=1").show()
    assert "C1 = 2 rounds, C2 = 3 bytes" in shown and repr(shown) == shown


def test_a_notebook_shows_a_picture():
    picture = kport.schedule("concat:n=4,k=1,b=1")._repr_svg_()
    assert picture.startswith("<svg") and picture.rstrip().endswith("</svg>")
    assert kport.schedule("index:n=200,k=1,b=1")._repr_svg_() is None


@pytest.mark.parametrize(
    "problem, kind, word",
    [
        ("index:n=0,k=2,b=1", kport.ProblemError, "n is '0'"),
        ("indx:n=4,k=2,b=1", kport.ProblemError, "indx"),
        ("index:n=4,k=1,b=1,alg=none", kport.AlgorithmError, "none"),
        ("index:n=5,k=1,b=1,alg=butterfly", kport.Unserved, "n=5"),
    ],
)
def test_errors_have_the_sentence(problem, kind, word):
    with pytest.raises(kind) as caught:
        kport.schedule(problem)
    assert word in caught.value.sentence


@pytest.mark.parametrize("problem", PROBLEMS)
def test_reads_a_file(problem, tmp_path):
    if problem.startswith("barrier"):
        return  # nothing moves
    schedule = kport.schedule(problem)
    path = tmp_path / "Of mine_2.txt"
    path.write_text(schedule.text())
    if "units" in schedule.text():
        with pytest.raises(kport.Error, match="whole blocks"):
            kport.schedule(f"@{path}")
        return
    read = kport.schedule(f"@{path}").check()
    assert read.text() == schedule.text() and read.algorithm == "file-of-mine-2"
    assert read.cost() == schedule.cost()


def test_a_file_has_other_blocks_and_no_other_n(tmp_path):
    path = tmp_path / "ring.txt"
    path.write_text(kport.schedule("concat:n=4,k=1,b=8,alg=ring").text())
    assert kport.schedule(f"@{path}:b=64").cost().c2 == 192
    with pytest.raises(kport.Unserved, match="n=4, k=1"):
        kport.schedule("concat:n=5,k=1,b=8,alg=file-ring")


def test_a_wrong_file_is_drawn(tmp_path):
    path = tmp_path / "wrong.txt"
    path.write_text("kport schedule 1\nproblem concat:n=2,k=1,b=8\nround 0\n  0 -> 1: out[0] -> in[0]\n")
    wrong = kport.schedule(f"@{path}")
    assert "where the block of processor" in wrong.svg()
    with pytest.raises(kport.ScheduleError, match="belongs"):
        wrong.check()


def test_a_file_whose_messages_do_not_pair_is_drawn(tmp_path):
    path = tmp_path / "twice.txt"
    path.write_text("kport schedule 1\nproblem concat:n=3,k=1,b=8\nround 0\n" + "  0 -> 1: out[0] -> in[0]\n" * 2)
    with pytest.raises(kport.ScheduleError, match="sends two messages to 1") as caught:
        kport.schedule(f"@{path}")
    assert "what is wrong: processor 0 to 1" in caught.value.picture
    assert caught.value.report.startswith("In round 0 processor 0 sends to 1")
    path.write_text("kport schedule 2\n")
    with pytest.raises(kport.Error, match="version"):
        kport.schedule(f"@{path}")


def test_a_file_that_is_not_there():
    with pytest.raises(kport.Error, match="^nowhere.txt: No such file"):
        kport.schedule("@nowhere.txt")


def test_a_program_that_is_not_there(monkeypatch):
    monkeypatch.setenv("KPORT_PROGRAM", "nowhere/kport")
    with pytest.raises(kport.Error, match="KPORT_PROGRAM"):
        kport.schedule("concat:n=4,k=1,b=1").show()


def test_every_status_has_an_exception():
    header = pathlib.Path(__file__).parents[2] / "include" / "kport" / "error.h"
    lines = [line for line in header.read_text().splitlines() if line.strip().startswith("X(KP_E")]
    statuses = {int(line.split(",")[1]) for line in lines}
    # A Python program writes no trace and reads no profile: -21, -22.
    assert statuses - {-21, -22} == set(kport.errors.BY_STATUS)
