/* Runs a schedule with symbols instead of bytes, for the checker and for drawing.
 *
 * It uses only the public accessors of schedules, and is independent of the builder and the
 * execution. If blocks are split, units are bytes or elements, of which there may be many. They are
 * handled in cells, the longest stretches that no message or move divides. If blocks are not split,
 * a cell is a block. */
#ifndef KPORT_LIB_REPLAY_H
#define KPORT_LIB_REPLAY_H

#include "kport/schedule.h"
#include "lib/check/contributions.h"
#include "lib/schedule/vector.h"

#include <stdbool.h>

/* A cell of one processor. The cells of out come first, then those of in, then those of scratch. */
typedef int64_t kp_cell;

#define KP_NOWHERE ((kp_cell)-1) /* a cell outside its space */
#define KP_NOTHING ((uint64_t)0) /* a cell that nothing has reached */

struct kp_replay {
    const kp_schedule *schedule;
    const kp_problem *problem;
    int64_t unit;          /* the units of a block */
    struct kp_vector cuts; /* items: int64_t, where the cells of a block begin, ascending from 0 */
    kp_cell begin[KP_SPACES + 1]; /* where each space begins, and the end of the last */
    uint64_t *held;            /* for each processor: the symbols in the cells of in and scratch */
    struct kp_vector from, to; /* items: kp_cell, for the two ends of a copy */
    struct kp_vector operand;  /* items: kp_cell, to be combined with `from` */
    struct kp_contributions contributions; /* what the symbols of a reduction stand for */
};

/* During a call a schedule is checked only if it has at most this many processors, or at most this
 * many cells in all. */
#define KP_BOUNDED_PROCESSORS 1024
#define KP_BOUNDED_CELLS      ((uint64_t)1 << 24)

/* Prepares the state before round -1. The caller calls kp_replay_end even after a failure. Returns
 * KP_OK or KP_EMEMORY, or KP_EUNCHECKED if `bounded` and the schedule exceeds both bounds. */
int kp_replay_begin(struct kp_replay *replay, const kp_schedule *schedule, bool bounded);
void kp_replay_end(struct kp_replay *replay);

/* Writes the cells of the pieces to `list`, in order. Returns false if there is no memory. */
bool kp_replay_cells(const struct kp_replay *replay, int rank, const kp_piece *pieces, int count,
                     struct kp_vector *list);

/* Returns what a processor holds in a cell: KP_NOTHING, the symbol of an original cell, or in a
 * reduction the symbol of several combined cells. */
uint64_t kp_replay_held(const struct kp_replay *replay, int rank, kp_cell place);

/* `kp_replay_symbol` returns the symbol of a cell of `rank`'s outgoing buffer. `kp_replay_origin`
 * returns the rank and the cell of a symbol. */
uint64_t kp_replay_symbol(const struct kp_replay *replay, int rank, kp_cell place);
void kp_replay_origin(const struct kp_replay *replay, uint64_t symbol, int *rank, kp_cell *place);

/* Returns the number of cells in a block. */
int64_t kp_replay_cells_of_block(const struct kp_replay *replay);

/* Why a copy or a combination is impossible. */
enum kp_obstacle {
    KP_CLEAR,
    KP_NOTHING_SENT,  /* nothing has reached the cell of `from` */
    KP_NOTHING_THERE, /* nothing has reached the cell of the operand */
    KP_CLASH,         /* the symbols cannot be combined; `clash` says why */
};

struct kp_combined {
    enum kp_obstacle obstacle;
    size_t at; /* the index of the cell where it stopped */
    enum kp_clash clash;
    int member;
};

/* Copies the cells `replay->from` of one processor to the cells `replay->to` of another. If `side`
 * is not KP_COPY, combines them with the cells `replay->operand` there. */
struct kp_combined kp_replay_combine(struct kp_replay *replay, int from_rank, int to_rank,
                                     kp_combining side);

/* Return the index of the send (receive) of `rank` with that peer, or -1. The search begins at
 * `hint`. */
int kp_replay_find_send(const kp_schedule *schedule, int rank, int round, int peer, int hint);
int kp_replay_find_receive(const kp_schedule *schedule, int rank, int round, int peer, int hint);

/* Runs one round, with its moves, of a schedule that has been checked. Round -1 has only moves. */
int kp_replay_round(struct kp_replay *replay, int round);

#endif
