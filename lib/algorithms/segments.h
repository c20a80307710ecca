/* The tree of scatter and gather. Its processors pass on contiguous pieces of neighbouring blocks.
 *
 * The processor lo holds the blocks lo ... lo + m - 1. In round t it gives away k contiguous pieces
 * of M_t blocks from the end of its blocks, but never its own block. The first processor of a piece
 * receives it. With S = ceil((n - 1) / k) and d = ceil(log_{k+1} n), for t from d down to 1:
 *   M_t = min(1 + k (M_d + ... + M_{t+1}), S - (M_d + ... + M_{t+1}) - (t - 1)).
 * With these sizes C1 = d and C2 = b S for every n and k. Both are the least without splitting
 * blocks. The usual tree with distances (k + 1)^t has a larger C2 for many n. */
#ifndef KPORT_LIB_ALGORITHMS_SEGMENTS_H
#define KPORT_LIB_ALGORITHMS_SEGMENTS_H

#include "kport/schedule.h"

#define KP_SEGMENT_ROUNDS 20 /* n < 2^20 */

/* Sets sizes[t - 1] to M_t and returns d. */
int kp_segment_sizes(int n, int k, int64_t sizes[KP_SEGMENT_ROUNDS]);

/* Neighbouring blocks. The processor `first` holds them. */
struct kp_segment {
    int64_t first, count;
};

/* Returns the q-th piece from the end that the holder gives away. Its count is 0 if there is none.
 */
struct kp_segment kp_segment_piece(struct kp_segment held, int64_t size, int64_t q);

/* Returns the index, from the end, of the piece that the processor p->rank receives in this round,
 * or -1 if it receives none. */
int kp_segment_number(struct kp_segment held, int64_t size, const kp_problem *p);

/* Returns the segment that contains p->rank after a round, given the segment `held` that contained
 * it before. */
struct kp_segment kp_segment_after(struct kp_segment held, int64_t size, const kp_problem *p);

#endif
