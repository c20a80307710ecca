/* This header has hashes and pseudorandom numbers. The same input gives the same number on every
 * machine. */
#ifndef KPORT_PORTS_MIX_H
#define KPORT_PORTS_MIX_H

#include <stdint.h>

/* Returns a number in which each bit depends on all bits of `x`. If one bit of `x` changes, about
 * half of the result's bits change. Source: Steele, Lea and Flood 2014, SplitMix64. */
static inline uint64_t kp_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Returns the next number of a pseudorandom sequence. Before the first call `state` is the seed. */
static inline uint64_t kp_random_from(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return kp_mix(*state);
}

/* Returns the hash of a sequence that ends in `value`. `hash` is the hash of the values before
 * it. */
static inline uint64_t kp_hash(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
