/* Draws packets at random. A drawn packet is removed, and every remaining packet is equally likely
 * to be drawn next. Packets of the same kind, which here means the same destination, are only
 * counted. */
#ifndef KPORT_LIB_ROUTE_DRAW_H
#define KPORT_LIB_ROUTE_DRAW_H

#include "lib/route/random.h"

/* A Fenwick tree (Fenwick 1994) over the numbers of packets of each kind. tree[i] is the sum of
 * these numbers over a range of kinds. The range ends at kind i - 1, because kinds count from 0.
 * The range has as many kinds as the largest power of two that divides i. To draw and remove a
 * packet takes O(log n) steps. */
struct kp_draw {
    int32_t *tree; /* n + 1 numbers in the caller's memory */
    int32_t n;
    int64_t left;
};

static inline struct kp_draw kp_draw_begin(int32_t *tree, const int32_t *counts, int32_t n)
{
    struct kp_draw d = {tree, n, 0};
    tree[0] = 0;
    for (int32_t i = 1; i <= n; i++) {
        tree[i] = counts[i - 1];
        d.left += counts[i - 1];
    }
    for (int32_t i = 1; i <= n; i++) {
        int32_t above = i + (i & -i);
        if (above <= n)
            tree[above] += tree[i];
    }
    return d;
}

static inline void kp_draw_take(struct kp_draw *d, int32_t kind)
{
    d->left--;
    for (int32_t i = kind + 1; i <= d->n; i += i & -i)
        d->tree[i]--;
}

/* Draws one packet at random, removes it, and returns its kind. At least one packet must be
 * left. */
static inline int32_t kp_draw_one(struct kp_draw *d, struct kp_random *random)
{
    int32_t rank = (int32_t)kp_random_below(random, (uint32_t)d->left), at = 0, step = 1;
    while (step <= d->n / 2)
        step *= 2;
    for (; step > 0; step /= 2) {
        if (at + step <= d->n && d->tree[at + step] <= rank) {
            at += step;
            rank -= d->tree[at];
        }
    }
    kp_draw_take(d, at);
    return at;
}

#endif
