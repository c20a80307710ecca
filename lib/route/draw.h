/* Draws packets at random without putting them back. Every packet is equally likely. */
#ifndef KPORT_LIB_ROUTE_DRAW_H
#define KPORT_LIB_ROUTE_DRAW_H

#include "lib/route/random.h"

/* A Fenwick tree (Fenwick 1994): tree[i] is the sum of the counts of a range of kinds that ends at
 * i and whose length is a power of two. Drawing a packet and removing one take O(log n). */
struct kp_draw {
    int32_t *tree; /* the caller's memory, n + 1 numbers */
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

/* Removes one packet at random and returns its kind. At least one packet must be left. */
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
