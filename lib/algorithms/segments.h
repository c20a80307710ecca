/* This header has the tree of scatter and gather, in which processors pass on segments of
 * consecutive blocks. This comment describes the scatter, in which block i is for processor i. A
 * gather is a scatter backwards.
 *
 * At first the root, processor 0, holds all n blocks. The processor lo that holds the blocks lo ...
 * lo + m - 1 is called their holder. In round t a holder gives away k pieces from the end of its
 * segment. A piece has M_t consecutive blocks, or fewer if the segment has no more, because a
 * holder never gives its own block away. The processor whose block is the first of a piece receives
 * the piece, and is then the holder of the piece. Let S = ceil((n - 1) / k) and d = ceil(log_{k+1}
 * n). The sizes are computed for t = d, d - 1, ..., 1:
 *   M_t = min(1 + k (M_d + ... + M_{t+1}), S - (M_d + ... + M_{t+1}) - (t - 1)).
 * With these sizes C1 = d and C2 = b S for every n and k. C1 is the minimum, and C2 is the minimum
 * of all algorithms that do not split blocks. The usual (k + 1)-ary tree sends over distances of (k
 * + 1)^t ranks, and has a larger C2 for many n. */
#ifndef KPORT_LIB_ALGORITHMS_SEGMENTS_H
#define KPORT_LIB_ALGORITHMS_SEGMENTS_H

#include "kport/schedule.h"

#define KP_SEGMENT_ROUNDS 20 /* n < 2^20 */

/* Stores M_t in sizes[t - 1] for t = 1 ... d, and returns d. */
int kp_segment_sizes(int n, int k, int64_t sizes[KP_SEGMENT_ROUNDS]);

/* A segment: the blocks first ... first + count - 1. Its holder is processor `first`. */
struct kp_segment {
    int64_t first, count;
};

/* Returns piece q that the holder of `held` gives away in a round whose pieces have `size` blocks.
 * Piece 0 is at the end of the segment, piece 1 is before piece 0, and so on. If there is no piece
 * q, the returned count is 0. */
struct kp_segment kp_segment_piece(struct kp_segment held, int64_t size, int64_t q);

/* Returns the number q of the piece that processor p->rank receives in a round whose pieces have
 * `size` blocks, or -1 if it receives none. `held` is the segment that contains block p->rank
 * before the round. */
int kp_segment_number(struct kp_segment held, int64_t size, const kp_problem *p);

/* Returns the segment that contains block p->rank after a round. `held` is the segment that
 * contains this block before the round. */
struct kp_segment kp_segment_after(struct kp_segment held, int64_t size, const kp_problem *p);

#endif
