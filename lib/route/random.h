/* This header makes the random numbers of routing. Each processor has a sequence of its own, which
 * depends only on the seed and the processor's rank. All calculation is with integers, so a seed
 * gives the same rounds on every machine. */
#ifndef KPORT_LIB_ROUTE_RANDOM_H
#define KPORT_LIB_ROUTE_RANDOM_H

#include "ports/port.h"

#include <stdint.h>

struct kp_random {
    uint64_t state;
};

static inline struct kp_random kp_random_of(uint64_t seed, uint64_t stream)
{
    struct kp_random random = {kp_mix(seed + UINT64_C(0x632be59bd9b4e019))};
    random.state ^= kp_mix((stream + 1) * UINT64_C(0x9e3779b97f4a7c15));
    return random;
}

/* Returns a random number from 0 to limit - 1. `limit` is 1 ... 2^31. */
static inline uint32_t kp_random_below(struct kp_random *random, uint32_t limit)
{
    return (uint32_t)(((kp_random_from(&random->state) >> 32) * limit) >> 32);
}

/* Puts the first `count` of the numbers into random order. */
static inline void kp_random_shuffle(struct kp_random *random, int32_t *numbers, int32_t count)
{
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = (int32_t)kp_random_below(random, (uint32_t)i + 1), kept = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = kept;
    }
}

#endif
