# Survivors are named; none may be (tests/mutants.py).
part_mutants() {
    need spin spin
    PYTHONPATH=tests/cli python3 tests/mutants.py
}
