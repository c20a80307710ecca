/* Runs several members of a team on one worker thread, as fibers of boost.context. The members form
 * a ring, in which each member switches to the next one. */
#ifndef KPORT_BENCH_HAND_FIBERS_H
#define KPORT_BENCH_HAND_FIBERS_H

#include "good_barrier.h"

struct hand_ring;

/* Carries out turn number `turn` of the member at `position` in the ring. A turn is one execution
 * of the job's whole list of calls. */
typedef void hand_member(struct hand_ring *ring, void *context, int position, uint64_t turn);

/* Makes a ring of `count` members. The calling thread becomes the last member. Each member calls
 * `member` for every turn. Returns NULL if there is no memory. */
struct hand_ring *hand_ring_make(int count, hand_member *member, void *context);
void hand_ring_free(struct hand_ring *ring);

/* Waits until all members of the team have called this function. The members of this ring wait for
 * each other. The last member of the ring also waits at the barrier for the other workers. */
void hand_ring_wait(struct hand_ring *ring, int position, struct good_barrier *barrier);

/* Carries out a turn of the last member. Meanwhile the other members of the ring carry out the same
 * turn. Turns count from 0. */
void hand_ring_turn(struct hand_ring *ring, uint64_t turn);

#endif
