/* One block that is cut in n parts, one for each processor, and the concatenation of the parts.
 *
 * Source: the circulant concatenation of Bruck et al. 1997, section 4, without its split of blocks.
 * To broadcast and allreduce long blocks by parts is folklore (Barnett et al. 1994).
 *
 * The block has u units. Unit x is in part floor(x n / u), so part j begins at unit ceil(j u / n).
 * Any c parts that follow one another cyclically have floor(c u / n) or ceil(c u / n) units. If
 * u < n, some parts are empty. A message that would have only empty parts is not sent.
 *
 * How the concatenation works. Let d = ceil(log_{k+1} n) and n1 = (k+1)^(d-1). In round i < d - 1
 * every processor sends the (k+1)^i parts up to its own to the processors q (k+1)^i places on,
 * q = 1 ... k. After these rounds it has n1 parts. Let w = ceil((n - n1) / k). In the last round
 * port a receives columns a w ... (a + 1) w - 1 of the n - n1 missing parts. The processor n1 + a w
 * places back has all of these.
 *
 * If the scatter of segments.h came before, processors have some of these parts already, and the
 * root has all. A message leaves out the parts that its receiver has. So every unit reaches every
 * processor once. The longest message of a round does not become shorter by this.
 *
 * Cost. C1 = d. C2, in units, is the sum over i < d - 1 of ceil((k+1)^i u / n), + ceil(w u / n). */
#ifndef KPORT_LIB_ALGORITHMS_PARTS_H
#define KPORT_LIB_ALGORITHMS_PARTS_H

#include "kport/schedule.h"

/* The numbers that define parts and rounds. */
struct kp_parts {
    int64_t n, k, units;
    int64_t before_last; /* n1: the parts that a processor has before the last round */
    int64_t width;       /* w: the most columns of a port in the last round */
    int scattered;       /* 1: the scatter of segments.h came before */
};

/* Returns whether the block is cut, so that a part is smaller than the block. */
int kp_parts_split(const kp_problem *p);

struct kp_parts kp_parts_of(const kp_problem *p);

/* Returns the most units of any `count` neighbouring parts. This is also the unit at which part
 * `count` begins. */
int64_t kp_parts_most(const struct kp_parts *f, int64_t count);

/* Returns the place of the parts `first`, ... ; `first` is below n. There are `count` parts, or
 * fewer if the block ends before. */
kp_piece kp_parts_piece(const struct kp_parts *f, int64_t first, int64_t count);

/* `kp_parts_build` writes the rounds of the concatenation, for n > 1. `kp_parts_units` returns its
 * C2 in units. */
void kp_parts_build(kp_builder *b, const kp_problem *p, const struct kp_parts *f);
uint64_t kp_parts_units(const struct kp_parts *f);

/* The concatenation as an algorithm, from which reductions are made by reversal. It is not in the
 * table, because it is no operation by itself. */
extern const kp_algorithm kp_parts_concat;

#endif
