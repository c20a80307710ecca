/* These functions compute digit-wise sums. A schedule with a symmetry stores only the rounds of
 * rank 0. The peers of another rank are the digit-wise sums of this rank and the stored peers. */
#ifndef KPORT_LIB_SYMMETRY_H
#define KPORT_LIB_SYMMETRY_H

#include <stdint.h>

/* Returns the digit-wise sum of a and b: digits at the same position are added modulo the radix,
 * without carries. If a and b are below a power of the radix, so is the sum. If the numbers have
 * one digit and the radix is n, this is (a + b) mod n. For radix 2 it is a xor b. */
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
