/* A schedule as files and drawings have it: a message has its two ends, and every place is counted
 * from the beginning of its space, at the processor that has it. */
#ifndef KPORT_TOOLS_VIEW_H
#define KPORT_TOOLS_VIEW_H

#include "kport.h"

#include <stdbool.h>
#include <stddef.h>

/* The pieces of one end of a message. */
struct view_pieces {
    kp_piece *list;
    size_t count, room;
};

struct view_step {
    int round; /* -1: before the first round */
    int from, from_port, to, to_port;
    bool move; /* a move within processor `from`, which is also `to`; the ports are 0 */
    kp_combining side;
    struct view_pieces sent, put, operands; /* no operands: they are the units at `put` */
    int64_t units;
};

/* Calls `visit` for every step: the moves before the first round, then round by round the messages
 * in the order of their senders and ports, and the moves in the order of the processors. A move
 * whose places are no single piece in a file is several steps. If `visit` returns false, no more
 * steps follow. Returns false if there is no memory, or if `visit` has returned false. */
typedef bool view_visit(void *to, const struct view_step *step);
bool view_steps(const kp_schedule *schedule, view_visit *visit, void *to);

#endif
