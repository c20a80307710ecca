"""The example in the README, examples/embed.c, prints what it should.

usage: embed_output.py PROGRAM
"""

import re
import sys

from tap import Tests, execute, said

tests = Tests()
result = execute([sys.argv[1]])
match = re.fullmatch(r"processor 7 got (\d+), after (\d+) rounds\n", result.stdout)
if tests.check(result.returncode == 0 and match, "runs and says what it got", said(result)):
    got, rounds = (int(group) for group in match.groups())
    expected = sum(10 * i + 7 for i in range(8))
    tests.check(got == expected, f"the sum is {expected}", said(result))
    # ceil(log_3 8) = 2 rounds at least, with two ports; ceil(7 / 2) = 4 send every block directly.
    tests.check(2 <= rounds <= 4, "as many rounds as eight processors with two ports need", rounds)
tests.end()
