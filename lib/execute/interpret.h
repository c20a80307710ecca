/* The interpreter: the only thing that carries out a collective. */
#ifndef KPORT_LIB_EXECUTE_INTERPRET_H
#define KPORT_LIB_EXECUTE_INTERPRET_H

#include "lib/execute/lower.h"
#include "lib/problem/operator.h"

/* What instructions need beside places: the loops that combine elements, or the table of blocks
 * that differ in length. */
struct kp_combiner {
    struct kp_loops loops;
    void *context;
    struct kp_lengths *blocks;
};

/* Carries out a prepared call by its code. Where no code is kept, the call is carried out as it is
 * lowered. `scratch` holds the schedule's scratch units. Returns 0, or the status of the error that
 * is set at the processor. */
int kp_execute(kp_group *member, struct kp_prepared *call, const char *out, char *in,
               char *scratch);

/* Makes the copies of the last round for all members of this core set (ports/sync/core_sets.h) that
 * have shown their code. The member that arrives last of its core set calls it after the pass,
 * where the last round of a call is zero-copy.
 *
 * The threads of a core can only copy one after the other, and each change of threads replaces what
 * the cache holds. So one thread copies for all. Every other time it copies backwards, beginning
 * with what was copied last (the special cases together and backwards in doc/design.md). */
void kp_copy_for_all(const kp_group *member);

#endif
