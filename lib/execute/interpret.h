/* The interpreter: the only thing that carries out a collective. */
#ifndef KPORT_LIB_EXECUTE_INTERPRET_H
#define KPORT_LIB_EXECUTE_INTERPRET_H

#include "lib/execute/lower.h"
#include "lib/problem/operator.h"

/* What instructions go by beside places: how elements are combined, or the table of blocks with
 * lengths of their own. */
struct kp_combiner {
    struct kp_loops loops;
    void *context;
    struct kp_lengths *blocks;
};

/* Carries out a prepared call, by its code or, where none is kept, as it is lowered. `scratch`
 * holds the schedule's scratch units. 0, or the status of the error that is set at the processor.
 */
int kp_execute(kp_group *seat, struct kp_prepared *call, const char *out, char *in, char *scratch);

/* To be called by the last to come of its core set (ports/sync/core_sets.h) where the last round of
 * a call is zero-copy, after the pass: makes the copies that are left to all of them who have shown
 * their code.
 *
 * The threads of a core cannot copy but one after the other, and each finds the cache full of what
 * the one before it has left there, the kernel's part in changing threads gone with the rest. So
 * one copies for all; and backwards every other time, beginning with what was copied last (index of
 * 64 KiB, n = 8 on 2 cores, and of 16 KiB, n = 16: 0.90 of the time). */
void kp_copy_for_all(const kp_group *seat);

#endif
