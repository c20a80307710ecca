/* How a thread waits until a word changes, in three stages. It looks at the word again and again
 * (spins), then yields its core between looks, then sleeps (parks).
 *
 * Spinning is useful only if the thread that will change the word runs at the same time. If there
 * are more threads than cores, that thread may need the spinning thread's core. So the number of
 * looks depends on the machine. Where threads share a core, a yield costs only a context switch
 * that is needed anyway. Every long wait ends in sleep, so that an idle machine uses no CPU
 * time. */
#include "ports/sync/wait.h"

#include "ports/carrier/carrier.h"
#include "ports/request/handshake.h"
#include "ports/request/request.h"
#include "ports/self.h"
#include "ports/ticks.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#if defined(__linux__) && !defined(KP_NO_FUTEX)
#define KP_FUTEX 1
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static struct timespec now_plus(unsigned milliseconds, unsigned more_ns)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)(milliseconds / 1000);
    t.tv_nsec += (long)(milliseconds % 1000) * 1000000L + (long)more_ns;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

/* Returns the milliseconds until the deadline, and at least 1, because 0 would mean no limit. */
static unsigned milliseconds_to(const struct timespec *deadline)
{
    struct timespec now = now_plus(0, 0);
    int64_t left = (int64_t)(deadline->tv_sec - now.tv_sec) * 1000 +
                   (deadline->tv_nsec - now.tv_nsec) / 1000000;
    return left > 0 ? (unsigned)left : 1;
}

#ifdef KP_FUTEX

/* Sleeps while the word is `old`, until `deadline` (NULL: for ever). Returns false once the
 * deadline has passed. A system call is used directly, because a wait must not be a cancellation
 * point. */
static bool sleep_on(struct kp_wait_word *word, uint32_t old, const struct timespec *deadline)
{
    long r = syscall(SYS_futex, &word->value, FUTEX_WAIT_BITSET_PRIVATE, old, deadline, NULL,
                     FUTEX_BITSET_MATCH_ANY);
    return !(r == -1 && errno == ETIMEDOUT);
}

const char *kp_waiting(void)
{
    return "futexes";
}

