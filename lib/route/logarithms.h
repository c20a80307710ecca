/* This header computes logarithms and roots of integers. Members make decisions by the results, so
 * the results must be the same at all members. Therefore the calculation uses integers only, which
 * gives the same result on every machine. */
#ifndef KPORT_LIB_ROUTE_LOGARITHMS_H
#define KPORT_LIB_ROUTE_LOGARITHMS_H

#include <stdint.h>

/* Returns the smallest d with 2^d >= x, and 0 for x = 0. */
static inline uint64_t kp_log2_up(uint64_t x)
{
    uint64_t d = 0;
    while (d < 63 && (UINT64_C(1) << d) < x)
        d++;
    return d;
}

/* `kp_log_log_up` returns log2(log2(x)). `kp_log_star` returns how often log2 has to be applied to
 * x until the result is 1. Both round up and return at least 1. */
static inline uint64_t kp_log_log_up(uint64_t x)
{
    uint64_t d = kp_log2_up(kp_log2_up(x));
    return d > 0 ? d : 1;
}

static inline uint64_t kp_log_star(uint64_t x)
{
    uint64_t times = 0;
    for (; x > 1; times++)
        x = kp_log2_up(x);
    return times > 0 ? times : 1;
}

/* Returns the largest integer whose square is at most x. */
static inline uint64_t kp_root_down(uint64_t x)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit /= 2) {
        if ((root + bit) * (root + bit) <= x)
            root += bit;
    }
    return root;
}

#endif
