/* What lib/request needs of a persistent plan, to start its call. */
#ifndef KPORT_LIB_CALL_PLAN_H
#define KPORT_LIB_CALL_PLAN_H

#include "lib/call/prepared.h"

/* Checks that the calling thread may use the plan. Returns 0 or the status of an error that is
 * set. */
int kp_plan_look(const kp_plan *plan);

kp_group *kp_plan_member(const kp_plan *plan);
const kp_arguments *kp_plan_arguments(const kp_plan *plan);

/* Returns the plan's call as the member `lane`, of the lane with this index, carries it out, and
 * stores its scratch in `scratch`. The plan prepares the call when it is needed first, and keeps
 * it. On an error, sets the error and returns NULL. */
struct kp_prepared *kp_plan_prepared(kp_plan *plan, kp_group *lane, int index, char **scratch);

/* Adds to the number of the plan's requests that have not ended. A plan with such requests is not
 * freed. */
void kp_plan_count(kp_plan *plan, int more);

#endif
