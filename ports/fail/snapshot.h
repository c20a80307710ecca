/* The snapshot: what every processor is doing, as a diagnosis reports it.
 *
 * It is taken under the machine's lock. `on_failure` is called after the lock has been released, so
 * all that is reported is a copy. If the configuration has no `on_failure`, taking a snapshot costs
 * one look at the configuration. */
#ifndef KPORT_PORTS_SNAPSHOT_H
#define KPORT_PORTS_SNAPSHOT_H

#include "kport/diagnosis.h"
#include "ports/machine_data.h"

struct kp_snapshot {
    kp_diagnosis told;
    kp_machine *machine;
    struct kp_piece *pieces; /* the memory of the report */
    bool taken;
    /* The processors that the failure concerns, if they are at most two. */
    int about[2];

    /* To be set before the snapshot is taken: what is known besides the notes of sleepers. */
    kp_group *waiter; /* the calling processor's member, which has waited until now */
    int awaited;      /* the processor that `waiter` waits for, or -1 for the members missing in the
                       * episode
                       */
    /* A group whose members all stay in one episode until the caller goes on, so their calls can be
     * read, or NULL. */
    const struct kp_shared *meeting;
};

/* `begin` takes the machine's lock. `begin_late` does so for a member that gives up a wait whose
 * time is over. The member waits for the processor `awaited`, or (-1) in an episode. A snapshot
 * that another thread takes meanwhile still finds the member waiting. */
void kp_snapshot_begin(struct kp_snapshot *snapshot, kp_machine *machine);
void kp_snapshot_begin_late(struct kp_snapshot *snapshot, kp_group *waiter, int awaited);

/* Takes the snapshot, before the failure is published. It concerns these processors (-1: none). */
void kp_snapshot_take(struct kp_snapshot *snapshot, kp_diagnosis_kind kind,
                      const kp_error_record *why, int processor, int other);

/* Returns room for `count` processors that the failure concerns, or NULL without `on_failure`. */
int *kp_snapshot_concerned(struct kp_snapshot *snapshot, int count);

/* Sets as concerned the members that have not arrived at the episode of `member`. `late`: see
 * kp_deadlock_missing. */
void kp_snapshot_concerns_missing(struct kp_snapshot *snapshot, const kp_group *member, bool late);

/* Returns whether a processor in the snapshot waits for that processor. */
bool kp_snapshot_awaits(const struct kp_snapshot *snapshot, int processor);

/* Releases the machine's lock, then calls `on_failure` if the snapshot was taken. */
void kp_snapshot_end(struct kp_snapshot *snapshot);

#endif
