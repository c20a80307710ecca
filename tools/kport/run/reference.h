/* What the operations are to do, written without the library: data that is a function of seed,
 * source, target and position, and where each operation wants it. Shared by `kport run` and the
 * tests. */
#ifndef KPORT_TOOLS_REFERENCE_H
#define KPORT_TOOLS_REFERENCE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks of a processor's outgoing and incoming buffer; 0 where it has none, or where it stays in
 * the other one (problem->in_place). */
size_t reference_out_blocks(const kp_problem *problem, int rank);
size_t reference_in_blocks(const kp_problem *problem, int rank);

/* Where the blocks of a buffer (`incoming` or outgoing) lie: all b bytes long and one after the
 * other; or, where an operation has a length for every block, of 0 ... b bytes, a quarter of them
 * of 0, with gaps. The whole length, and that of every block with its place. */
#define REFERENCE_GAP 0xA5 /* what has to be in the gaps before the call */
size_t reference_bytes(const kp_problem *problem, uint64_t seed, int rank, bool incoming);
void reference_lengths(const kp_problem *problem, uint64_t seed, int rank, bool incoming,
                       size_t *counts, size_t *displacements);

/* Fills the outgoing buffer of `rank`. */
void reference_fill_out(const kp_problem *problem, uint64_t seed, int rank, unsigned char *out);

/* Whether the buffer still holds that. */
bool reference_out_intact(const kp_problem *problem, uint64_t seed, int rank,
                          const unsigned char *out);

/* What a reduction gives to all its processors, computed once: each of them would need time in
 * proportion to n for its own. The bytes of this table, 0 for what is no reduction; and the table,
 * from malloc, or NULL if there is no memory. */
size_t reference_results_bytes(const kp_problem *problem);
unsigned char *reference_results(const kp_problem *problem, uint64_t seed);

/* Fills an incoming buffer with bytes each of which is wrong in its place, so that one which nobody
 * writes is found whatever belongs there. `results` is the table; NULL: there is none, and what
 * belongs to `rank` is computed here. */
void reference_spoil_in(const kp_problem *problem, uint64_t seed, int rank,
                        const unsigned char *results, unsigned char *in);

/* Puts into it what lies there before a call in place. Not for the root of a scatter, which has no
 * incoming buffer then. */
void reference_fill_in_place(const kp_problem *problem, uint64_t seed, int rank, unsigned char *in);

/* The first byte of the incoming buffer of `rank` that is not what the operation wants there, or
 * that lies between its blocks and was changed, or -1. `results` as above. */
int64_t reference_first_wrong(const kp_problem *problem, uint64_t seed, int rank,
                              const unsigned char *results, const unsigned char *in);

#endif
