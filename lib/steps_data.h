/* What steps are written down as (steps_make.c), for who carries them out (steps.c). */
#ifndef KPORT_LIB_STEPS_DATA_H
#define KPORT_LIB_STEPS_DATA_H

#include "ports/slot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_STEPS 128 /* 6 KiB a seat and call */

/* Copies between a row, or a box, and a space, or between two spaces: as many as follow each other
 * at the same distances, so that those of a whole round are often one or two of these. */
struct step {
    uint8_t space;
    uint8_t from_space; /* of a move */
    uint32_t count;
    size_t bytes;   /* of each */
    uint64_t row;   /* place in the row; in all rows, where a message is taken; in from_space */
    uint64_t place; /* in the space */
    int64_t row_step, place_step;
};

_Static_assert(sizeof(struct step) <= 48, "what MOST_STEPS is reckoned with");

/* A message that is not packed with others: whose, or whom to, and which steps fill or empty its
 * mailbox, or copy it from or to the other one's memory. */
struct letter {
    int rank, port;
    uint32_t first, end;
};

struct round_steps {
    uint32_t pack, take, move, end; /* where each begins */
    uint32_t post, await, last;     /* letters */
    bool described;                 /* by the barrier: messages stay where they are */
    size_t row_bytes;               /* of the longest row */
};

/* The same between a space and a row that has been found once and for all: one copy. */
struct placed_step {
    char *row[KP_GENERATIONS];
    uint64_t place;
    size_t bytes;
    uint8_t space;
};

/* What a member reads that takes the only message of the only round is on one line. */
struct kp_steps {
    uint8_t rounds;
    bool describes;    /* in some round */
    bool early;        /* the moves before round 0 are to be done before its messages are packed */
    bool only;         /* see only_round */
    bool of_two;       /* members */
    bool together;     /* the last round's copies can be made by one for all of its company */
    bool packs, takes; /* in the only round */
    uint32_t first;    /* end of the moves before round 0 */
    uint32_t c1;       /* of the call */
    uint64_t c2;
    struct placed_step take, pack; /* of the only round */
    struct step *all;
    struct letter *letters; /* NULL where all rounds are packed, and kept by the barrier */
    struct round_steps round[];
};

_Static_assert(offsetof(struct kp_steps, pack) <= 64, "what the only round takes is on a line");
_Static_assert(MOST_STEPS <= UINT8_MAX, "there are not more rounds than steps");

#endif
