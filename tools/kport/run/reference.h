/* The definitions of the operations, written without the library: test data as a function of seed,
 * source, target and position, and the place where each operation must deliver it. `kport run` and
 * the tests share this file. */
#ifndef KPORT_TOOLS_REFERENCE_H
#define KPORT_TOOLS_REFERENCE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of blocks in a processor's outgoing and incoming buffer. The number is 0 if the
 * processor has no such buffer, or if it uses the other buffer (problem->in_place). */
size_t reference_out_blocks(const kp_problem *problem, int rank);
size_t reference_in_blocks(const kp_problem *problem, int rank);

/* The layout of a buffer (`incoming` or outgoing). Usually the blocks are b bytes long and
 * contiguous. In operations with a length for every block the lengths are 0 to b, a quarter of them
 * 0, with gaps between the blocks. `reference_bytes` returns the buffer's length;
 * `reference_lengths` writes each block's length and place. */
#define REFERENCE_GAP 0xA5 /* the byte that fills the gaps */
size_t reference_bytes(const kp_problem *problem, uint64_t seed, int rank, bool incoming);
void reference_lengths(const kp_problem *problem, uint64_t seed, int rank, bool incoming,
                       size_t *counts, size_t *displacements);

/* Fills the outgoing buffer of `rank`. */
void reference_fill_out(const kp_problem *problem, uint64_t seed, int rank, unsigned char *out);

/* Returns whether the outgoing buffer still holds these bytes. */
bool reference_out_intact(const kp_problem *problem, uint64_t seed, int rank,
                          const unsigned char *out);

/* The table of the results that a reduction gives to all processors. It is computed once, because
 * each processor would need time in proportion to n for its own result. `reference_results_bytes`
 * returns its length, 0 if the problem is no reduction. `reference_results` returns the table,
 * allocated by malloc, or NULL if there is no memory. */
size_t reference_results_bytes(const kp_problem *problem);
unsigned char *reference_results(const kp_problem *problem, uint64_t seed);

/* Fills an incoming buffer with bytes that are all wrong in their places, so that a byte which the
 * call does not write is detected. `results` is the table; if it is NULL, the result for `rank` is
 * computed here. */
void reference_spoil_in(const kp_problem *problem, uint64_t seed, int rank,
                        const unsigned char *results, unsigned char *in);

/* Writes the operands of a call in place into the incoming buffer. Not for the root of a scatter,
 * which has no incoming buffer in place. */
void reference_fill_in_place(const kp_problem *problem, uint64_t seed, int rank, unsigned char *in);

/* Returns the place of the first byte in the incoming buffer of `rank` that differs from the
 * operation's result or, between blocks, from REFERENCE_GAP; or -1. `results` as above. */
int64_t reference_first_wrong(const kp_problem *problem, uint64_t seed, int rank,
                              const unsigned char *results, const unsigned char *in);

#endif
