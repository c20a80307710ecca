/* The tree of scatter and gather: neighbouring blocks, handed on in contiguous pieces.
 *
 * A holder of blocks lo ... lo + m - 1 is processor lo. In round t it gives away k contiguous
 * pieces from its end, each of M_t blocks as long as it keeps its own; who gets a piece is the
 * piece's first processor. With S = ceil((n - 1) / k), d = ceil(log_{k+1} n), for t from d down to
 * 1: M_t = min(1 + k (M_d + ... + M_{t+1}), S - (M_d + ... + M_{t+1}) - (t - 1)). These sizes make
 * C1 = d and C2 = b S for every n and k, both the least without splitting blocks; the usual tree
 * with distances (k + 1)^t misses the second for many n. */
#ifndef KPORT_LIB_ALGORITHMS_SEGMENTS_H
#define KPORT_LIB_ALGORITHMS_SEGMENTS_H

#include "kport/schedule.h"

#define KP_SEGMENT_ROUNDS 20 /* n < 2^20 */

/* sizes[t - 1] = M_t. Returns d. */
int kp_segment_sizes(int n, int k, int64_t sizes[KP_SEGMENT_ROUNDS]);

/* Neighbouring blocks that one processor, the first, holds. */
struct kp_segment {
    int64_t first, count;
};

/* The q-th piece from the end that a holder gives away; count 0 if there is none. */
struct kp_segment kp_segment_piece(struct kp_segment held, int64_t size, int64_t q);

/* Which piece, counted from the end, the processor gets in that round as its first; -1 if none. */
int kp_segment_number(struct kp_segment held, int64_t size, const kp_problem *p);

/* The segment around the rank after a round in which it was in `held`. */
struct kp_segment kp_segment_after(struct kp_segment held, int64_t size, const kp_problem *p);

#endif
