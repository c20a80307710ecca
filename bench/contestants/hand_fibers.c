/* A worker's members as fibers by hand: a ring of boost.context's fibers, of which the worker's own
 * thread is the last. A member that has filled its row switches to the next one. The last member
 * waits for the other worker. Then all members read the rows, in the same order. So a call costs
 * one switch for each member. */
#include "hand_fibers.h"

#include "../contestant.h"

#include <stdlib.h>

#define STACK_BYTES ((size_t)64 << 10)

struct transfer {
    void *context; /* the context of the fiber that switched here */
    void *data;
};

#ifdef BENCH_BOOST_CONTEXT
extern struct transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *top, size_t bytes, void (*enter)(struct transfer));
#else /* never called, because the contestant is reported as missing */
#define jump_fcontext(to, data)          ((struct transfer){to, data})
#define make_fcontext(top, bytes, enter) ((void)(enter), (void *)(top))
#endif

struct fiber {
    struct hand_ring *ring;
    int place;
    void *context; /* where the fiber resumes */
    char *stack;
};

struct hand_ring {
    hand_member *member;
    void *context;
    int count;
    struct fiber fibers[]; /* the last fiber is the worker's thread */
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
    return fiber->place + 1 == ring->count ? &ring->fibers[0] : fiber + 1;
}

/* Switches to the next fiber. When this fiber resumes, it stores the context of the fiber that
 * switched here. */
static void leave(struct fiber *self)
{
    struct transfer arrival = jump_fcontext(next_to(self)->context, self);
    ((struct fiber *)arrival.data)->context = arrival.context;
}

void hand_ring_wait(struct hand_ring *ring, int place, struct good_barrier *barrier)
{
    if (place == ring->count - 1)
        good_barrier_wait(barrier);
    leave(&ring->fibers[place]);
}

static void enter(struct transfer arrival)
{
    struct fiber *before = arrival.data, *self = next_to(before);
    before->context = arrival.context;
    for (uint64_t turn = 0;; turn++)
        self->ring->member(self->ring, self->ring->context, self->place, turn);
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
        fiber->place = i;
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
        leave(&ring->fibers[last]); /* the other members fill their first rows */
    ring->member(ring, ring->context, last, turn);
}
