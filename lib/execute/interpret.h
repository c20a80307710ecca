/* The interpreter, which carries out every collective operation. */
#ifndef KPORT_LIB_EXECUTE_INTERPRET_H
#define KPORT_LIB_EXECUTE_INTERPRET_H

#include "lib/execute/lower.h"
#include "lib/problem/operator.h"

/* What instructions need beside places: the loops that combine elements, or the table of blocks
 * with lengths of their own. */
struct kp_combiner {
    struct kp_loops loops;
    void *context;
    struct kp_lengths *blocks;
};

/* Carries out a prepared call by its code. If no code is kept, the call is lowered while it is
 * carried out. `scratch` holds the schedule's scratch units. Returns 0, or the status of the error
 * that is set at the processor. */
int kp_execute(kp_group *member, struct kp_prepared *call, const char *out, char *in,
               char *scratch);

/* Makes the copies of the last round for all members of this core set (ports/sync/core_sets.h) that
 * have published their code. The member that arrives last of its core set calls it after the
 * episode, if the last round of the call is zero copy.
 *
 * The threads of a core can only copy one after the other, and each change of threads replaces the
 * contents of the cache. So one thread copies for all. In every other call it copies backwards and
 * begins with the data that it copied last (the special cases together and backwards in
 * doc/design.md). */
void kp_copy_for_all(const kp_group *member);

#endif
