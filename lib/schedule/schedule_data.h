/* The contents of a built schedule, for the files that go through it: the builder, the accessors,
 * and the execution. All other files use the accessors of kport/schedule.h. */
#ifndef KPORT_LIB_SCHEDULE_DATA_H
#define KPORT_LIB_SCHEDULE_DATA_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message of one part. In a schedule with a symmetry it is stored as rank 0 sees it. A sender's
 * row has its messages of a round, one after the other. */
struct stored_message {
    int32_t port;
    int32_t peer;
    uint32_t first_piece; /* index in schedule->pieces */
    uint32_t piece_count;
    int64_t units;
    int64_t row;                 /* where the message begins in its sender's row, in units */
    uint32_t combining : 2;      /* kp_combining */
    uint32_t operand_count : 30; /* pieces of the operand, after the message's own; 0: the operand
                                    is the message's own pieces */
    /* For a receive: the index of the matching send in schedule->sends. For a send: the index of
     * the receive. With a symmetry the match is stored as rank 0 sees it. */
    uint32_t match;
};

/* Where a round of a part begins in the arrays; it ends where the next entry begins. Entry 0 of a
 * part is "round -1", which has only moves. */
struct stored_round {
    uint32_t send;
    uint32_t receive;
    uint32_t move;
    uint32_t pack; /* index in schedule->packs */
};

/* One copy into the sender's row before a round. The copies of a round are in the order of their
 * places in the row. Neighbouring pieces are merged, and a message with the same contents as an
 * earlier one is left out. */
struct stored_pack {
    kp_piece piece;
    int64_t row; /* the place in the row, in units */
};

struct kp_schedule {
    kp_problem problem; /* rank is 0, and nothing is left open */
    kp_symmetry symmetry;
    int counted_from; /* the root from which ranks are counted; 0 if the schedule is for one root
                         only */
    int64_t radix;    /* the radix of the digit-wise sum; 0 without a symmetry */
    int rounds;
    int parts; /* 1 with a symmetry, else n */
    int64_t units_of_block;
    int64_t units[KP_SPACES];
    /* The space has a place for every processor. Its positions wrap at its size, and follow the
     * rank if there is a symmetry. */
    bool per_processor[KP_SPACES];

    /* (rounds + 2) entries for each part: round -1, rounds 0 ... rounds - 1, and the end. */
    struct stored_round *round_index;
    struct stored_message *sends;
    struct stored_message *receives;
    kp_move *moves;
    struct stored_pack *packs;
    kp_piece *pieces;

    bool moves_early;      /* round 0 may send what the moves before it write */
    bool may_be_put;       /* no processor reads in the last round what it receives in it */
    int64_t *buffer_units; /* for each round: the longest row of a part */
    int64_t *all_units;    /* for each round: the sum of all processors' rows */
    /* For each part: the places of scratch that it uses. NULL if all blocks have one length. */
    size_t *scratch_places;
    size_t bytes; /* the memory of the schedule, this struct included */
};

/* Returns the entry of a round of the part of `rank`. The round is -1 ... rounds. */
static inline const struct stored_round *kp_schedule_round(const struct kp_schedule *s, int rank,
                                                           int round)
{
    size_t part = s->parts == 1 ? 0 : (size_t)rank;
    return &s->round_index[part * ((size_t)s->rounds + 2) + (size_t)(round + 1)];
}

/* Returns whether ranks and places follow the rank digit by digit, in more than one digit. */
static inline bool kp_schedule_by_digits(const struct kp_schedule *s)
{
    return s->symmetry == KP_DIGITS || s->symmetry == KP_XOR;
}

/* Returns the peer that `rank` has where rank 0 has the peer `x`. */
int kp_schedule_peer(const struct kp_schedule *s, int rank, int x);

/* Returns the pieces in which a combining receive finds its operands. */
static inline const kp_piece *kp_operand_of(const struct kp_schedule *s,
                                            const struct stored_message *m, uint32_t *count)
{
    *count = m->operand_count ? m->operand_count : m->piece_count;
    return s->pieces + m->first_piece + (m->operand_count ? m->piece_count : 0);
}

/* Returns whether `schedule` is not NULL. Otherwise sets the error. */
bool kp_schedule_given(const struct kp_schedule *schedule);

/* Builds a schedule from an algorithm and a problem with nothing left open. kp_schedule_build calls
 * kp_tune and then this function. */
int kp_schedule_build_exact(const kp_problem *problem, struct kp_schedule **schedule);

/* As kp_schedule_check, but returns KP_EUNCHECKED for schedules that would take too long in a call
 * (replay.h). */
int kp_schedule_check_bounded(const struct kp_schedule *schedule);

#endif
