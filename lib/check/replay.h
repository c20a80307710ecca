/* A replay carries out a schedule with symbols instead of data. The checker and the drawings use
 * it. A symbol is a number that stands for the original contents of one cell of one processor, or
 * in a reduction for several combined cells (contributions.h).
 *
 * The replay reads a schedule only through the public functions, so it is independent of the
 * builder and the execution. If a schedule does not split blocks, a cell is a block. A schedule
 * that splits blocks moves bytes or elements, of which a block may have very many. So such a block
 * is divided into cells only where some message or move divides it. */
#ifndef KPORT_LIB_REPLAY_H
#define KPORT_LIB_REPLAY_H

#include "kport/schedule.h"
#include "lib/check/contributions.h"
#include "lib/schedule/vector.h"

#include <stdbool.h>

/* The number of a cell of one processor. The cells of the outgoing buffer come first, then those of
 * the incoming buffer, then those of scratch. */
typedef int64_t kp_cell;

#define KP_NOWHERE ((kp_cell)-1) /* a cell outside its space */
#define KP_NOTHING ((uint64_t)0) /* the symbol in a cell in which no data have arrived */

/* A message or a move that is carried out. */
struct kp_watched {
    int round, from, to;   /* the processors; of a move both are the same */
    int out_port, in_port; /* the sender's and the receiver's port; of a move -1 */
    kp_combining side;
};

struct kp_replay {
    const kp_schedule *schedule;
    const kp_problem *problem;
    int64_t unit; /* the number of units in a block */
    /* The offsets (int64_t) in a block at which its cells begin, ascending from 0. */
    struct kp_vector cuts;
    /* The first cell of each space (kp_space); the last element is the end of the last space. */
    kp_cell begin[KP_SPACES + 1];
    /* For each processor, the symbols in the cells of its incoming buffer and its scratch. */
    uint64_t *held;
    struct kp_vector from, to; /* the cells (kp_cell) at the two ends of a copy */
    struct kp_vector operand;  /* the cells (kp_cell) with which `from` is combined */
    /* The operands that the symbols of a reduction stand for. */
    struct kp_contributions contributions;
    /* If set, it is called before each copy of a message or a move, with the cells in `from`, `to`
     * and `operand`. */
    void (*watch)(struct kp_replay *replay, const struct kp_watched *watched);
    void *watcher; /* for `watch` */
};

/* A schedule that is checked within a call may exceed one of these bounds, but not both: the number
 * of processors, and the number of cells of all processors. */
#define KP_BOUNDED_PROCESSORS 1024
#define KP_BOUNDED_CELLS      ((uint64_t)1 << 24)

/* Prepares the state before round -1. The caller must call kp_replay_end later, even after an
 * error. Returns KP_OK or KP_EMEMORY. If `bounded` is true and the schedule exceeds both bounds
 * above, returns KP_EUNCHECKED. */
int kp_replay_begin(struct kp_replay *replay, const kp_schedule *schedule, bool bounded);
void kp_replay_end(struct kp_replay *replay);

/* Writes to `list` the cells of processor `rank` of which the pieces consist, in the order of the
 * pieces. Returns false if there is no memory. */
bool kp_replay_cells(const struct kp_replay *replay, int rank, const kp_piece *pieces, int count,
                     struct kp_vector *list);

/* Returns the symbol in a processor's cell: KP_NOTHING, the symbol of an original cell or, in a
 * reduction, the symbol of several combined cells. */
uint64_t kp_replay_held(const struct kp_replay *replay, int rank, kp_cell place);

/* `kp_replay_symbol` returns the symbol of the original contents of `rank`'s cell `place`, which is
 * in the outgoing buffer. `kp_replay_origin` finds the rank and the cell of such a symbol. */
uint64_t kp_replay_symbol(const struct kp_replay *replay, int rank, kp_cell place);
void kp_replay_origin(const struct kp_replay *replay, uint64_t symbol, int *rank, kp_cell *place);

/* Writes the name of the block in which `rank`'s cell `cell` of the outgoing buffer lies, in the
 * words of every sentence about blocks: "the block of processor 3" if a processor has one block,
 * "the block of processor 3 for processor 1" if it has one for each. In a reduction the block is
 * called an operand. */
#define KP_BLOCK_NAME 80
void kp_replay_name_block(const struct kp_replay *replay, int rank, kp_cell cell,
                          char text[KP_BLOCK_NAME]);

/* Returns the number of cells in a block. */
int64_t kp_replay_cells_of_block(const struct kp_replay *replay);

/* The reason why cells cannot be copied or combined. */
enum kp_obstacle {
    KP_CLEAR,
    KP_NOTHING_SENT,  /* a cell of `from` has the symbol KP_NOTHING */
    KP_NOTHING_THERE, /* a cell of `operand` has the symbol KP_NOTHING */
    KP_CLASH,         /* the two symbols cannot be combined, for the reason in `clash` */
};

/* The result of kp_replay_combine. */
struct kp_combined {
    enum kp_obstacle obstacle;
    size_t at; /* the index in `from` of the cell at which the obstacle was found */
    enum kp_clash clash;
    int member; /* for KP_CLASH_MEMBER: a processor whose operand is in both symbols */
};

/* Copies the cells `replay->from` of processor `from_rank` to the cells `replay->to` of processor
 * `to_rank`. If `side` is not KP_COPY, combines the cells with the cells `replay->operand` of
 * `to_rank` and stores the results in `replay->to`. */
struct kp_combined kp_replay_combine(struct kp_replay *replay, int from_rank, int to_rank,
                                     kp_combining side);

/* `kp_replay_find_send` returns the index of the message that `rank` sends to `peer` in the round.
 * `kp_replay_find_receive` returns the index of the message that `rank` receives from `peer`. Both
 * return -1 if there is no such message. They look first at index `hint`. */
int kp_replay_find_send(const kp_schedule *schedule, int rank, int round, int peer, int hint);
int kp_replay_find_receive(const kp_schedule *schedule, int rank, int round, int peer, int hint);

/* Carries out receive i, or move i, of a processor in a round. A receive must have a send. Returns
 * false if there is no memory. */
bool kp_replay_receive(struct kp_replay *replay, int rank, int round, int i);
bool kp_replay_move(struct kp_replay *replay, int rank, int round, int i);

/* Carries out one round, with its local moves. Round -1 has only moves. The schedule must have
 * passed the checker. */
int kp_replay_round(struct kp_replay *replay, int round);

#endif
