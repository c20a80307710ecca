/* What a built schedule is made of, for the parts of the library that walk it: the builder that
 * fills it, the accessors, and the executor. Everything else uses the accessors of
 * kport/schedule.h.
 */
#ifndef KPORT_LIB_SCHEDULE_DATA_H
#define KPORT_LIB_SCHEDULE_DATA_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message of one part, stored as rank 0 sees it where the schedule has a symmetry. */
struct stored_message {
    int32_t port;
    int32_t peer;
    uint32_t first_piece; /* in schedule->pieces */
    uint32_t piece_count;
    int64_t units;
    int64_t row; /* receive: where the matching send lies in its sender's row; send: the same */
    uint32_t combining : 2;      /* kp_combining */
    uint32_t operand_count : 30; /* pieces of the operand, right behind its own; 0: they are it */
    uint32_t match; /* receive: index in schedule->sends of the matching send (with a symmetry: of
                       rank 0's, to be seen with the sender's rank); send: of the receive */
};

/* Where a part's round begins in the arrays; the next entry says where it ends. Entry 0 of a part
 * is "round -1", which has moves only. */
struct stored_round {
    uint32_t send;
    uint32_t receive;
    uint32_t move;
    uint32_t pack; /* in schedule->packs */
};

/* One step of filling the row before a round: the pieces of this round's messages in the order
 * of their places there, neighbours merged, a message that repeats the contents of another left
 * out. */
struct stored_pack {
    kp_piece piece;
    int64_t row; /* in units from the beginning of the row */
};

struct kp_schedule {
    kp_problem problem; /* rank 0, nothing left open */
    kp_symmetry symmetry;
    int counted_from; /* the root that ranks are counted from; 0 for a schedule of its own root */
    int64_t radix;    /* of the digit-wise sum; 0 without symmetry */
    int rounds;
    int parts; /* 1 with a symmetry, else n */
    int64_t units_of_block;
    int64_t units[KP_SPACES];
    bool per_processor[KP_SPACES]; /* a place for every processor: positions are modulo the size,
                                      and follow the rank where there is a symmetry */

    /* (rounds + 2) entries a part: round -1, rounds 0 ... rounds - 1, and the end. */
    struct stored_round *round_index;
    struct stored_message *sends;
    struct stored_message *receives;
    kp_move *moves;
    struct stored_pack *packs;
    kp_piece *pieces;

    bool moves_early;       /* what the moves before round 0 write may be sent in it */
    bool may_be_put;        /* in the last round nothing is read at once of what comes */
    int64_t *buffer_units;  /* by round: the longest row over the parts, */
    int64_t *all_units;     /* and all processors' rows together */
    size_t *scratch_places; /* by part: places of scratch that it names; NULL where blocks have one
                               length */
    size_t bytes;           /* memory held, this struct included */
};

/* The entry of a part's round; `rank` is any processor's. round -1 ... rounds. */
static inline const struct stored_round *kp_schedule_round(const struct kp_schedule *s, int rank,
                                                           int round)
{
    size_t part = s->parts == 1 ? 0 : (size_t)rank;
    return &s->round_index[part * ((size_t)s->rounds + 2) + (size_t)(round + 1)];
}

/* Whether ranks and places follow digit by digit, in more than one digit. */
static inline bool kp_schedule_by_digits(const struct kp_schedule *s)
{
    return s->symmetry == KP_DIGITS || s->symmetry == KP_XOR;
}

/* The rank that `x` of rank 0 stands for at `rank`. */
int kp_schedule_peer(const struct kp_schedule *s, int rank, int x);

/* The pieces that a combining receive finds its operands in. */
static inline const kp_piece *kp_operand_of(const struct kp_schedule *s,
                                            const struct stored_message *m, uint32_t *count)
{
    *count = m->operand_count ? m->operand_count : m->piece_count;
    return s->pieces + m->first_piece + (m->operand_count ? m->piece_count : 0);
}

/* Whether there is one; else the error is set. */
bool kp_schedule_given(const struct kp_schedule *schedule);

/* What builds a schedule from any algorithm and problem with nothing left open; kp_schedule_build
 * is this after kp_tune. */
int kp_schedule_build_exact(const kp_problem *problem, struct kp_schedule **schedule);

/* kp_schedule_check, which takes no longer than a call may wait for it: KP_EUNCHECKED for schedules
 * that are larger (replay.h). */
int kp_schedule_check_bounded(const struct kp_schedule *schedule);

#endif
