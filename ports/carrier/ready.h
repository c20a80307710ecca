/* The ready fibers of a worker: a list in the order in which they run, or a bag from which the
 * machine's seed chooses. Only the worker itself uses them. */
#ifndef KPORT_PORTS_CARRIER_READY_H
#define KPORT_PORTS_CARRIER_READY_H

#include "ports/carrier/fibers.h"
#include "ports/mix.h"
#include "ports/without.h"

#include <stdbool.h>
#include <stdint.h>

#define STACK_LINES 6 /* so much of a fiber's stack is fetched before its turn */

static inline bool any_ready(const struct kp_worker *worker)
{
    return worker->first || worker->in_bag > 0;
}

/* Appends a list of fibers to the ready fibers. */
static inline void make_ready(struct kp_worker *worker, struct kp_fiber *first,
                              struct kp_fiber *last)
{
    last->next = NULL;
    for (; worker->bag && first; first = first->next)
        worker->bag[worker->in_bag++] = first;
    if (worker->bag)
        return;
    if (worker->first)
        worker->last->next = first;
    else
        worker->first = first;
    worker->last = last;
}

/* Fetches data into the cache before they are needed, because with thousands of fibers a fiber has
 * left the cache by its next turn. The caller is about to run a fiber. `soon` is the fiber that
 * runs after it. This fetches the stack of `soon` and the kp_fiber of the fiber after `soon`. */
static inline void look_ahead(const struct kp_fiber *soon)
{
#if KP_SWITCH == KP_SWITCH_BOOST
    if (!KP_HAS(FIBER_AHEAD) || !soon)
        return;
    __builtin_prefetch(soon->next);
    uintptr_t stack = (uintptr_t)soon->context.at; /* `at` is 0 before the fiber's first turn */
    for (int line = 0; line < STACK_LINES; line++)
        __builtin_prefetch((const void *)(stack + (uintptr_t)line * KP_CACHE_LINE));
#else
    (void)soon;
#endif
}

/* Removes a fiber from the ready fibers and returns it. Returns NULL if no fiber is ready. The
 * machine's seed, if it has one, chooses the fiber at random; otherwise it is the first one. */
static inline struct kp_fiber *take_ready(struct kp_worker *worker)
{
    struct kp_fiber *fiber = worker->first;
    if (fiber) {
        worker->first = fiber->next;
        look_ahead(worker->first);
    } else if (worker->in_bag > 0) {
        int i = (int)(kp_random_from(&worker->random) % (uint64_t)worker->in_bag);
        fiber = worker->bag[i];
        worker->bag[i] = worker->bag[--worker->in_bag];
    }
    return fiber;
}

#endif
