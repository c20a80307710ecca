/* This header has integer arithmetic for costs and places. A sum or product that is too large
 * becomes the largest number instead of wrapping. Divisions round up, and remainders are never
 * negative. */
#ifndef KPORT_LIB_ARITHMETIC_H
#define KPORT_LIB_ARITHMETIC_H

#include <stdint.h>

/* Returns a + b, or UINT64_MAX if the sum is larger. `kp_times` does the same for a * b. */
static inline uint64_t kp_plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t kp_times(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* Returns a / b, rounded up. Requires b > 0. */
static inline uint64_t kp_ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Returns a mod m as a number in 0 ... m - 1, also for negative a. Requires m > 0. */
static inline int64_t kp_mod(int64_t a, int64_t m)
{
    int64_t rest = a % m;
    return rest < 0 ? rest + m : rest;
}

static inline int64_t kp_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns the shorter side of a torus that is as near to a square as n allows: the largest factor
 * of n that is at most sqrt(n). The other side is n divided by this factor. */
static inline int kp_near_square(int n)
{
    int side = 1;
    for (int i = 2; i <= n / i; i++) {
        if (n % i == 0)
            side = i;
    }
    return side;
}

#endif
