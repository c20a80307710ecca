"""What kport run costs as n grows: processor time, which other load on the machine hardly changes.

usage: growth.py PROGRAM

Time from n to 4 n grows by at most 6, for every operation of kport list. Where every processor has n
blocks the data alone grow by 16: there from n to 2 n, whose data are four times as many.
"""

import os
import sys

from tap import Tests, execute, said

program = sys.argv[1]
tests = Tests()
MOST_GROWTH = 6
MOST_BY_VERIFYING = 3
LEAST_SECONDS = 0.1
TRIES = 3
SQUARE = {"index", "concat", "indexv", "concatv", "reduce-scatter", "reduce-scatterv"}
NO_VERIFY = dict(os.environ, KPORT_INTERNAL_NO_VERIFY="1")
WITHOUT = "NOT verified"


def seconds_of(problem, *options, env=None):
    """User and system time of one run, and the run."""
    before = os.times()
    result = execute([program, "run", f"{problem},carrier=fibers", *options], env=env)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4]), result


class Least:
    """The least time of as many tries as there have been."""

    def __init__(self, problem, *options, env=None):
        self.arguments, self.env = (problem, *options), env
        self.seconds, self.result = seconds_of(*self.arguments, env=env)

    def again(self):
        self.seconds = min(self.seconds, seconds_of(*self.arguments, env=self.env)[0])


def compare(few, many, most):
    """Whether `many` takes at most so many times what `few` takes; tried again only if it seems not to."""
    for _ in range(TRIES - 1):
        if many.seconds <= most * few.seconds:
            break
        few.again()
        many.again()
    return many.seconds <= most * few.seconds


def check_growth(operation):
    size, factor = ("b=64", 2) if operation in SQUARE else ("b=8", 4)
    n = 128 if operation in SQUARE else 1000

    def run(n):
        return Least(f"{operation}:n={n},k=4" + ("" if operation == "barrier" else f",{size}"), "--repeat", "1")

    few = run(n)
    while few.seconds < LEAST_SECONDS and few.result.returncode == 0:
        n *= 2
        few = run(n)
    many = run(factor * n)
    right = few.result.returncode == many.result.returncode == 0 and compare(few, many, MOST_GROWTH)
    name = f"{operation}: {few.seconds:.2f} s for n={n}, {many.seconds:.2f} s for n={factor * n}"
    tests.check(right, name, said(many.result))


def check_verification(n, *options):
    problem = f"allreduce:n={n},k=4,count=1"
    without = Least(problem, *options, env=NO_VERIFY)
    whole = Least(problem, *options)
    told = WITHOUT in without.result.stdout and "verified: every byte" not in without.result.stdout
    tests.check(told and without.result.returncode == 0, f"{problem} without verification says so", said(without.result))
    right = "verified: every byte" in whole.result.stdout and compare(without, whole, MOST_BY_VERIFYING)
    name = f"{problem}: {whole.seconds:.2f} s, without verification {without.seconds:.2f} s"
    tests.check(right, name, said(whole.result))


if "switched by" in execute([program, "--version"]).stdout:
    operations = [line for line in execute([program, "list"]).stdout.splitlines() if line and line[0] != " "]
    tests.check(len(operations) >= 15, "kport list tells the operations", operations)
    for operation in operations:
        check_growth(operation)
    check_verification(10000)
    check_verification(100000, "--repeat", "1")
else:
    tests.skip("growth", "built without fibers")
tests.end()
