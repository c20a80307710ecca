"""Bruck et al. 1997, Figs. 1, 2, 3, 7, 8 and 9, transcribed by hand. Not from the program.

A configuration is a list of rows, top to bottom; a row a list of blocks, from processor 0 on. '*'
stands behind a shaded block; '.' is an empty place.
"""


def rows(text):
    return [line.split() for line in text.split("\n") if line.strip()]


BEFORE_INDEX = rows("""
    00 10 20 30 40
    01 11 21 31 41
    02 12 22 32 42
    03 13 23 33 43
    04 14 24 34 44
""")
AFTER_INDEX = rows("""
    00 01 02 03 04
    10 11 12 13 14
    20 21 22 23 24
    30 31 32 33 34
    40 41 42 43 44
""")
AFTER_PHASE_1 = rows("""
    00 11 22 33 44
    01 12 23 34 40
    02 13 24 30 41
    03 14 20 31 42
    04 10 21 32 43
""")
AFTER_PHASE_2 = rows("""
    00 11 22 33 44
    40 01 12 23 34
    30 41 02 13 24
    20 31 42 03 14
    10 21 32 43 04
""")

# Before and after each of the three phases.
FIGURE_2 = [BEFORE_INDEX, AFTER_PHASE_1, AFTER_PHASE_2, AFTER_INDEX]

# Phase 2 with r = 2: before it, and after each of its three subphases.
FIGURE_3 = [
    rows("""
    00  11  22  33  44
    01* 12* 23* 34* 40*
    02  13  24  30  41
    03* 14* 20* 31* 42*
    04  10  21  32  43
    """),
    rows("""
    00  11  22  33  44
    40  01  12  23  34
    02* 13* 24* 30* 41*
    42* 03* 14* 20* 31*
    04  10  21  32  43
    """),
    rows("""
    00  11  22  33  44
    40  01  12  23  34
    30  41  02  13  24
    20  31  42  03  14
    04* 10* 21* 32* 43*
    """),
    AFTER_PHASE_2,
]

# The spanning tree of node 0, n = 9, k = 2: what each of its two rounds adds.
FIGURE_7 = [
    {(0, 1), (0, 2)},
    {(0, 3), (0, 6), (1, 4), (1, 7), (2, 5), (2, 8)},
]
# That of node 1.
FIGURE_8 = [
    {(1, 2), (1, 3)},
    {(1, 4), (1, 7), (2, 5), (2, 8), (3, 6), (3, 0)},
]

# Concatenation of five on one port: the temporary array before, and after each of three rounds, and
# the result of the rotation.
FIGURE_9 = [
    rows("""
    0 1 2 3 4
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    """),
    rows("""
    0 1 2 3 4
    1 2 3 4 0
    . . . . .
    . . . . .
    . . . . .
    """),
    rows("""
    0 1 2 3 4
    1 2 3 4 0
    2 3 4 0 1
    3 4 0 1 2
    . . . . .
    """),
    rows("""
    0 1 2 3 4
    1 2 3 4 0
    2 3 4 0 1
    3 4 0 1 2
    4 0 1 2 3
    """),
    rows("""
    0 0 0 0 0
    1 1 1 1 1
    2 2 2 2 2
    3 3 3 3 3
    4 4 4 4 4
    """),
]
