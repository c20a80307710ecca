/* The results of reductions, computed without the library: element by element, in the order of the
 * ranks. */
#ifndef KPORT_TOOLS_REFERENCE_REDUCE_H
#define KPORT_TOOLS_REFERENCE_REDUCE_H

#include "kport/schedule.h"
#include "tools/kport/common/random.h"

#include <stddef.h>
#include <stdint.h>

/* Returns one word of a block's contents. */
static inline uint64_t reference_word(uint64_t seed, size_t source, size_t block, uint64_t position)
{
    return random_final(seed + 0x9e3779b97f4a7c15u * (position + 1) +
                        0xbf58476d1ce4e5b9u * (source + 1) + 0x94d049bb133111ebu * (block + 1));
}

/* Fills `to` with the elements of block number `block` of processor `source`. Integers have
 * arbitrary values. Floating-point values are chosen so that every result is exact in any order. */
void reference_operands(const kp_problem *problem, uint64_t seed, size_t source, size_t block,
                        unsigned char *to);

/* Fills `to` with the combination of block `block` of processors 0 to end - 1; end > 0. */
void reference_combined(const kp_problem *problem, uint64_t seed, size_t end, size_t block,
                        unsigned char *to);

/* Fills n contiguous blocks; block i is the combination of block 0 of processors 0 to i. */
void reference_running(const kp_problem *problem, uint64_t seed, unsigned char *to);

#endif
