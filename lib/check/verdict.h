/* Whether the schedule of an algorithm that is not in the library's table may be executed.
 *
 * The checker looks at it once for all members of a machine, and what it found stays with the
 * schedule. Nothing here locks: the caller holds the lock of the machine's plans. */
#ifndef KPORT_LIB_VERDICT_H
#define KPORT_LIB_VERDICT_H

#include "lib/schedule/schedule_data.h"

struct kp_verdict {
    bool known;
    kp_error_record why; /* status KP_OK: it is right */
};

/* Out of place, and in place, where one buffer lies in the other: a schedule may be right in one
 * and wrong in the other. */
struct kp_verdicts {
    struct kp_verdict of[2];
};

/* Whether the algorithm is one of the library's table, which its own tests check. */
bool kp_algorithm_is_listed(const kp_algorithm *algorithm);

/* Keeps the latest error: the schedule could not be built, whoever asks. */
void kp_verdict_unbuilt(struct kp_verdicts *verdicts);

/* KP_OK if the schedule does what `problem` asks for and costs what its algorithm states. Else the
 * error is set: KP_ESCHEDULE, KP_EUNCHECKED, or KP_EMEMORY, which is not kept. `schedule` NULL: it
 * could not be built. */
int kp_verdict_find(struct kp_verdicts *verdicts, const struct kp_schedule *schedule,
                    const kp_problem *problem);

#endif
