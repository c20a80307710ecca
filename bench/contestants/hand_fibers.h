/* The members that a worker thread carries, as fibers of boost.context, by hand. */
#ifndef KPORT_BENCH_HAND_FIBERS_H
#define KPORT_BENCH_HAND_FIBERS_H

#include "good_barrier.h"

struct hand_ring;

/* What the member with that place in the ring does in a turn. */
typedef void hand_member(struct hand_ring *ring, void *context, int place, uint64_t turn);

/* By the thread whose flow becomes the last member. NULL: there is no memory. */
struct hand_ring *hand_ring_make(int count, hand_member *member, void *context);
void hand_ring_free(struct hand_ring *ring);

/* A member waits for all others, those of the other workers at the barrier. */
void hand_ring_wait(struct hand_ring *ring, int place, struct good_barrier *barrier);

/* The last member's turn; the others have theirs meanwhile. Turns are counted from 0. */
void hand_ring_turn(struct hand_ring *ring, uint64_t turn);

#endif
