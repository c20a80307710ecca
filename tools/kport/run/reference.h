/* Defines the test data, and the result of every operation, without use of the library. Each byte
 * of the test data is a function of the seed, the sender, the block and the position in the block.
 * `kport run` and the tests use this file to verify the library. */
#ifndef KPORT_TOOLS_REFERENCE_H
#define KPORT_TOOLS_REFERENCE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `reference_out_blocks` returns the number of blocks in the outgoing buffer of `rank`, and
 * `reference_in_blocks` the number in its incoming buffer. The number is 0 if `rank` has no such
 * buffer, or if its call is in place (problem->in_place) and uses only the other buffer. */
size_t reference_out_blocks(const kp_problem *problem, int rank);
size_t reference_in_blocks(const kp_problem *problem, int rank);

/* These functions describe the positions of the blocks in the incoming or outgoing buffer of
 * `rank`. Usually all blocks have b bytes and are contiguous. In an operation whose blocks have
 * lengths of their own, the lengths are from 0 to b, a quarter of them are 0, and there are gaps
 * between the blocks. `reference_bytes` returns the length of the buffer. `reference_lengths`
 * writes the length of each block to `counts` and its position to `displacements`. */
#define REFERENCE_GAP 0xA5 /* the value of every byte in a gap */
size_t reference_bytes(const kp_problem *problem, uint64_t seed, int rank, bool incoming);
void reference_lengths(const kp_problem *problem, uint64_t seed, int rank, bool incoming,
                       size_t *counts, size_t *displacements);

/* Fills the outgoing buffer of `rank` with the test data. */
void reference_fill_out(const kp_problem *problem, uint64_t seed, int rank, unsigned char *out);

/* Returns whether the outgoing buffer still holds the test data of reference_fill_out. */
bool reference_out_intact(const kp_problem *problem, uint64_t seed, int rank,
                          const unsigned char *out);

/* The table of results has a reduction's results for all processors. It is computed once, because a
 * processor would need time proportional to n to compute its own result. `reference_results_bytes`
 * returns the length of the table in bytes, which is 0 if the problem is no reduction.
 * `reference_results` returns the table, allocated by malloc, or NULL if there is no memory. */
size_t reference_results_bytes(const kp_problem *problem);
unsigned char *reference_results(const kp_problem *problem, uint64_t seed);

/* Writes to each byte of the incoming buffer a value that differs from the value that the call must
 * write there. So a byte that the call does not write is detected. `results` is the table of
 * results, or NULL: then this function computes the result. */
void reference_spoil_in(const kp_problem *problem, uint64_t seed, int rank,
                        const unsigned char *results, unsigned char *in);

/* For a call in place: writes its operands into the incoming buffer. `rank` must not be the root of
 * a scatter, because this root has no incoming buffer in a call in place. */
void reference_fill_in_place(const kp_problem *problem, uint64_t seed, int rank, unsigned char *in);

/* Returns the position of the first wrong byte in the incoming buffer of `rank`, or -1 if no byte
 * is wrong. A byte of a block is wrong if it differs from the operation's result. A byte between
 * blocks is wrong if it differs from REFERENCE_GAP. `results` is the table of results, or NULL:
 * then this function computes the result. */
int64_t reference_first_wrong(const kp_problem *problem, uint64_t seed, int rank,
                              const unsigned char *results, const unsigned char *in);

#endif
