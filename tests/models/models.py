"""Every model is checked by SPIN: nothing is found in the right one, for 2 to 4 processors, and an
error trail in each with a planted bug.

usage: models.py [--large|--few] [MODEL...]
--large: larger ones too; --few: the first three planted bugs of each model; MODEL: only these
"""

import pathlib
import sys

import spin
from cases import CASES
from tap import Tests

folder = pathlib.Path(__file__).resolve().parent
arguments = sys.argv[1:]
larger_too = "--large" in arguments
few = 3 if "--few" in arguments else None
chosen = [argument for argument in arguments if not argument.startswith("--")] or sorted(CASES)

if not spin.available():
    print(f"1..0 # SKIP {spin.MISSING}")
    sys.exit(0)

tests = Tests()
unknown = [name for name in chosen if name not in CASES]
tests.check(not unknown, "the models are known", f"{unknown}: there are {sorted(CASES)}")


def check(model, options, planted, large=False):
    name = f"{model} {options}".strip()
    try:
        fault, states = spin.check(folder / f"{model}.pml", options.split(), large)
    except spin.Broken as broken:
        tests.check(False, name, str(broken))
        return
    if planted:
        tests.check(fault is not None, f"{name}: {fault or 'not found'}",
                    f"the planted bug is not found in {states} states")
    else:
        # A model in which nothing can happen has no fault either.
        tests.check(fault is None and states > 50, f"{name}: {states} states", str(fault))


for model in [name for name in chosen if name in CASES]:
    right, larger, planted = CASES[model]
    for options in right:
        check(model, options, False)
    for options in larger if larger_too else []:
        check(model, options, False, True)
    for options in planted[:few]:
        check(model, options, True)
tests.end()
