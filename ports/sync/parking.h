/* Parking means that a thread sleeps until a word changes, and that the thread that changes the
 * word wakes the sleepers.
 *
 * The sleeper counts itself, then looks at the word once more. The waker changes the word, then
 * looks for sleepers. All four steps are sequentially consistent, so all threads agree on their
 * order. In this order, either the sleeper sees the change or the waker sees the sleeper, and no
 * wake-up is lost. Each function here that parks takes as an argument the function that sleeps
 * (kp_sleep). This header includes no header of the library but order.h. */
#ifndef KPORT_PORTS_PARKING_H
#define KPORT_PORTS_PARKING_H

#include "ports/order.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_CACHE_LINE 64
/* The distance in bytes between data that different cores write. It is two cache lines, because
 * many cores fetch two neighbouring lines at once. */
#define KP_LINES_APART (2 * KP_CACHE_LINE)

struct timespec;
struct kp_carrier_row;
struct kp_wait_queue;
struct kp_shared;

/* A word that threads or fibers wait for. `value` and `sleepers` lie on different cache lines, so
 * that threads that go to sleep do not disturb threads that look at the value. `room` holds data
 * that travels with the word. */
struct kp_wait_word {
    alignas(KP_CACHE_LINE) _Atomic uint32_t value;
    alignas(8) unsigned char room[KP_CACHE_LINE - 8];
    alignas(KP_CACHE_LINE) _Atomic uint32_t sleepers;
    const struct kp_carrier_row *carrier; /* the carrier of the waiting fibers; NULL for threads */
    struct kp_wait_queue *queues;         /* the carrier's queues of waiting fibers */
    int queue_count;
    /* The members of the group `of` that wait for this word and for their requests at the same
     * time. They sleep on their bells (request/request.h), and each counts as a sleeper, too. */
    _Atomic uint32_t listeners;
    struct kp_shared *of;
};

/* How a thread or fiber waits. First it looks at the word again and again (spins), then it yields
 * the core between looks, then it parks. Each of the functions `parking`, `unparked` and `sleeping`
 * may be NULL. `parking` and `unparked` tell the deadlock detector that the waiter is about to
 * sleep and that it goes on. Before its last look the waiter calls `sleeping` with `begins` true,
 * which tells the other members for whom it waits. Afterwards, whether it slept or not, it
 * calls `sleeping` with `begins` false. */
struct kp_waiter {
    int spins;  /* step 1: the number of looks with a short pause between them */
    int early;  /* step 2: the number of yields that the inline function kp_wait_early makes */
    int yields; /* step 3: the number of looks with a yield between them */
    unsigned longer_us; /* step 4: the microseconds of further looks with a yield between them */
    int last_spins;     /* step 0, only for the last of a core set to arrive: the number of looks */
    unsigned limit_ms;  /* the longest time to sleep in milliseconds */
    unsigned limit_more_ns; /* and in nanoseconds, less than a million; both 0: no limit */
    /* The first argument of the three functions below: the member that waits. NULL in the wait for
     * readers, of which the deadlock detector does not know. */
    void *waiting_member;
    void (*parking)(void *waiting_member, struct kp_wait_word *word, uint32_t old);
    void (*unparked)(void *waiting_member);
    void (*sleeping)(void *waiting_member, bool begins);
};

/* A function that sleeps while the word is `old`, until `deadline` (NULL: for ever). It may return
 * earlier. The function looks at the word once more before it sleeps. A wake that comes after this
 * look ends the sleep. Returns false once the deadline has passed. */
typedef bool kp_sleep(struct kp_wait_word *word, uint32_t old, const struct timespec *deadline);

/* Sleeps until the word is not `old` or the deadline has passed. Returns the word's value. */
static inline uint32_t kp_park(struct kp_wait_word *word, uint32_t old,
                               const struct kp_waiter *waiter, const struct timespec *deadline,
                               kp_sleep *sleep)
{
    /* The sleeper's half: count itself, then look again (partner: kp_has_sleepers). */
    atomic_fetch_add_explicit(&word->sleepers, 1, KP_ORDER_SLEEP);
    uint32_t value = atomic_load_explicit(&word->value, KP_ORDER_RECHECK);
    if (value == old) {
        if (waiter->parking)
            waiter->parking(waiter->waiting_member, word, old);
        bool in_time = true;
        while ((value = atomic_load_explicit(&word->value, KP_ORDER_RECHECK)) == old && in_time)
            in_time = sleep(word, old, deadline);
        if (waiter->unparked)
            waiter->unparked(waiter->waiting_member);
    }
    atomic_fetch_sub_explicit(&word->sleepers, 1, KP_ORDER_AWAKE);
    return value;
}

/* The waker's half of the handshake (partner: kp_park). The waker calls this function after it has
 * changed the word with KP_ORDER_PUBLISH. If the function returns true, the waker wakes the
 * sleepers. */
static inline bool kp_has_sleepers(const struct kp_wait_word *word)
{
    return atomic_load_explicit(&word->sleepers, KP_ORDER_LOOK) > 0;
}

/* --- The bell: a word on which one member sleeps until `ready` is true. The member that makes
 * `ready` true rings the bell, that is, changes the word and wakes the sleeper. --- */

/* Sleeps on the bell once. Returns false once the deadline has passed. If the bell rings although
 * `ready` is still false, the caller calls this function again. What the deadlock detector knows of
 * the waiter is out of date after a ring, so each sleep calls `parking` again. */
static inline bool kp_sleep_until_rung(struct kp_wait_word *bell,
                                       bool (*ready)(const void *context), const void *context,
                                       const struct kp_waiter *waiter,
                                       const struct timespec *deadline, kp_sleep *sleep)
{
    bool in_time = true;
    uint32_t old = atomic_load_explicit(&bell->value, KP_ORDER_RECHECK);
    atomic_fetch_add_explicit(&bell->sleepers, 1, KP_ORDER_SLEEP);
    if (waiter->sleeping) /* seldom taken: only a wait for readers has no such function */
        waiter->sleeping(waiter->waiting_member, true);
    /* The deadlock detector assumes that a parked member goes on only if its bell rings. So the
     * member must not look at `ready` after it has called `parking`. */
    if (!ready(context)) {
        if (waiter->parking) /* seldom taken: only a wait for readers has no such function */
            waiter->parking(waiter->waiting_member, bell, old);
        while (atomic_load_explicit(&bell->value, KP_ORDER_RECHECK) == old && in_time)
            in_time = sleep(bell, old, deadline);
        if (waiter->unparked) /* seldom taken: only a wait for readers has no such function */
            waiter->unparked(waiter->waiting_member);
    }
    if (waiter->sleeping) /* seldom taken: only a wait for readers has no such function */
        waiter->sleeping(waiter->waiting_member, false);
    atomic_fetch_sub_explicit(&bell->sleepers, 1, KP_ORDER_AWAKE);
    return in_time;
}

/* Changes the bell's value. A member that is about to sleep sees the change and stays awake
 * (partner: KP_ORDER_RECHECK above). The caller then wakes the sleeper if kp_has_sleepers returns
 * true. */
static inline void kp_bell_count(struct kp_wait_word *bell)
{
    atomic_fetch_add_explicit(&bell->value, 1, KP_ORDER_PUBLISH);
}

#endif
