/* Concatenation of blocks with lengths of their own, on a circulant graph.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, section 4, with the table of the last round
 * cut between whole blocks. It is the schedule of concat_circulant.c for blocks that cannot be
 * split.
 *
 * How it works. As in concat_circulant.c. A message has each block in its own length. All members
 * have compared the lengths before, so no lengths travel.
 *
 * Cost. Let b be the longest block, d = ceil(log_{k+1} n) and n1 = (k+1)^(d-1). C1 = d. If every
 * block is that long, C2 = b ((n1 - 1) / k + ceil((n - n1) / k)). */
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
