/* Two notes of each member for the others: the member that it sleeps for, and whether it may be
 * reading another member's memory. Because of the first note, members ring only the bells of
 * sleepers.
 *
 * A sleeper notes the member that it sleeps for, counts itself at that member, and then looks once
 * more at what it waits for. The other member acts, then looks at its own count. Only order.h is
 * needed. */
#ifndef KPORT_PORTS_AWAITED_H
#define KPORT_PORTS_AWAITED_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_NOBODY (-1)

/* The words that other members look at. They have a cache line of their own. */
struct kp_awaited {
    _Atomic uint32_t count;    /* the number of members that sleep until this member acts */
    _Atomic int32_t waits_for; /* the rank that this member sleeps for, or KP_NOBODY */
};

/* The sleeper's half of the handshake (partner: kp_is_awaited). The member `own` sleeps until the
 * member at rank `peer`, whose words are `other`, acts. Afterwards the caller looks again whether
 * it has to sleep. */
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

/* The other half (partner: kp_await_begin). A member calls this function after it has acted. The
 * function adds 0 by a read-modify-write, so that the later half acquires what the earlier half
 * released. If it returns true, the caller rings the bells of the members that sleep for it. */
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
 * sets `broken`, then looks at the flags. So the reader or the breaking member sees the other.
 * Returns whether the caller may read. If not, the caller must still call kp_reading_end. */
static inline bool kp_reading_begin(_Atomic uint32_t *reading, const _Atomic uint32_t *broken)
{
    atomic_store_explicit(reading, 1, KP_ORDER_READING);
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) == 0;
}

/* Clears the flag and releases the reads (partner: kp_is_reading). If this returns true, the group
 * is broken, and the caller rings for the members that wait for the end of the reads. */
static inline bool kp_reading_end(_Atomic uint32_t *reading, const _Atomic uint32_t *broken)
{
    atomic_store_explicit(reading, 0, KP_ORDER_READING);
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) != 0;
}

static inline bool kp_is_reading(const _Atomic uint32_t *reading)
{
    return atomic_load_explicit(reading, KP_ORDER_READERS) != 0;
}

/* Marks the group as broken and releases the reason. Afterwards the caller rings all bells. A
 * member that has lent memory waits until no member reads. */
static inline void kp_break(_Atomic uint32_t *broken)
{
    atomic_store_explicit(broken, 1, KP_ORDER_BREAK);
}

static inline bool kp_is_broken(const _Atomic uint32_t *broken)
{
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) != 0;
}

#endif
