/* This header has functions that the scans share. The window of a processor is a range of
 * consecutive ranks. The window ends at the processor's own rank, or in an exclusive scan at the
 * next lower rank. The processor holds the sum of the window: the combination of the operands of
 * these ranks. In every round the window grows downwards, until it begins at rank 0. */
#ifndef KPORT_LIB_ALGORITHMS_WINDOWS_H
#define KPORT_LIB_ALGORITHMS_WINDOWS_H

#include "kport/schedule.h"

struct kp_window {
    kp_builder *b;
    const kp_problem *p;
    int lowest;   /* the lowest rank whose window is not empty */
    kp_piece sum; /* where the sum of the window lies */
    int changes;  /* the number of further rounds in which this window grows */
};

/* Returns where the sum lies after the next round in which the window grows, and counts this round.
 * The sum alternates between scratch and the incoming buffer, and ends in the incoming buffer. */
static inline kp_piece kp_window_next(struct kp_window *w)
{
    w->changes--;
    return kp_run_of(w->changes % 2 == 0 ? KP_IN : KP_SCRATCH, 0, 1);
}

/* Writes one round. Before the round the windows have `width` operands, and after it (k + 1) width,
 * or fewer if rank 0 is reached. */
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
