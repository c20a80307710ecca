/* Computes random numbers from a seed. The same seed gives the same numbers on every computer. */
#ifndef KPORT_TOOLS_RANDOM_H
#define KPORT_TOOLS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Mixes the bits of x with the finalizer of SplitMix (Steele, Lea, Flood 2014). */
static inline uint64_t random_final(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t random_mixed(uint64_t x)
{
    return random_final(x + UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t random_of(uint64_t a, uint64_t b, uint64_t c)
{
    return random_mixed(random_mixed(random_mixed(a) + b) + c);
}

static inline uint64_t random_next(uint64_t *state)
{
    *state += 1;
    return random_mixed(*state);
}

/* Returns a random number from 0 to limit - 1. */
static inline int random_below(uint64_t *state, int limit)
{
    return (int)(random_next(state) % (uint64_t)limit);
}

/* Returns true with the probability 1 / times. */
static inline bool random_once_in(uint64_t *state, int times)
{
    return random_below(state, times) == 0;
}

#endif
