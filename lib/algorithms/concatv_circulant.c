/* Concatenation of blocks with lengths of their own, on a circulant graph.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, section 4. Here the last round does not split
 * blocks, so its table is cut between columns.
 *
 * How it works. The schedule is that of concat_circulant.c for whole blocks. A message carries each
 * block in its own length. No lengths travel, because all members compare all lengths before the
 * first round.
 *
 * Cost. Let b be the length of the longest block, d = ceil(log_{k+1} n) and n1 = (k+1)^(d-1).
 * C1 = d. If all blocks have length b, C2 = b ((n1 - 1) / k + ceil((n - n1) / k)). */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_concatv_circulant = {
    .operation = KP_CONCATV,
    .name = "circulant",
    .summary = "least rounds; the last round carries whole blocks",
    .source = "Bruck et al. 1997, section 4",
    .symmetry = KP_CYCLIC,
    .same_schedule_as = &kp_concat_circulant,
    .stated_cost = kp_lengths_stated_cost,
};
