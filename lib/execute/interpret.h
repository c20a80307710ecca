/* The interpreter carries out every collective operation. */
#ifndef KPORT_LIB_EXECUTE_INTERPRET_H
#define KPORT_LIB_EXECUTE_INTERPRET_H

#include "lib/execute/lower.h"
#include "lib/problem/operator.h"

/* What an instruction needs apart from addresses: the loops that combine elements, the table of
 * blocks with lengths of their own, or layouts. */
struct kp_combiner {
    struct kp_loops loops;
    void *context;
    struct kp_lengths *blocks;
    struct kp_streams *streams;
};

/* Carries out a prepared call by its code. If the call has no kept code, the interpreter writes a
 * few instructions at a time and carries them out at once. `scratch` has room for the scratch units
 * of the schedule. Returns 0, or the status of an error; the error's sentence is set. */
int kp_execute(kp_group *member, struct kp_prepared *call, const char *out, char *in,
               char *scratch);

/* Does the same, but a member leaves the call early if it has nothing to do at the end
 * (ports/member.h). */
int kp_execute_leaving(kp_group *member, struct kp_prepared *call, const char *out, char *in,
                       char *scratch);

/* Makes the copies of the last round for those members of this member's core set
 * (ports/sync/core_sets.h) that have published their code. The member of the core set that arrives
 * last calls this function after the episode of the last round, if this round is zero copy.
 *
 * The threads of a core cannot copy at the same time, and a change of threads replaces the contents
 * of the cache. Therefore one thread copies for all of them. In every second call this thread
 * copies backwards, so that it begins with the data that were copied last in the previous call.
 * (doc/design.md calls these special cases "together" and "backwards".) */
void kp_copy_for_all(const kp_group *member);

#endif
