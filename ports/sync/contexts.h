/* The numbers of groups whose members share no memory. */
#ifndef KPORT_PORTS_SYNC_CONTEXTS_H
#define KPORT_PORTS_SYNC_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

/* Every group has a context, a number that the tags of its messages contain. Two groups with a
 * common processor have different contexts. Context 0 is that of the messages by which a group's
 * members agree on the group's context, and context 1 that of the world. */
#define WORLDS_CONTEXT 1
#define CONTEXTS       2048

struct contexts {
    uint64_t free[CONTEXTS / 64]; /* bit i % 64 of word i / 64 is set if context i is free */
};

static inline void contexts_set(struct contexts *contexts, uint64_t i, bool is_free)
{
    const uint64_t bit = (uint64_t)1 << i % 64;
    if (is_free)
        contexts->free[i / 64] |= bit;
    else
        contexts->free[i / 64] &= ~bit;
}

/* Returns the smallest free context, or 0 if there is none. */
static inline uint64_t contexts_first(const struct contexts *contexts)
{
    uint64_t i = 0;
    while (i < CONTEXTS && !(contexts->free[i / 64] >> i % 64 & 1))
        i++;
    return i < CONTEXTS ? i : 0;
}

#endif
