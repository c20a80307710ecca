/* This header is for schedules that consist of stages. A stage is the schedule of a smaller
 * problem, which groups of processors carry out at the same time, each for itself. So algorithms
 * for all processors serve the processors of a process as well, and one processor of each process.
 */
#ifndef KPORT_LIB_STAGE_H
#define KPORT_LIB_STAGE_H

#include "kport/schedule.h"

#include <stdbool.h>

#define KP_STAGES 3 /* the largest number of stages of a schedule */

/* Where the blocks of a stage lie. A block has `count` runs of `run` units of the whole schedule,
 * which begin `stride` units apart. Block x begins at unit first + x * step. */
struct kp_layout {
    kp_space space;
    int64_t first, step;
    int64_t count, stride, run;
};

struct kp_stage {
    /* The smaller problem, with nothing left open. Its root is a member's number. If its schedule
     * splits blocks, a block has count * run units (kp_layout). */
    kp_problem problem;
    /* Member i of this processor's group has the rank first + i * distance. */
    int first, distance;
    bool waits; /* true: this processor has no group, and waits while others carry out the stage */
    struct kp_layout out, in;
    int64_t scratch; /* the unit of scratch at which the scratch of the stage begins */
};

/* Writes this processor's part of a stage. Every processor has to name the same problems in the
 * same order. If the blocks of a group have no units, its members send no messages. */
void kp_build_stage(kp_builder *b, const struct kp_stage *stage);

#endif
