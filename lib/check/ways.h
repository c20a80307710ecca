/* Follows blocks through a replay: which messages and moves take a block from place to place. */
#ifndef KPORT_LIB_WAYS_H
#define KPORT_LIB_WAYS_H

#include "lib/check/finding.h"
#include "lib/check/replay.h"

/* One cell of a processor. */
struct kp_spot {
    int rank;
    kp_cell cell;
};

/* A message or a move that takes the block from one spot to another. */
struct kp_hop {
    int round, out_port, in_port; /* the ports of a move are -1 */
    struct kp_spot from, to;
    bool combined; /* the block is combined with what is there */
};

/* The way of a block, or of a part of it: in a reduction that of an operand, in all combinations.
 * `origin` is the spot in the outgoing buffer of the processor that the block comes from; its rank
 * is -1 if nothing is followed. */
struct kp_way {
    struct kp_spot origin;
    struct kp_vector hops; /* struct kp_hop, in the order of time */
};

#define KP_WAYS 2

struct kp_ways {
    struct kp_replay replay;
    struct kp_way way[KP_WAYS];
    /* For each processor and each cell of its incoming buffer: the number of the copy that was the
     * last to write there, counted from 1; 0: none. */
    uint64_t *written, copies;
    bool failed; /* there was no memory */
};

/* Carries the schedule out as far as the checker came, and follows the blocks from these two
 * origins. The caller must call kp_ways_end later, even after an error. Returns KP_OK or
 * KP_EMEMORY. */
int kp_ways_find(struct kp_ways *ways, const kp_schedule *schedule,
                 const struct kp_finding *finding, const struct kp_spot origins[KP_WAYS]);
void kp_ways_end(struct kp_ways *ways); /* may be called twice */

/* Returns the spot where the block with this symbol comes from; of a combination, where the operand
 * of its lowest processor comes from. The rank is -1 if the symbol is KP_NOTHING. */
struct kp_spot kp_ways_origin(const struct kp_replay *replay, uint64_t symbol);

/* Returns whether the symbol is that of the block, or of a sum that has the operand. */
bool kp_way_carries(const struct kp_replay *replay, const struct kp_way *way, uint64_t symbol);

/* Returns the index of the last of the first `count` hops that brings the block to a spot; -1 if
 * there is none. */
int kp_way_to(const struct kp_way *way, int count, struct kp_spot spot);

static inline const struct kp_hop *kp_hop_at(const struct kp_way *way, int i)
{
    return (const struct kp_hop *)way->hops.items + i;
}

#endif
