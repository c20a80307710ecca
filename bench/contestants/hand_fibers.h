/* The members of a worker thread, by hand as fibers of boost.context. */
#ifndef KPORT_BENCH_HAND_FIBERS_H
#define KPORT_BENCH_HAND_FIBERS_H

#include "good_barrier.h"

struct hand_ring;

/* A turn of the member at `place` in the ring. */
typedef void hand_member(struct hand_ring *ring, void *context, int place, uint64_t turn);

/* Makes a ring. The calling thread becomes its last member. Returns NULL if there is no memory. */
struct hand_ring *hand_ring_make(int count, hand_member *member, void *context);
void hand_ring_free(struct hand_ring *ring);

/* Waits for all members. The last member of the ring waits for the other workers at the barrier. */
void hand_ring_wait(struct hand_ring *ring, int place, struct good_barrier *barrier);

/* Does a turn of the last member, during which the others do theirs. Turns count from 0. */
void hand_ring_turn(struct hand_ring *ring, uint64_t turn);

#endif
