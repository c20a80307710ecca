/* A verdict says whether the schedule of a user's own algorithm may be executed.
 *
 * All processors of a machine share a schedule, so the schedule is checked once, and the verdict is
 * stored with it. The functions of this header take no lock. Their caller must hold the lock of the
 * machine's schedules. */
#ifndef KPORT_LIB_VERDICT_H
#define KPORT_LIB_VERDICT_H

#include "lib/schedule/schedule_data.h"

struct kp_verdict {
    bool known; /* false: the schedule has not been checked yet */
    /* The reason why the schedule is wrong; status KP_OK: the schedule is right. */
    kp_error_record why;
};

/* of[0] is the verdict for calls without KP_IN_PLACE, of[1] for calls with it. A schedule may be
 * right in one case and wrong in the other, because with KP_IN_PLACE one buffer is a part of the
 * other. */
struct kp_verdicts {
    struct kp_verdict of[2];
};

/* Compares the schedule's counted cost with the one that its algorithm states for this problem.
 * Returns KP_OK if they are equal, if none is stated, or if the algorithm is the library's own.
 * Otherwise sets and returns KP_ESCHEDULE. */
int kp_schedule_check_cost(const struct kp_schedule *schedule, const kp_problem *problem);

/* Records that the schedule could not be built. The thread's latest error is the reason. */
void kp_verdict_unbuilt(struct kp_verdicts *verdicts);

/* Returns KP_OK if the schedule does what `problem` asks for and has the cost that its algorithm
 * states. Otherwise sets an error and returns KP_ESCHEDULE, KP_EUNCHECKED or KP_EMEMORY. KP_EMEMORY
 * is not recorded in the verdict. `schedule` is NULL if it could not be built. */
int kp_verdict_find(struct kp_verdicts *verdicts, const struct kp_schedule *schedule,
                    const kp_problem *problem);

#endif