static void wake_sleepers(struct kp_wait_word *word)
{
    syscall(SYS_futex, &word->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

#ifdef SYS_membarrier
#define PRIVATE_EXPEDITED          8 /* of linux/membarrier.h */
#define REGISTER_PRIVATE_EXPEDITED 16

bool kp_has_barrier_of_all(void)
{
    return syscall(SYS_membarrier, REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void kp_barrier_of_all(void)
{
    if (syscall(SYS_membarrier, PRIVATE_EXPEDITED, 0, 0) == 0)
        return;
    /* seldom taken: a sandbox that the program has made since refuses the call. What any thread has
     * stored reaches memory long before this time is over. */
    struct kp_wait_word nobody = {.value = 0};
    const struct timespec end = now_plus(1, 0);
    (void)sleep_on(&nobody, 0, &end);
}
#else
#define NO_BARRIER_OF_ALL 1
#endif

#else
#define NO_BARRIER_OF_ALL 1

/* In a build without futexes (KP_NO_FUTEX, the Meson option waiting), words share these lots. A lot
 * is a condition variable with its lock. */
#define LOTS              64

static struct lot {
    pthread_mutex_t lock;
    pthread_cond_t changed;
} lots[LOTS];
static pthread_once_t lots_made = PTHREAD_ONCE_INIT;

static void fill_lots(void)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    for (int i = 0; i < LOTS; i++) {
        pthread_mutex_init(&lots[i].lock, NULL);
        pthread_cond_init(&lots[i].changed, &monotonic);
    }
    pthread_condattr_destroy(&monotonic);
}

/* In the child of a fork, a lock may stay locked, and a condition variable may count waiting
 * threads of the parent. The child has only one thread, so it makes all lots again. */
static void make_lots(void)
{
    fill_lots();
    pthread_atfork(NULL, NULL, fill_lots);
}

static struct lot *lot_of(const struct kp_wait_word *word)
{
    pthread_once(&lots_made, make_lots);
    return &lots[((uintptr_t)word / sizeof *word) % LOTS];
}

const char *kp_waiting(void)
{
    return "condition variables";
}

static bool sleep_on(struct kp_wait_word *word, uint32_t old, const struct timespec *deadline)
{
    struct lot *lot = lot_of(word);
    int status = 0, cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&lot->lock);
    while (status == 0 && atomic_load_explicit(&word->value, KP_ORDER_RECHECK) == old)
        status = deadline ? pthread_cond_timedwait(&lot->changed, &lot->lock, deadline)
                          : pthread_cond_wait(&lot->changed, &lot->lock);
    pthread_mutex_unlock(&lot->lock);
    pthread_setcancelstate(cancel, NULL);
    return status != ETIMEDOUT;
}

static void wake_sleepers(struct kp_wait_word *word)
{
    struct lot *lot = lot_of(word);
    pthread_mutex_lock(&lot->lock);
    pthread_cond_broadcast(&lot->changed);
    pthread_mutex_unlock(&lot->lock);
}

#endif

#ifdef NO_BARRIER_OF_ALL
bool kp_has_barrier_of_all(void)
{
    return false;
}

void kp_barrier_of_all(void)
{
}
#endif

static uint32_t park(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter)
{
    struct timespec limit, *deadline = NULL;
    if (waiter->limit_ms > 0 || waiter->limit_more_ns > 0) {
        limit = now_plus(waiter->limit_ms, waiter->limit_more_ns);
        deadline = &limit;
    }
    return kp_park(word, old, waiter, deadline, sleep_on);
}

/* A thread with a core of its own looks for longer than it takes to wake a sleeping thread.
 * Otherwise two members could go on putting each other to sleep, once one of them has slept. A
 * member that waits for a member which is just being woken would fall asleep, too. Then every round
 * would take two wake-ups.
 *
 * A waiting thread also yields. If another thread wants the core, it gets the core at a yield and
 * keeps it for milliseconds. Then the waiting thread looks once more and parks, because the
 * deadlock detector finds a deadlock only when all members have parked. */
struct kp_waiter kp_looks_of(kp_wait_policy policy)
{
    static const struct kp_waiter looks[] = {
        [KP_WAIT_SPIN] = {.spins = KP_HAS(LOOKS) ? 1000 : 1, /* 0 would mean shared cores */
                          .yields = 16,
                          .longer_us = KP_HAS(LONGER_YIELDS) ? 300 : 0},
        [KP_WAIT_YIELD] = {.early = KP_HAS(EARLY_YIELDS) ? 2 : 0,
                           .yields = KP_HAS(EARLY_YIELDS) ? 14 : 16,
                           .last_spins = KP_HAS(LAST_LOOKS) ? 1000 : 0},
        [KP_WAIT_PARK] = {.yields = 0},
    };
    return looks[policy];
}

/* Another program that wants the core gets it at a yield, and keeps it for milliseconds. A thread
 * that sleeps gets the core soon after it is woken. So if yields take long, the threads of this
 * process park without yielding, for a while.
 *
 * A yield also takes long if another thread of this process has the core, and computes. Then
 * parking would gain nothing. So a thread whose yield took long reads at its next yields the
 * processor time of the process: a thread of the process that had the core for the whole yield has
 * used as much. What threads use on other cores counts, too. So beside another program the threads
 * of a process that computes on other cores go on yielding.
 *
 * To read this time takes a microsecond or two, so a thread whose yields are short does not. With
 * hundreds of threads all yields are long, and it takes much longer, as the system adds up the
 * times of all threads. Then the process reads it only so often that this costs little. */
#define LONG_TICKS   (KP_HAS_COUNTER ? UINT64_C(1) << 22 : 1000000) /* at least half a ms */
#define LONG_NS      UINT64_C(1000000) /* the same by the clock, for yields that are watched */
#define NO_YIELDS_NS UINT64_C(50000000)
#define WATCHED      4               /* so many yields of a thread are watched after a long one */
#define SLOW_READ_NS UINT64_C(10000) /* to read the processor time takes long */
#define READS_APART  64              /* so many times as long as it takes */
#define PART_OF_OWN  0.75            /* of the time of a yield; the times are those of two clocks */

static _Atomic uint64_t no_yields_until_ns, no_reads_until_ns;
static _Thread_local KP_FAST_TLS int watched_yields;

static void yield_watched(void)
{
    const uint64_t begun = kp_nanoseconds();
    if (begun < atomic_load_explicit(&no_reads_until_ns, KP_ORDER_YIELDS)) {
        sched_yield();
        return;
    }
    const clock_t used = clock();
    uint64_t now = kp_nanoseconds();
    if (now - begun >= SLOW_READ_NS)
        atomic_store_explicit(&no_reads_until_ns, now + READS_APART * (now - begun),
                              KP_ORDER_YIELDS);
    sched_yield();
    now = kp_nanoseconds();
    if (now - begun < LONG_NS)
        return;
    const double own_ns = (double)(clock() - used) * 1e9 / CLOCKS_PER_SEC;
    watched_yields = WATCHED;
    if (own_ns < PART_OF_OWN * (double)(now - begun))
        atomic_store_explicit(&no_yields_until_ns, now + NO_YIELDS_NS, KP_ORDER_YIELDS);
}

bool kp_yield(void)
{
    const uint64_t until = atomic_load_explicit(&no_yields_until_ns, KP_ORDER_YIELDS);
    if (until > 0 && kp_nanoseconds() < until)
        return false;
    if (watched_yields > 0) {
        watched_yields--;
        yield_watched();
        return true;
    }
    const uint64_t before = kp_ticks(true);
    sched_yield();
    if (kp_ticks(true) - before >= LONG_TICKS)
        watched_yields = WATCHED;
    return true;
}

bool kp_yields_on(const struct kp_waiter *waiter, struct kp_yielding *so_far)
{
    if (so_far->done++ < waiter->yields)
        return true;
    if (waiter->longer_us == 0)
        return false;
    uint64_t now = kp_nanoseconds();
    if (so_far->until_ns == 0)
        so_far->until_ns = now + (uint64_t)waiter->longer_us * 1000;
    return now < so_far->until_ns;
}

uint32_t kp_wait_change(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter)
{
    uint32_t value;
    if (word->carrier)
        return word->carrier->wait(word, old, waiter);
    if (waiter->spins > 0 && (value = kp_wait_briefly(word, old, waiter->spins)) != old)
        return value;
    struct kp_yielding so_far = {0};
    while (kp_yields_on(waiter, &so_far)) {
        if ((value = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE)) != old)
            return value;
        if (!kp_yield())
            break;
    }
    return park(word, old, waiter);
}

/* Does kp_sleep_until_rung for a carrier that has its own function for waiting. */
static bool carried_until_rung(struct kp_wait_word *bell, bool (*ready)(const void *context),
                               const void *context, const struct kp_waiter *waiter,
                               const struct timespec *deadline)
{
    uint32_t old = atomic_load_explicit(&bell->value, KP_ORDER_RECHECK);
    if (waiter->sleeping) /* seldom taken: only the wait for readers is without it */
        waiter->sleeping(waiter->waiting_member, true);
    struct kp_waiter rest = *waiter;
    rest.limit_ms = deadline ? milliseconds_to(deadline) : 0;
    bool in_time = ready(context) || bell->carrier->wait(bell, old, &rest) != old;
    if (waiter->sleeping) /* seldom taken: only the wait for readers is without it */
        waiter->sleeping(waiter->waiting_member, false);
    return in_time;
}

bool kp_wait_until(struct kp_wait_word *bell, bool (*ready)(const void *context),
                   const void *context, const struct kp_waiter *waiter)
{
    bool carried = bell->carrier, in_time = true;
    for (int i = 0; i < waiter->spins && !carried; i++) { /* untaken: fibers do not spin here */
        if (ready(context))
            return true;
        kp_pause();
    }
    struct kp_yielding so_far = {0};
    while (!carried && kp_yields_on(waiter, &so_far)) {
        if (ready(context))
            return true;
        if (!kp_yield())
            break;
    }
    struct timespec limit, *deadline = NULL;
    if (waiter->limit_ms > 0) {
        limit = now_plus(waiter->limit_ms, 0);
        deadline = &limit;
    }
    while (!ready(context) && in_time)
        in_time = carried ? carried_until_rung(bell, ready, context, waiter, deadline)
                          : kp_sleep_until_rung(bell, ready, context, waiter, deadline, sleep_on);
    return ready(context);
}

void kp_ring(struct kp_wait_word *bell)
{
    kp_bell_count(bell);
    kp_wake_all(bell);
}

void kp_wake_all(struct kp_wait_word *word)
{
    kp_wake_listeners(word);
    if (word->carrier) {
        word->carrier->wake(word);
        return;
    }
    if (kp_has_sleepers(word))
        wake_sleepers(word);
}
