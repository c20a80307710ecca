/* Parking: a word, the threads that sleep until it changes, and the threads that change it.
 *
 * The sleeper counts itself, then looks at the word once more. The changer changes the word, then
 * looks for sleepers. All four steps are sequentially consistent. So either the sleeper sees the
 * change or the changer sees the sleeper, and no wake-up is lost. The caller supplies the sleep
 * itself, which ends if the word has changed. This header needs order.h alone. */
#ifndef KPORT_PORTS_PARKING_H
#define KPORT_PORTS_PARKING_H

#include "ports/order.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_CACHE_LINE 64
/* Data of different cores lie so far apart, because many cores fetch two neighbouring lines at
 * once. */
#define KP_LINES_APART (2 * KP_CACHE_LINE)

struct timespec;
struct kp_carrier_row;
struct kp_wait_queue;

/* The word and the number of sleepers lie on two lines, so that threads that park do not disturb
 * threads that spin on the word. Data that travels with the word lies in `room`. */
struct kp_wait_word {
    alignas(KP_CACHE_LINE) _Atomic uint32_t value;
    alignas(8) unsigned char room[KP_CACHE_LINE - 8];
    alignas(KP_CACHE_LINE) _Atomic uint32_t sleepers;
    const struct kp_carrier_row *carrier; /* the carrier of waiting fibers; NULL for threads */
    struct kp_wait_queue *queues; /* the carrier's queues: a single queue, or one for each worker */
    int queue_count;
};

/* How a thread or fiber waits. `parking` and `unparked` tell the deadlock detector. `sleeping` is
 * called before the last look and after the sleep, and notes for whom the member sleeps. All three
 * may be NULL. */
struct kp_waiter {
    int spins;          /* the number of looks with a pause between them */
    int early;          /* then the looks after a first few yields, inline in the caller */
    int yields;         /* then the number of looks with a yield between them */
    unsigned longer_us; /* for how many microseconds these looks go on before parking */
    int last_spins;     /* the looks that the last of a core set takes before all these */
    unsigned limit_ms;  /* the longest time parked; 0: no limit */
    void *watched;      /* the first argument of the three functions below */
    void (*parking)(void *watched, struct kp_wait_word *word, uint32_t old);
    void (*unparked)(void *watched);
    void (*sleeping)(void *watched, bool begins);
};

/* Sleeps while the word is `old`, until `deadline` (NULL: for ever), or for less. Returns false
 * once the deadline has passed. It looks at the word itself. From that look on, a wake ends the
 * sleep. */
typedef bool kp_sleep(struct kp_wait_word *word, uint32_t old, const struct timespec *deadline);

/* Sleeps until the word is not `old` or the deadline has passed. Returns the word's value. */
static inline uint32_t kp_park(struct kp_wait_word *word, uint32_t old,
                               const struct kp_waiter *waiter, const struct timespec *deadline,
                               kp_sleep *sleep)
{
    /* The sleeper's half of the handshake: count, then look again (partner: kp_has_sleepers). */
    atomic_fetch_add_explicit(&word->sleepers, 1, KP_ORDER_SLEEP);
    uint32_t value = atomic_load_explicit(&word->value, KP_ORDER_RECHECK);
    if (value == old) {
        if (waiter->parking)
            waiter->parking(waiter->watched, word, old);
        bool in_time = true;
        while ((value = atomic_load_explicit(&word->value, KP_ORDER_RECHECK)) == old && in_time)
            in_time = sleep(word, old, deadline);
        if (waiter->unparked)
            waiter->unparked(waiter->watched);
    }
    atomic_fetch_sub_explicit(&word->sleepers, 1, KP_ORDER_AWAKE);
    return value;
}

/* The waker's half. It has changed the word with KP_ORDER_PUBLISH, and now looks for sleepers
 * (partner: kp_park). If this returns true, the caller wakes them. */
static inline bool kp_has_sleepers(const struct kp_wait_word *word)
{
    return atomic_load_explicit(&word->sleepers, KP_ORDER_LOOK) > 0;
}

/* --- The bell: a word on which one member sleeps until `ready` holds. The member that makes
 * `ready` true rings the bell. --- */

/* Sleeps on the bell once. Returns false after the deadline. A ring for another reason makes the
 * deadlock detector's note of this sleep stale, so each sleep is noted anew. */
static inline bool kp_sleep_until_rung(struct kp_wait_word *bell,
                                       bool (*ready)(const void *context), const void *context,
                                       const struct kp_waiter *waiter,
                                       const struct timespec *deadline, kp_sleep *sleep)
{
    bool in_time = true;
    uint32_t old = atomic_load_explicit(&bell->value, KP_ORDER_RECHECK);
    atomic_fetch_add_explicit(&bell->sleepers, 1, KP_ORDER_SLEEP);
    if (waiter->sleeping)
        waiter->sleeping(waiter->watched, true);
    /* The deadlock detector takes it that a parked member goes on only if its bell rings. So the
     * last look comes before `parking`. */
    if (!ready(context)) {
        if (waiter->parking)
            waiter->parking(waiter->watched, bell, old);
        while (atomic_load_explicit(&bell->value, KP_ORDER_RECHECK) == old && in_time)
            in_time = sleep(bell, old, deadline);
        if (waiter->unparked)
            waiter->unparked(waiter->watched);
    }
    if (waiter->sleeping)
        waiter->sleeping(waiter->watched, false);
    atomic_fetch_sub_explicit(&bell->sleepers, 1, KP_ORDER_AWAKE);
    return in_time;
}

/* Changes the bell's value, which keeps a member that is about to sleep awake (partner:
 * KP_ORDER_RECHECK above). The caller then looks with kp_has_sleepers and wakes. */
static inline void kp_bell_count(struct kp_wait_word *bell)
{
    atomic_fetch_add_explicit(&bell->value, 1, KP_ORDER_PUBLISH);
}

#endif
