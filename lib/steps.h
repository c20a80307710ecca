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

#endif
