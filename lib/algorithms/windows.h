/* The scans share these functions. Each processor has a window: neighbouring operands that end at a
 * fixed rank and are combined. The window grows in every round. */
#ifndef KPORT_LIB_ALGORITHMS_WINDOWS_H
#define KPORT_LIB_ALGORITHMS_WINDOWS_H

#include "kport/schedule.h"

struct kp_window {
    kp_builder *b;
    const kp_problem *p;
    int lowest;   /* the lowest rank that has a window */
    kp_piece sum; /* place of the combined operands of the window */
    int changes;  /* number of rounds to come in which this window grows */
};

/* Returns the place of the sum after the next change, and counts the change. Places alternate so
 * that the last sum is in the incoming buffer. */
static inline kp_piece kp_window_next(struct kp_window *w)
{
    w->changes--;
    return kp_run_of(w->changes % 2 == 0 ? KP_IN : KP_SCRATCH, 0, 1);
}

/* Writes one round. Before it the windows have `width` operands, after it k + 1 times as many. */
static inline void kp_window_round(struct kp_window *w, int64_t width)
{
    const kp_problem *p = w->p;
    kp_build_round(w->b);
    for (int q = 1; p->rank >= w->lowest && q <= p->k && p->rank + q * width < p->n; q++) {
        kp_build_send(w->b, q - 1, (int)(p->rank + q * width));
        kp_build_piece(w->b, w->sum);
    }
    if (p->rank - width < w->lowest)
        return;
    kp_piece to = kp_window_next(w);
    for (int q = 1; q <= p->k && p->rank - q * width >= w->lowest; q++) {
        kp_build_combine(w->b, q - 1, (int)(p->rank - q * width), KP_LEFT);
        kp_build_piece(w->b, to);
        kp_build_operand(w->b, q == 1 ? w->sum : to);
    }
    w->sum = to;
}

#endif
