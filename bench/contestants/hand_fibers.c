/* A contestant of the benchmark, written by hand with fibers of boost.context. The members of a
 * worker thread form a ring of fibers; the worker's own thread is the last member of the ring. A
 * member that has filled its buffer (by_buffers.h) switches to the next member. The last member
 * waits at the barrier for the other worker. Then the members read the buffers, in the same order.
 * So a call costs one switch for each member. */
#include "hand_fibers.h"

#include "../contestant.h"

#include <stdlib.h>

#define STACK_BYTES ((size_t)64 << 10)

struct transfer {
    void *context; /* the context of the fiber that has switched to this fiber */
    void *data;
};

#ifdef BENCH_BOOST_CONTEXT
extern struct transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *top, size_t bytes, void (*enter)(struct transfer));
#else /* these macros are never called, because without boost.context the contestant is missing */
#define jump_fcontext(to, data)          ((struct transfer){to, data})
#define make_fcontext(top, bytes, enter) ((void)(enter), (void *)(top))
#endif

struct fiber {
    struct hand_ring *ring;
    int position;
    void *context; /* the context in which the fiber goes on */
    char *stack;
};

struct hand_ring {
    hand_member *member;
    void *context;
    int count;
    struct fiber fibers[]; /* the members of the ring; the last one is the worker's own thread */
};

const char *hand_fibers_missing(const struct contestant *self, const struct job *job)
{
    (void)self;
    (void)job;
#ifdef BENCH_BOOST_CONTEXT
    return NULL;
#else
    return "not built (libboost-context-dev)";
#endif
}

static struct fiber *next_to(struct fiber *fiber)
{
    struct hand_ring *ring = fiber->ring;
    return fiber->position + 1 == ring->count ? &ring->fibers[0] : fiber + 1;
}

/* Switches to the next fiber of the ring. When this fiber runs again, `arrival` has the context of
 * the fiber that switched to it. This function stores the context in that other fiber's structure,
 * because the other fiber must later go on there. */
static void leave(struct fiber *self)
{
    struct transfer arrival = jump_fcontext(next_to(self)->context, self);
    ((struct fiber *)arrival.data)->context = arrival.context;
}

void hand_ring_wait(struct hand_ring *ring, int position, struct good_barrier *barrier)
{
    if (position == ring->count - 1)
        good_barrier_wait(barrier);
    leave(&ring->fibers[position]);
}

static void enter(struct transfer arrival)
{
    struct fiber *before = arrival.data, *self = next_to(before);
    before->context = arrival.context;
    for (uint64_t turn = 0;; turn++)
        self->ring->member(self->ring, self->ring->context, self->position, turn);
}

void hand_ring_free(struct hand_ring *ring)
{
    for (int i = 0; ring && i < ring->count; i++)
        free(ring->fibers[i].stack);
    free(ring);
}

struct hand_ring *hand_ring_make(int count, hand_member *member, void *context)
{
    struct hand_ring *ring = calloc(1, sizeof *ring + (size_t)count * sizeof *ring->fibers);
    if (!ring)
        return NULL;
    ring->member = member;
    ring->context = context;
    ring->count = count;
    for (int i = 0; i < count; i++) {
        struct fiber *fiber = &ring->fibers[i];
        fiber->ring = ring;
        fiber->position = i;
        if (i == count - 1)
            break;
        fiber->stack = malloc(STACK_BYTES);
        if (!fiber->stack) {
            hand_ring_free(ring);
            return NULL;
        }
        fiber->context = make_fcontext(fiber->stack + STACK_BYTES, STACK_BYTES, enter);
    }
    return ring;
}

void hand_ring_turn(struct hand_ring *ring, uint64_t turn)
{
    const int last = ring->count - 1;
    if (turn == 0)
        /* The other members of the ring fill their first buffers. */
        leave(&ring->fibers[last]);
    ring->member(ring, ring->context, last, turn);
}
