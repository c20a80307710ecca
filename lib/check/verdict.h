/* Whether the schedule of an algorithm that is not in the library's table may be executed.
 *
 * The schedule is checked once for all members of a machine, and the result stays with the
 * schedule. The functions take no lock: the caller holds the lock of the machine's schedules. */
#ifndef KPORT_LIB_VERDICT_H
#define KPORT_LIB_VERDICT_H

#include "lib/schedule/schedule_data.h"

struct kp_verdict {
    bool known;
    kp_error_record why; /* status KP_OK if the schedule is right */
};

/* The results out of place and in place. A schedule may be right in one case and wrong in the
 * other, because in place one buffer lies in the other. */
struct kp_verdicts {
    struct kp_verdict of[2];
};

/* Returns whether the algorithm is in the library's table, which the library's tests check. */
bool kp_algorithm_is_listed(const kp_algorithm *algorithm);

/* Records the latest error as the reason why the schedule could not be built. */
void kp_verdict_unbuilt(struct kp_verdicts *verdicts);

/* Returns KP_OK if the schedule does what `problem` asks for and has the cost that its algorithm
 * states. Otherwise sets and returns KP_ESCHEDULE, KP_EUNCHECKED or KP_EMEMORY. KP_EMEMORY is not
 * recorded. `schedule` is NULL if it could not be built. */
int kp_verdict_find(struct kp_verdicts *verdicts, const struct kp_schedule *schedule,
                    const kp_problem *problem);

#endif
