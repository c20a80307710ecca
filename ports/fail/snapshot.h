/* The snapshot: what every processor is doing, put together for a diagnosis.
 *
 * It is taken under the machine's lock and told after the lock has been let go, so everything told
 * is a copy. Where nobody is to be told, taking it is a look at the configuration. */
#ifndef KPORT_PORTS_SNAPSHOT_H
#define KPORT_PORTS_SNAPSHOT_H

#include "kport/diagnosis.h"
#include "ports/machine_data.h"

struct kp_snapshot {
    kp_diagnosis told;
    kp_machine *machine;
    struct kp_piece *pieces; /* memory of what is told */
    bool taken;
    int about[2]; /* whom it concerns, where they are no more */

    /* What is known beside the notes of those that sleep, to be set before it is taken. */
    kp_group *waiter;                /* of the calling processor, which has waited until now */
    int awaited;                     /* for that processor; -1: for those missing in the pass */
    const struct kp_shared *meeting; /* all members stand in one pass until the caller goes on, so
                                        their calls can be read; NULL: none */
};

/* Takes the machine's lock. The second for who gives up a wait whose time is over, for a processor
 * or (-1) in a pass: who describes others meanwhile finds this one waiting still. */
void kp_snapshot_begin(struct kp_snapshot *snapshot, kp_machine *machine);
void kp_snapshot_begin_late(struct kp_snapshot *snapshot, kp_group *waiter, int awaited);

/* Before the failure is published; it concerns these processors (-1: none). */
void kp_snapshot_take(struct kp_snapshot *snapshot, kp_diagnosis_kind kind,
                      const kp_error_record *why, int processor, int other);

/* Room for as many as it concerns; NULL where nobody is to be told. */
int *kp_snapshot_concerned(struct kp_snapshot *snapshot, int count);

/* It concerns the members that have not come to the pass that a member is in; `late`:
 * kp_deadlock_missing. */
void kp_snapshot_concerns_missing(struct kp_snapshot *snapshot, const kp_group *member, bool late);

/* Whether somebody sleeps until that processor comes. */
bool kp_snapshot_awaits(const struct kp_snapshot *snapshot, int processor);

/* Lets the lock go, and tells it if it was taken. */
void kp_snapshot_end(struct kp_snapshot *snapshot);

#endif
