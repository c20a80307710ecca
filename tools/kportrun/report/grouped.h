/* Many ranks often make the same mistake. Sentences that differ only in ranks become one, which
 * names the ranks in ranges: "ranks 0-2, 5: ...". */
#ifndef KPORT_KPORTRUN_GROUPED_H
#define KPORT_KPORTRUN_GROUPED_H

#include "lib/mpi/job.h"

#include <stdbool.h>

/* Takes a finding, and returns whether it waits for those of other ranks. If not, the caller tells
 * it now. A finding waits if its rank has come to its end, if it says how often another one has
 * come, or if another rank has told the same already. */
bool grouped_take(const struct kp_finding *finding);

/* Writes what waits, a sentence for each group. The order is that of the lowest ranks, and of one
 * rank that of its findings; so it does not depend on which rank came first. */
void grouped_write(void (*write_sentence)(const char *sentence));

#endif
