/* One block cut in n parts, a part for each processor, and their concatenation.
 *
 * Source: the circulant concatenation of Bruck et al. 1997, section 4, without its split of
 * blocks; that long broadcasts and allreduces go by parts is folklore (Barnett et al. 1994).
 *
 * Unit x of the u units of the block is in part floor(x n / u): part j begins at unit
 * ceil(j u / n), so any c parts that follow one another, from the last to the first too, have
 * floor(c u / n) or ceil(c u / n) units. With u < n there are empty parts; a message of nothing but
 * empty parts is not sent.
 *
 * The concatenation: with d = ceil(log_{k+1} n), n1 = (k+1)^(d-1), in round i < d - 1 every
 * processor sends the (k+1)^i parts up to its own to the processors q (k+1)^i places on, q = 1 ...
 * k; then it has n1 of them, and in the last round port a brings columns a w ... (a + 1) w - 1 of
 * the n - n1 missing ones, w = ceil((n - n1) / k), all of them held by the processor n1 + a w
 * places back. Where the parts were scattered by segments.h before, processors have some of what
 * would come to them, the root all; that is left out, so that every unit reaches every processor
 * once, though it does not make the longest message of a round shorter. C1 = d; C2, in units, the
 * sum over i < d - 1 of ceil((k+1)^i u / n), + ceil(w u / n). */
#ifndef KPORT_LIB_ALGORITHMS_PARTS_H
#define KPORT_LIB_ALGORITHMS_PARTS_H

#include "kport/schedule.h"

/* The numbers that everything follows from. */
struct kp_parts {
    int64_t n, k, units;
    int64_t before_last; /* n1: parts held before the last round */
    int64_t width;       /* w: most columns on a port in the last round */
    int scattered;       /* the parts come from the scatter of segments.h: see below */
};

/* Whether the parts are smaller than the block. */
int kp_parts_split(const kp_problem *p);

struct kp_parts kp_parts_of(const kp_problem *p);

/* The most units that `count` neighbouring parts have; and where part `count` begins. */
int64_t kp_parts_most(const struct kp_parts *f, int64_t count);

/* From part `first` on, below n, those that do not go over the end of the block. */
kp_piece kp_parts_piece(const struct kp_parts *f, int64_t first, int64_t count);

/* The rounds of the concatenation; n > 1. And its C2 in units. */
void kp_parts_build(kp_builder *b, const kp_problem *p, const struct kp_parts *f);
uint64_t kp_parts_units(const struct kp_parts *f);

/* The concatenation alone, to be turned around; no row of the table, for what it does is no
 * operation by itself. */
extern const kp_algorithm kp_parts_concat;

#endif
