/* This header has sets of units. A set is a list of intervals in ascending order, with gaps between
 * them. */
#ifndef KPORT_LIB_INTERVALS_H
#define KPORT_LIB_INTERVALS_H

#include "lib/schedule/vector.h"

#include <stdbool.h>
#include <string.h>

struct kp_interval {
    int64_t first, end; /* the units first ... end - 1 */
};

/* Returns the index of the first interval that ends after `unit`. */
static inline size_t kp_intervals_find(const struct kp_vector *set, int64_t unit)
{
    const struct kp_interval *all = set->items;
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].end <= unit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns whether `unit` is in the set. Also finds the first later unit for which the answer
 * differs. If that later unit is less than `*end`, sets `*end` to it. */
static inline bool kp_intervals_hold(const struct kp_vector *set, int64_t unit, int64_t *end)
{
    size_t at = kp_intervals_find(set, unit);
    if (at == set->count)
        return false;
    const struct kp_interval *next = (const struct kp_interval *)set->items + at;
    bool held = next->first <= unit;
    int64_t change = held ? next->end : next->first;
    *end = change < *end ? change : *end;
    return held;
}

/* Adds the units first ... end - 1 to the set. Returns false if there is no memory. */
static inline bool kp_intervals_add(struct kp_vector *set, int64_t first, int64_t end)
{
    if (first >= end)
        return true;
    /* The loop finds `to`: the intervals `from` ... `to` - 1 touch the new interval. */
    size_t from = kp_intervals_find(set, first - 1), to = from;
    struct kp_interval *all = set->items;
    for (; to < set->count && all[to].first <= end; to++) {
        first = all[to].first < first ? all[to].first : first;
        end = all[to].end > end ? all[to].end : end;
    }
    if (from == to && !kp_vector_add(set, sizeof *all))
        return false;
    all = set->items;
    size_t behind = set->count - (from == to) - to, next = from + 1;
    memmove(all + next, all + to, behind * sizeof *all);
    set->count = next + behind;
    all[from] = (struct kp_interval){first, end};
    return true;
}

#endif
