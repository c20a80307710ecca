/* A plan written out for one seat: which bytes go where, without a schedule to interpret.
 *
 * A call that is made again and again and whose messages are small spends its time on interpreting
 * pieces, not on moving bytes. So when a call comes the second time its seat writes down what the
 * schedule comes to for it: a list of copies with all places known, through rows and mailboxes or,
 * by the barrier, from one's memory to the other's. Only where nothing is combined and the caches
 * hold it all, and only as many as a few cache lines hold; everything else stays with execute.c,
 * which these lists are made from and agree with. */
#ifndef KPORT_LIB_STEPS_H
#define KPORT_LIB_STEPS_H

#include "lib/execute.h"

struct kp_steps;

/* NULL if the plan is none that is written out, or there is no memory: no error. */
struct kp_steps *kp_steps_make(kp_group *seat, const struct kp_prepared *call);

void kp_steps_free(struct kp_steps *steps);

/* Carries them out; as kp_execute, for the root that they were made for. */
int kp_steps_execute(kp_group *seat, struct kp_prepared *call, const char *out, char *in,
                     char *scratch);

/* To be called by the last to come of its company (barrier.h) where the last round of a call is
 * described, after the pass: does what all of them who have shown their steps have left to do.
 *
 * The threads of a core cannot copy but one after the other, and each finds the cache full of what
 * the one before it has left there, the kernel's part in changing threads gone with the rest. So
 * one copies for all; and backwards every other time, beginning with what was copied last (index of
 * 64 KiB, n = 8 on 2 cores: 0.91 of the time; of 16 KiB, n = 16: 0.87). */
void kp_steps_work(const kp_group *seat);

#endif
