/* The round barrier: one counter, one generation word, and agreement on the call in the counter
 * (arrival.h).
 *
 * One counter beats trees and dissemination here: where threads outnumber cores every dependent
 * wait is one more context switch, and where they do not, n is small. */
#ifndef KPORT_PORTS_BARRIER_H
#define KPORT_PORTS_BARRIER_H

#include "ports/machine_data.h"

enum kp_pass_result {
    KP_PASS_AGREED,
    KP_PASS_SPLIT,  /* the fingerprints differ, or a member refused its call */
    KP_PASS_FAILED, /* the group is dead; shared->failure says why */
    KP_PASS_LATE,   /* the time limit is over, and the pass is still open */
};

/* Decides where the words of a new group's barrier lie. */
void kp_barrier_place(struct kp_shared *shared);

/* Arrives with `fingerprint`: releases what this member wrote. Between the two it may do what
 * concerns nobody else. Waits for all: acquires what all members wrote before they arrived. Every
 * member makes every pass. */
void kp_barrier_arrive(kp_group *seat, uint64_t fingerprint);
enum kp_pass_result kp_barrier_await(kp_group *seat);

#endif
