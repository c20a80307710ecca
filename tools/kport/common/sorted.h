/* Sorts times, computes their median and percentiles, and bounds the true median. */
#ifndef KPORT_TOOLS_SORTED_H
#define KPORT_TOOLS_SORTED_H

#include <stddef.h>
#include <stdlib.h>

static inline int sorted_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sorted_by_value(double *values, size_t count)
{
    qsort(values, count, sizeof *values, sorted_compare);
}

/* Sorts the values and returns their median. There must be at least one value. */
static inline double sorted_median(double *values, size_t count)
{
    sorted_by_value(values, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Let the values be sorted. Returns the smallest value such that at least `percent` % of all values
 * are not greater. There must be at least one value. */
static inline double sorted_percentile(const double *values, size_t count, unsigned percent)
{
    size_t nearest = (count * percent + 99) / 100;
    return values[nearest > 0 ? nearest - 1 : 0];
}

/* Let `count` values be sorted. Returns the index of the first value that, with a probability of at
 * least 95 %, is not below the true median. Returns -1 if there are too few values. Each value is
 * below the true median with probability 1/2. So the number of values below the true median is
 * distributed as the number of heads in `count` tosses of a coin. */
static inline int sorted_bound_of_median(int count)
{
    double term = 1, below = 0; /* `term`: the probability of exactly i heads; `below`: the
                                   probability of at most i heads */
    for (int i = 0; i < count; i++)
        term /= 2;
    for (int i = 0; i < count; i++) {
        below += term;
        if (below >= 0.95)
            return i;
        term = term * (count - i) / (i + 1);
    }
    return -1;
}

#endif
