/* This header is for a block that is cut into n parts, part j for processor j, and for the
 * concatenation of these parts.
 *
 * Source: the circulant concatenation of Bruck et al. 1997, section 4. In the paper the last round
 * may split a block, but here no round splits a part. Broadcast and allreduce of long blocks by
 * parts are folklore (Barnett et al. 1994).
 *
 * The block has u units, which are bytes, or elements in a reduction. Unit x belongs to part
 * floor(x n / u), so part j begins at unit ceil(j u / n). Any c parts that follow each other
 * cyclically have floor(c u / n) or ceil(c u / n) units. If u < n, some parts are empty. A message
 * that would have only empty parts is not sent.
 *
 * How the concatenation works. Let d = ceil(log_{k+1} n) and n1 = (k+1)^(d-1). Ranks and parts
 * count mod n. In round i = 0 ... d - 2 processor p sends the parts p - (k+1)^i + 1 ... p to the
 * processors p + q (k+1)^i, q = 1 ... k. After these rounds processor p has the n1 parts p - n1 + 1
 * ... p. It lacks n - n1 parts, which are called columns: column c is part p - n1 - c. Let w =
 * ceil((n - n1) / k). In the last round processor p - n1 - j w sends the columns j w ... (j + 1) w
 * - 1, all of which it has, to port j of processor p (j = 0 ... k - 1).
 *
 * In a broadcast the scatter of segments.h comes before the concatenation. After the scatter some
 * processors already have more than their own part, and the root has all parts. A message leaves
 * out the parts that its receiver already has, so every unit reaches every processor once. The
 * longest message of a round is as long as without the scatter.
 *
 * Cost in units:
 *   C1 = d, C2 = (sum over i = 0 ... d - 2 of ceil((k+1)^i u / n)) + ceil(w u / n). */
#ifndef KPORT_LIB_ALGORITHMS_PARTS_H
#define KPORT_LIB_ALGORITHMS_PARTS_H

#include "kport/schedule.h"

/* The numbers that define the parts and the rounds. */
struct kp_parts {
    int64_t n, k, units;
    int64_t before_last; /* n1: the number of parts that a processor has before the last round */
    int64_t width; /* w: the largest number of columns that a port carries in the last round */
    int scattered; /* 1: the scatter of segments.h came before the concatenation */
};

/* Returns 1 if the block is cut into parts. Returns 0 if n = 1 or if the block has one unit. */
int kp_parts_split(const kp_problem *p);

struct kp_parts kp_parts_of(const kp_problem *p);

/* Returns ceil(count u / n). This is the largest number of units that `count` consecutive parts can
 * have, and also the unit at which part `count` begins. */
int64_t kp_parts_most(const struct kp_parts *f, int64_t count);

/* Returns the piece of the incoming buffer that holds the parts first ... first + count - 1.
 * `first` is below n. If first + count > n, the piece has only the parts up to n - 1. */
kp_piece kp_parts_piece(const struct kp_parts *f, int64_t first, int64_t count);

/* `kp_parts_build` writes the rounds of the concatenation, for n > 1. `kp_parts_units` returns the
 * C2 of the concatenation in units. */
void kp_parts_build(kp_builder *b, const kp_problem *p, const struct kp_parts *f);
uint64_t kp_parts_units(const struct kp_parts *f);

/* Stores C1, and C2 in bytes, of the concatenation, or of the concatenation run backwards. */
void kp_parts_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2);

/* The concatenation of parts as an algorithm. Reductions use its schedule backwards. It is not in
 * the table of algorithms, because it is only a step of other operations. */
extern const kp_algorithm kp_parts_concat;

#endif
