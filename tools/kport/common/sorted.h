/* Sorts times and computes their median. */
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

#endif
