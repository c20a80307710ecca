"""Adds up what the tests of some build folders came to, from Meson's logs.

usage: count.py FOLDER... [--failed=STEP...]
Prints what each failed test said, and "N passed, N failed". A test that speaks TAP counts with each of
its lines, any other as one; skipped tests count as neither. A folder without a log counts as one failure:
nothing ran there. So does each step that is said to have failed while no test did: the last line tells.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

GOOD = {"OK", "EXPECTEDFAIL"}
SAID = 20  # lines of a failed test that are shown


def cases_of(folder):
    """By name of a TAP test: how many of its lines passed and failed."""
    cases = {}
    log = folder / "meson-logs" / "testlog.junit.xml"
    if not log.exists():
        return cases
    for suite in ElementTree.parse(log).getroot().iter("testsuite"):
        # A test with lines of its own is a suite of its own, "project.NAME OF THE TEST".
        name = suite.get("name", "").partition(".")[2]
        passed = failed = 0
        for case in suite.iter("testcase"):
            bad = any(case.find(what) is not None for what in ("failure", "error"))
            failed += bad
            passed += not bad and case.find("skipped") is None
        if name:
            cases[name] = (passed, failed)
    return cases


def tell(folder, test):
    """Who reads a log from its end finds here what failed, and why."""
    print(f"{folder}: {test['name']}: {test['result']} after {test['duration']:.1f} s")
    lines = (test.get("stdout", "") + test.get("stderr", "")).splitlines()
    wrong = [line for line in lines if line.startswith("not ok")]
    for line in wrong[:SAID] + lines[-SAID:]:
        print(f"    {line[:300]}")


def count(folder):
    log = folder / "meson-logs" / "testlog.json"
    if not log.exists():
        print(f"{folder}: nothing ran", file=sys.stderr)
        return 0, 1
    cases = cases_of(folder)
    passed = failed = 0
    for line in log.read_text().splitlines():
        test = json.loads(line)
        good = test["result"] in GOOD
        inside_passed, inside_failed = cases.get(test["name"], (int(good), 0))
        skipped = test["result"] == "SKIP"
        passed += inside_passed
        if not good and not skipped:
            tell(folder, test)
        # A test can also fail as a whole, by a crash or for time, without a failed line.
        failed += inside_failed or int(not good and not skipped)
    if passed + failed == 0:
        print(f"{folder}: nothing ran", file=sys.stderr)
        return 0, 1
    print(f"{folder}: {passed} passed, {failed} failed")
    return passed, failed


def main():
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("--failed=")]
    steps = [argument.partition("=")[2] for argument in sys.argv[1:] if argument.startswith("--failed=")]
    sums = [count(pathlib.Path(folder)) for folder in folders]
    passed, failed = (sum(column) for column in zip(*sums))
    if steps:
        print(f"failed steps: {', '.join(steps)}")
        failed = failed or len(steps)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
