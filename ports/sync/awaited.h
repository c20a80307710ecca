/* Whom a member of a group waits for, and who is waited for: so that nobody rings a bell for one
 * who does not sleep. And who may be reading another member's memory.
 *
 * A sleeper notes whom it sleeps for and counts itself there, then looks once more at what it waits
 * for. The other acts, then looks at its own count. This header depends on the names of memory
 * orders alone. */
#ifndef KPORT_PORTS_AWAITED_H
#define KPORT_PORTS_AWAITED_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_NOBODY (-1)

/* What others look at of a member: it stands in a line of its own. */
struct kp_awaited {
    _Atomic uint32_t count;    /* members that sleep until this one acts */
    _Atomic int32_t waits_for; /* the rank it sleeps for itself, or KP_NOBODY */
};

/* The sleeper's half (partner: kp_is_awaited): `own` sleeps until the member at rank `peer`, whose
 * words are `other`, acts. The caller looks again after it. */
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

/* The other half (partner: kp_await_begin): it has acted. A read-modify-write although nothing is
 * added. If true, those are to be rung for who wait for it. */
static inline bool kp_is_awaited(struct kp_awaited *own)
{
    return atomic_fetch_add_explicit(&own->count, 0, KP_ORDER_AWAITED) != 0;
}

static inline int kp_waits_for(const struct kp_awaited *other)
{
    return atomic_load_explicit(&other->waits_for, KP_ORDER_NOTE);
}

/* --- Reading another member's memory, and the end of that once a group is broken --- */

/* The reader says so, then looks; who breaks the group does that, then looks at the readers: one of
 * the two sees the other. If false, kp_reading_end is still to be called. */
static inline bool kp_reading_begin(_Atomic uint32_t *reading, const _Atomic uint32_t *broken)
{
    atomic_store_explicit(reading, 1, KP_ORDER_READING);
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) == 0;
}

/* If true, those who wait for it are to be rung for. Releases the reads (partner: kp_is_reading).
 */
static inline bool kp_reading_end(_Atomic uint32_t *reading, const _Atomic uint32_t *broken)
{
    atomic_store_explicit(reading, 0, KP_ORDER_READING);
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) != 0;
}

static inline bool kp_is_reading(const _Atomic uint32_t *reading)
{
    return atomic_load_explicit(reading, KP_ORDER_READERS) != 0;
}

/* To be followed by ringing for all and waiting until nobody reads. Releases the reason. */
static inline void kp_break(_Atomic uint32_t *broken)
{
    atomic_store_explicit(broken, 1, KP_ORDER_BREAK);
}

static inline bool kp_is_broken(const _Atomic uint32_t *broken)
{
    return atomic_load_explicit(broken, KP_ORDER_BROKEN) != 0;
}

#endif
