/* Sums of a rank and what a symmetric schedule stores for rank 0. */
#ifndef KPORT_LIB_SYMMETRY_H
#define KPORT_LIB_SYMMETRY_H

#include <stdint.h>

/* Returns the sum of all digits without carries. If both numbers are below a power of the radix, so
 * is the sum. With one digit and radix n it is the sum mod n, with radix 2 the exclusive or. */
static inline int64_t kp_digit_sum(int64_t a, int64_t b, int64_t radix)
{
    int64_t sum = 0;
    for (int64_t weight = 1; a > 0 || b > 0; weight *= radix) {
        sum += (a % radix + b % radix) % radix * weight;
        a /= radix;
        b /= radix;
    }
    return sum;
}

/* Returns the number whose digit-wise sum with `a` is 0. */
static inline int64_t kp_digit_negative(int64_t a, int64_t radix)
{
    int64_t negative = 0;
    for (int64_t weight = 1; a > 0; weight *= radix) {
        negative += (radix - a % radix) % radix * weight;
        a /= radix;
    }
    return negative;
}

#endif
