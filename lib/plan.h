/* Plans: which schedule serves a call, found once and kept for the next.
 *
 * Two levels. Each seat has a small table, looked at with one probe and no lock. Behind it the
 * machine has one for all, with a lock, bounded in bytes; a plan that a seat still holds survives
 * being dropped from it. */
#ifndef KPORT_LIB_PLAN_H
#define KPORT_LIB_PLAN_H

#include "kport/collective.h"
#include "kport/model.h"
#include "lib/execute.h"
#include "lib/schedule_data.h"
#include "ports/port.h"

#include <stdint.h>

/* A schedule in use; counted references, under the lock of the machine's plans. */
struct kp_plan {
    struct kp_schedule *schedule;
    int64_t c1;
    int64_t c2_units; /* C2 in units of the schedule */
    unsigned references;
};

/* A call as asked, and what serves it. */
struct kp_prepared {
    kp_problem asked;   /* n and k of the seat; algorithm and values as in the call's `how` */
    kp_problem problem; /* nothing left open */
    struct kp_plan *plan;
    size_t unit_bytes;
    uint64_t fingerprint;
    uint64_t c1, c2; /* C2 in bytes */
    struct kp_execution execution;
};

/* Finds or makes what serves `asked`. NULL if there is none: then the processor's error is set. The
 * result is the seat's and stays valid until its next call. */
struct kp_prepared *kp_plan_find(kp_group *seat, const kp_problem *asked);

/* Memory of the seat for the time of a call, kept for the next; NULL if there is none. */
char *kp_plan_scratch(kp_group *seat, size_t bytes);

/* What the seat keeps for operations whose blocks have lengths of their own; NULL if there is no
 * memory. */
struct kp_lengths *kp_plan_lengths(kp_group *seat);

/* The constants by which the machine's algorithms are chosen. */
kp_model kp_plan_model(const kp_group *seat, int n, int k);

/* Equal for problems that are equal but for n, k, root and in_place; the algorithm may be open. */
uint64_t kp_plan_fingerprint(const kp_problem *problem);

#endif
