# Promela, for 2 to 4 processors, sequentially and on store buffers (tests/models/models.py).
part_models() {
    need spin spin
    PYTHONPATH=tests/cli python3 tests/models/models.py --large
}
