/* What reductions are to give, written without the library: one element after the other, in the
 * order of the processors. */
#ifndef KPORT_TOOLS_REFERENCE_REDUCE_H
#define KPORT_TOOLS_REFERENCE_REDUCE_H

#include "kport/schedule.h"
#include "tools/kport/common/random.h"

#include <stddef.h>
#include <stdint.h>

/* One word of a block's contents. */
static inline uint64_t reference_word(uint64_t seed, size_t source, size_t block, uint64_t position)
{
    return random_final(seed + 0x9e3779b97f4a7c15u * (position + 1) +
                        0xbf58476d1ce4e5b9u * (source + 1) + 0x94d049bb133111ebu * (block + 1));
}

/* Fills a block of `bytes` bytes with the elements of block `block` of `source`. Integers are any;
 * floating values are such that every result is exact, in whatever order it is made. */
void reference_operands(const kp_problem *problem, uint64_t seed, size_t source, size_t block,
                        unsigned char *to);

/* Fills it with those of processors 0 ... end - 1, end > 0, combined. */
void reference_combined(const kp_problem *problem, uint64_t seed, size_t end, size_t block,
                        unsigned char *to);

/* Fills n blocks, one after the other: the i-th with those of processors 0 ... i of their block 0
 * combined. */
void reference_running(const kp_problem *problem, uint64_t seed, unsigned char *to);

#endif
