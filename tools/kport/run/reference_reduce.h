/* Computes the results of reductions without the library. For each element the operands of the
 * processors are combined one after the other, in the order of the ranks. */
#ifndef KPORT_TOOLS_REFERENCE_REDUCE_H
#define KPORT_TOOLS_REFERENCE_REDUCE_H

#include "kport/schedule.h"
#include "tools/kport/common/random.h"

#include <stddef.h>
#include <stdint.h>

/* Returns 64-bit word number `position` of block number `block` in the operand of processor
 * `source`. */
static inline uint64_t reference_word(uint64_t seed, size_t source, size_t block, uint64_t position)
{
    return random_final(seed + 0x9e3779b97f4a7c15u * (position + 1) +
                        0xbf58476d1ce4e5b9u * (source + 1) + 0x94d049bb133111ebu * (block + 1));
}

/* Returns the bytes of an element. */
size_t reference_element_bytes(const kp_problem *problem);

/* Fills `to` with the elements of block number `block` in the operand of processor `source`.
 * Integers have arbitrary values. Floating-point values are chosen so that every result is exact in
 * any order of combination. */
void reference_operands(const kp_problem *problem, uint64_t seed, size_t source, size_t block,
                        unsigned char *to);

/* Fills `to` with the combination of the blocks number `block` of processors 0 to end - 1. `end`
 * must be greater than 0. */
void reference_combined(const kp_problem *problem, uint64_t seed, size_t end, size_t block,
                        unsigned char *to);

/* Compares a block of elements with the expected elements. Returns the position of the first byte
 * of the first element whose value differs, or -1. Bytes that hold no value (in a long double, or
 * in a pair) are not compared. */
int64_t reference_differs(const kp_problem *problem, const unsigned char *expected,
                          const unsigned char *data);

/* Fills `to` with n contiguous blocks. Block i is the combination of the blocks number 0 of
 * processors 0 to i. */
void reference_running(const kp_problem *problem, uint64_t seed, unsigned char *to);

#endif
