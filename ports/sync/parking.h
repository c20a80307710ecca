/* Parking: a word, those who sleep until it changes, and those who change it.
 *
 * The sleeper counts itself, then looks once more; the changer changes the word, then looks for
 * sleepers. All four are sequentially consistent, so either the sleeper sees the change or the
 * changer sees the sleeper: no wake-up is lost. The sleep itself, which ends if the word is not as
 * it was, is the caller's. This header depends on the names of memory orders alone. */
#ifndef KPORT_PORTS_PARKING_H
#define KPORT_PORTS_PARKING_H

#include "ports/order.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_CACHE_LINE 64
/* Between what different cores write: with a line many of them ask for its neighbour. */
#define KP_LINES_APART (2 * KP_CACHE_LINE)

struct timespec;
struct kp_carrier_row;
struct kp_wait_queue;

/* The word and the number of sleepers lie apart: spinning readers of the one are not disturbed by
 * those who park. The rest of the word's line is for what goes with it from core to core. */
struct kp_wait_word {
    alignas(KP_CACHE_LINE) _Atomic uint32_t value;
    alignas(8) unsigned char room[KP_CACHE_LINE - 8];
    alignas(KP_CACHE_LINE) _Atomic uint32_t sleepers;
    const struct kp_carrier_row *carrier; /* how one waits for it; NULL: as threads do */
    struct kp_wait_queue *queues;         /* the carrier's: one, or one a worker */
    int queue_count;
};

/* How one waits. `parking` and `unparked` are told of parking, for the watch; `sleeping` before the
 * last look and after, for who has to know to ring a bell. All may be NULL. */
struct kp_waiter {
    int spins;          /* looks with a pause between them */
    int early;          /* then looks after a yield, before anything else is thought of */
    int yields;         /* then looks with a yield between them, */
    unsigned longer_us; /* on and on for so long, then parking */
    int last_spins;     /* looks, before all these, of the last of a core set */
    unsigned limit_ms;  /* longest time parked; 0: none */
    void *watched;      /* first argument of the next two */
    void (*parking)(void *watched, struct kp_wait_word *word, uint32_t old);
    void (*unparked)(void *watched);
    void (*sleeping)(void *watched, bool begins);
};

/* Sleeps while the word is `old`, until `deadline` (NULL: for ever), or for less. False once that
 * has passed. It looks at the word itself, and from there on a wake ends it. */
typedef bool kp_sleep(struct kp_wait_word *word, uint32_t old, const struct timespec *deadline);

/* Sleeps until the word is not `old` any more or the deadline has passed; returns its value. */
static inline uint32_t kp_park(struct kp_wait_word *word, uint32_t old,
                               const struct kp_waiter *waiter, const struct timespec *deadline,
                               kp_sleep *sleep)
{
    /* Sleeper's half of the handshake: count, then look again (partner: kp_has_sleepers). */
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

/* Waker's half: the word has been changed by KP_ORDER_PUBLISH; now look for sleepers (partner:
 * kp_park). If true, they are to be woken. */
static inline bool kp_has_sleepers(const struct kp_wait_word *word)
{
    return atomic_load_explicit(&word->sleepers, KP_ORDER_LOOK) > 0;
}

/* --- The bell: a word that one waiter sleeps on until `ready`, rung by who makes it so --- */

/* Sleeps on the bell once. False after the deadline. A bell that rings for another reason changes
 * what the watch has noted, so every sleep is noted anew. */
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
    /* The watch takes who has parked for one whom only a bell can help. */
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

/* Keeps who is about to sleep from it (partner: KP_ORDER_RECHECK above). To be followed by
 * kp_has_sleepers and waking. */
static inline void kp_bell_count(struct kp_wait_word *bell)
{
    atomic_fetch_add_explicit(&bell->value, 1, KP_ORDER_PUBLISH);
}

#endif
