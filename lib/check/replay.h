/* Runs a schedule with symbols instead of bytes: for the checker, and for drawing.
 *
 * Uses the public accessors of schedules only, and knows nothing of builders and executor. Where
 * blocks are split, units are bytes or elements and may be many; they are handled in cells, the
 * longest stretches that no message or move divides. Elsewhere a cell is a block. */
#ifndef KPORT_LIB_REPLAY_H
#define KPORT_LIB_REPLAY_H

#include "kport/schedule.h"
#include "lib/check/contributions.h"
#include "lib/schedule/vector.h"

#include <stdbool.h>

/* A place of one processor: cells of out, then those of in, then those of scratch. */
typedef int64_t kp_cell;

#define KP_NOWHERE ((kp_cell)-1) /* outside its space */
#define KP_NOTHING ((uint64_t)0) /* what a place holds that nothing has arrived at */

struct kp_replay {
    const kp_schedule *schedule;
    const kp_problem *problem;
    int64_t unit;          /* units in a block */
    struct kp_vector cuts; /* int64_t: where the cells of a block begin, ascending, the first 0 */
    kp_cell begin[KP_SPACES + 1];          /* where each space begins, and the end of the last */
    uint64_t *held;                        /* n times the cells of in and scratch */
    struct kp_vector from, to;             /* kp_cell: lists in use */
    struct kp_vector operand;              /* kp_cell: what is combined with `from` */
    struct kp_contributions contributions; /* what symbols of a reduction stand for */
};

/* What is followed while a call waits: so many processors, or so many cells of all of them. */
#define KP_BOUNDED_PROCESSORS 1024
#define KP_BOUNDED_CELLS      ((uint64_t)1 << 24)

/* Prepares the state before round -1; kp_replay_end in any case. KP_OK, KP_EMEMORY, or, where it is
 * bounded and the schedule is beyond both bounds, KP_EUNCHECKED. */
int kp_replay_begin(struct kp_replay *replay, const kp_schedule *schedule, bool bounded);
void kp_replay_end(struct kp_replay *replay);

/* Writes the cells that pieces cover, in order, to `list`. False: no memory. */
bool kp_replay_cells(const struct kp_replay *replay, int rank, const kp_piece *pieces, int count,
                     struct kp_vector *list);

/* What a processor holds in a place: KP_NOTHING, the symbol of an original cell, or, in a
 * reduction, of several that were combined. */
uint64_t kp_replay_held(const struct kp_replay *replay, int rank, kp_cell place);

/* The symbol of a cell of `rank`'s outgoing buffer, and back. */
uint64_t kp_replay_symbol(const struct kp_replay *replay, int rank, kp_cell place);
void kp_replay_origin(const struct kp_replay *replay, uint64_t symbol, int *rank, kp_cell *place);

/* Cells in a block. */
int64_t kp_replay_cells_of_block(const struct kp_replay *replay);

/* Why a copy or combination did not come to its end. */
enum kp_obstacle {
    KP_CLEAR,
    KP_NOTHING_SENT,  /* nothing has arrived at the place of `from` */
    KP_NOTHING_THERE, /* the same at the operand */
    KP_CLASH,         /* what cannot be combined, and why */
};

struct kp_combined {
    enum kp_obstacle obstacle;
    size_t at; /* the cell where it stopped */
    enum kp_clash clash;
    int member;
};

/* Copies the cells of replay->from at one processor to those of replay->to at another; or combines
 * them with those of replay->operand there. */
struct kp_combined kp_replay_combine(struct kp_replay *replay, int from_rank, int to_rank,
                                     kp_combining side);

/* Index of the send (receive) of `rank` in a round whose peer is `peer`, tried first at `hint`; -1
 * if there is none. */
int kp_replay_find_send(const kp_schedule *schedule, int rank, int round, int peer, int hint);
int kp_replay_find_receive(const kp_schedule *schedule, int rank, int round, int peer, int hint);

/* One whole round of a schedule that has been checked, with its moves; round -1: the moves. */
int kp_replay_round(struct kp_replay *replay, int round);

#endif
