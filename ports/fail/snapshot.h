/* The snapshot is a copy of what every processor is doing at a failure. From it kport makes the
 * diagnosis that the program's `on_failure` function gets.
 *
 * The snapshot is taken under the machine's lock, and `on_failure` is called after the lock has
 * been released. If the configuration has no `on_failure`, no snapshot is taken. */
#ifndef KPORT_PORTS_SNAPSHOT_H
#define KPORT_PORTS_SNAPSHOT_H

#include "kport/diagnosis.h"
#include "ports/machine_data.h"

struct kp_snapshot {
    kp_diagnosis told; /* the diagnosis for on_failure */
    kp_machine *machine;
    struct kp_piece *pieces; /* the memory that the diagnosis points to */
    bool taken;
    /* The processors that the failure concerns, if there are at most two. */
    int about[2];

    /* The caller sets these fields before it takes the snapshot. They are about processors that are
     * in a call but do not sleep. */
    kp_group *waiter; /* the calling processor's member, if this member has waited until now */
    int awaited;      /* the processor that `waiter` waits for; -1: `waiter` waits in an episode */
    /* A group of which no member leaves its present episode (one use of the barrier) until the
     * caller goes on, so the snapshot can read the members' calls. NULL: there is no such group. */
    const struct kp_shared *meeting;
};

/* Begins a snapshot and takes the machine's lock. */
void kp_snapshot_begin(struct kp_snapshot *snapshot, kp_machine *machine);

/* Does what kp_snapshot_begin does, for a member that gives up its wait because the time limit has
 * passed. `awaited` is the processor that the member waits for, or -1 if the member waits in an
 * episode. If another thread takes a snapshot before this thread has the lock, that snapshot still
 * shows the member as waiting. */
void kp_snapshot_begin_late(struct kp_snapshot *snapshot, kp_group *waiter, int awaited);

/* Takes the snapshot of a failure that concerns the processors `processor` and `other` (-1: none).
 * The caller makes the failure known to other members only after this call. */
void kp_snapshot_take(struct kp_snapshot *snapshot, kp_diagnosis_kind kind,
                      const kp_error_record *why, int processor, int other);

/* Replaces the list of processors that the failure concerns. Returns the new list, with space for
 * `count` numbers that the caller writes. Returns NULL if no snapshot was taken. */
int *kp_snapshot_concerned(struct kp_snapshot *snapshot, int count);

/* Replaces the list of processors that the failure concerns by the processors whose members have
 * not arrived at the episode of `member`. kp_deadlock_missing explains `late`. */
void kp_snapshot_concerns_missing(struct kp_snapshot *snapshot, const kp_group *member, bool late);

/* Returns whether any processor in the snapshot waits for `processor`. */
bool kp_snapshot_awaits(const struct kp_snapshot *snapshot, int processor);

/* Releases the machine's lock. After that, calls `on_failure` if the snapshot was taken. */
void kp_snapshot_end(struct kp_snapshot *snapshot);

#endif
