/* This header declares the contents of a built schedule. Only the builder, the execution and the
 * public functions that read a schedule use these contents. All other files call the public
 * functions (kport/schedule.h). */
#ifndef KPORT_LIB_SCHEDULE_DATA_H
#define KPORT_LIB_SCHEDULE_DATA_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A send or a receive of one processor. In a schedule with a symmetry it is stored as
 * rank 0 sees it. */
struct stored_message {
    int32_t port;
    int32_t peer;
    uint32_t first_piece; /* the index in schedule->pieces */
    uint32_t piece_count;
    int64_t units;
    int64_t buffer_place;   /* where the message begins in its sender's eager buffer, in units */
    uint32_t combining : 2; /* a kp_combining */
    /* The number of the operand's pieces, which come after the message's own pieces. 0: the
     * message's own pieces are also the operand. */
    uint32_t operand_count : 30;
    /* For a receive, the index of its send in schedule->sends. For a send, the index of its receive
     * in schedule->receives. With a symmetry both are stored as rank 0 sees them. */
    uint32_t match;
};

/* The indices at which a round of a processor begins in the arrays sends, receives, moves and
 * packs. The round ends where the next element of round_index begins. The first element of a
 * processor is round -1, which has only moves. */
struct stored_round {
    uint32_t send;
    uint32_t receive;
    uint32_t move;
    uint32_t pack; /* the index in schedule->packs */
};

/* One copy into the sender's eager buffer before a round. The copies of a round are in the order of
 * their places in the buffer. A message with the same contents as an earlier message of the round
 * is not copied again. Neighbouring pieces are merged into one copy. */
struct stored_pack {
    kp_piece piece;
    int64_t buffer_place; /* where the copy begins in the eager buffer, in units */
};

struct kp_schedule {
    /* The problem that the schedule serves; its rank is 0, and nothing is left open. */
    kp_problem problem;
    kp_symmetry symmetry;
    /* The root, from which ranks are counted; 0 if the schedule is for one root only. */
    int counted_from;
    int64_t radix; /* the radix of digit-wise sums (symmetry.h); 0 without a symmetry */
    /* true: some message lacks its partner, or has another length. Such a schedule is only checked
     * and drawn. */
    bool unpaired;
    int rounds;
    int stored; /* the number of processors whose rounds are stored: 1 with a symmetry, otherwise n
                 */
    int64_t units_of_block;
    int64_t units[KP_SPACES];
    /* true: the space has a block for every processor, and positions are taken modulo the space's
     * size. With a symmetry the blocks' places depend on the rank. */
    bool per_processor[KP_SPACES];

    /* For each stored processor, rounds + 2 elements: round -1, rounds 0 ... rounds - 1, and the
     * end. */
    struct stored_round *round_index;
    struct stored_message *sends;
    struct stored_message *receives;
    kp_move *moves;
    struct stored_pack *packs;
    kp_piece *pieces;

    /* true: round 0 may send data that the moves of round -1 write */
    bool moves_early;
    /* true: senders may write the last round's messages straight into the receivers' memory */
    bool may_be_put;
    int64_t *buffer_units; /* for each round: the units in the fullest eager buffer */
    int64_t *all_units;    /* for each round: the units in all eager buffers together */
    /* For each stored processor, the number of places of scratch that it uses. The pointer is NULL
     * if all blocks have the same length. */
    size_t *scratch_places;
    size_t bytes; /* the bytes of the schedule's memory, with this struct */
};

/* Returns the element of round_index for a round of `rank`. `round` is -1 ... rounds.
 */
static inline const struct stored_round *kp_schedule_round(const struct kp_schedule *s, int rank,
                                                           int round)
{
    size_t processor = s->stored == 1 ? 0 : (size_t)rank;
    return &s->round_index[processor * ((size_t)s->rounds + 2) + (size_t)(round + 1)];
}

/* Returns whether the symmetry adds ranks digit by digit (KP_DIGITS or KP_XOR). */
static inline bool kp_schedule_by_digits(const struct kp_schedule *s)
{
    return s->symmetry == KP_DIGITS || s->symmetry == KP_XOR;
}

/* Returns the peer of `rank` that corresponds to the peer x of rank 0. */
int kp_schedule_peer(const struct kp_schedule *s, int rank, int x);

/* Returns the pieces whose values the combining receive `m` combines with the received message.
 * Sets `count` to the number of these pieces. */
static inline const kp_piece *kp_operand_of(const struct kp_schedule *s,
                                            const struct stored_message *m, uint32_t *count)
{
    *count = m->operand_count ? m->operand_count : m->piece_count;
    return s->pieces + m->first_piece + (m->operand_count ? m->piece_count : 0);
}

/* Returns true if `schedule` is not NULL. Otherwise sets an error and returns false. */
bool kp_schedule_given(const struct kp_schedule *schedule);

/* Builds the schedule of a problem in which nothing is left open. kp_schedule_build calls kp_tune,
 * which fills in what is left open, and then this function. */
int kp_schedule_build_exact(const kp_problem *problem, struct kp_schedule **schedule);

/* Does the same, also if messages lack their partners (`unpaired`). */
int kp_schedule_build_unpaired(const kp_problem *problem, struct kp_schedule **schedule);

/* Does what kp_schedule_check does. But if the schedule exceeds the bounds for a check within a
 * call (lib/check/replay.h), returns KP_EUNCHECKED. */
int kp_schedule_check_bounded(const struct kp_schedule *schedule);

/* Writes where a step is, as the beginning of a sentence: "round 3", or "before the first round" of
 * round -1. Returns `name`. */
#define KP_ROUND_NAME 32
static inline const char *kp_round_name(int round, char name[KP_ROUND_NAME])
{
    if (round < 0)
        snprintf(name, KP_ROUND_NAME, "before the first round");
    else
        snprintf(name, KP_ROUND_NAME, "round %d", round);
    return name;
}

/* A schedule counts ranks from the root, which has the number 0 in this count. Turns a number of
 * this count into the rank. */
int kp_schedule_counted(const struct kp_schedule *s, int counted);

/* One end of a message: its port there, and how long it is there. */
struct kp_message_end {
    int port;
    int64_t units;
};

/* match.c: sets the error of a message whose two sides do not agree, and returns its status. `out`
 * or `in` is NULL if this side is missing. */
int kp_match_refuse(const struct kp_schedule *s, int round, int sender, int receiver,
                    const struct kp_message_end *out, const struct kp_message_end *in);

#endif
