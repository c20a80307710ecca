/* This header is for mailboxes. It has the words in which a member shows the others that it sleeps,
 * or that it may be reading another member's memory. A sleeping member also shows which member must
 * act to wake it. To act is to post or to take a message. So a member that acts wakes only the
 * members that wait for it.
 *
 * Going to sleep is a handshake. The sleeper stores the rank of the member that must act, adds 1 to
 * that member's count of sleepers, and then looks once more at what it waits for. The other member
 * acts, then looks at its count of sleepers. So one of the two sees the other's step, and no
 * wake-up is lost. This header includes no header of the library but order.h. */
#ifndef KPORT_PORTS_AWAITED_H
#define KPORT_PORTS_AWAITED_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_NOBODY (-1)

/* What one member shows about sleep. These words have a cache line of their own. */
struct kp_awaited {
    _Atomic uint32_t count;    /* the number of members that sleep until this member acts */
    _Atomic int32_t waits_for; /* while this member sleeps, the rank of the member that must act;
                                  else KP_NOBODY */
};

/* The sleeper's half of the handshake (partner: kp_is_awaited). The member `own` is about to sleep
 * until the member `other`, of rank `peer`, acts. The caller looks once more before it sleeps. */
static inline void kp_await_begin(struct kp_awaited *own, struct kp_awaited *other, int peer)
{
    atomic_store_explicit(&own->waits_for, peer, KP_ORDER_NOTE);
    atomic_fetch_add_explicit(&other->count, 1, KP_ORDER_AWAITED);
}

static inline void kp_await_end(struct kp_awaited *own, struct kp_awaited *other)
{
    atomic_fetch_add_explicit(&other->count, UINT32_MAX, KP_ORDER_AWAKE);
    atomic_store_explicit(&own->waits_for, KP_NOBODY, KP_ORDER_NOTE);
}

/* The other member's half of the handshake (partner: kp_await_begin). A member calls this function
 * after it has acted. Returns whether other members sleep until this member acts. If so, the caller
 * wakes them. The function adds 0 by a read-modify-write, so the later access to the count acquires
 * what the earlier one released. */
static inline bool kp_is_awaited(struct kp_awaited *own)
{
    return atomic_fetch_add_explicit(&own->count, 0, KP_ORDER_AWAITED) != 0;
}

static inline int kp_waits_for(const struct kp_awaited *other)
{
    return atomic_load_explicit(&other->waits_for, KP_ORDER_NOTE);
}

/* --- Reading another member's memory, until the group is broken --- */

/* The reader sets its flag, then looks whether the group is broken. A member that breaks the group
 * sets `broken`, then looks at the flags. So one of the two sees the other's step. Returns whether
 * the caller may read. The caller must call kp_reading_end even if it may not read. */
static inline bool kp_reading_begin(_Atomic uint32_t *reading, const _Atomic uint32_t *broken)
{
    atomic_store_explicit(reading, 1, KP_ORDER_READING);
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) == 0;
}

/* Clears the flag. The store is a release, so a member that sees the flag cleared knows that the
 * reads are over (partner: kp_is_reading). Returns whether the group is broken. If so, the caller
 * must wake the members that wait until no member reads their memory. */
static inline bool kp_reading_end(_Atomic uint32_t *reading, const _Atomic uint32_t *broken)
{
    atomic_store_explicit(reading, 0, KP_ORDER_READING);
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) != 0;
}

static inline bool kp_is_reading(const _Atomic uint32_t *reading)
{
    return atomic_load_explicit(reading, KP_ORDER_READERS) != 0;
}

/* Marks the group as broken. The store is a release, so a member that sees the mark can read the
 * reason. After this call the caller wakes all members. A member that has lent memory then waits
 * until no member reads. */
static inline void kp_break(_Atomic uint32_t *broken)
{
    atomic_store_explicit(broken, 1, KP_ORDER_BREAK);
}

static inline bool kp_is_broken(const _Atomic uint32_t *broken)
{
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) != 0;
}

#endif
