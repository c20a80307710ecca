/* This header has a clock that is cheap enough to be read in every round of a trace.
 *
 * On x86-64 the CPU counts ticks in its time stamp counter. If Linux itself uses this counter as
 * its clock, the counter never stops and is equal on all cores. In this case kport reads the
 * counter, because that is cheaper than asking the system. On other machines a tick is a nanosecond
 * of CLOCK_MONOTONIC.
 *
 * To learn the length of a tick, kport reads both the counter and the system's clock. It does so at
 * the beginning of a trace and when it writes the trace. The counter has two limits. The CPU may
 * read it before earlier instructions are done, but the difference is less than the wait for a
 * cache line. Some counters advance in steps of 10 ns, so two readings may be equal. */
#ifndef KPORT_PORTS_TICKS_H
#define KPORT_PORTS_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__linux__) && defined(__x86_64__) && defined(__GNUC__)
#define KP_HAS_COUNTER true
#define KP_COUNTER()   __builtin_ia32_rdtsc()
#else
#define KP_HAS_COUNTER false
#define KP_COUNTER()   UINT64_C(0)
#endif

static inline uint64_t kp_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns a number of ticks that together take at least a nanosecond, and not much more. With the
 * counter this is 8, because no counter makes more than 8 ticks in a nanosecond. */
static inline uint64_t kp_ticks_of_a_nanosecond(bool counter)
{
    return KP_HAS_COUNTER && counter ? 8 : 1; /* seldom taken: depends on the system's clock */
}

static inline uint64_t kp_ticks(bool counter)
{
    /* seldom taken: depends on the system's clock */
    return KP_HAS_COUNTER && counter ? KP_COUNTER() : kp_nanoseconds();
}

/* One moment, read on both clocks. */
struct kp_tick_mark {
    uint64_t ticks, nanoseconds;
};

static inline struct kp_tick_mark kp_tick_mark(bool counter)
{
    uint64_t before = kp_ticks(counter), nanoseconds = kp_nanoseconds();
    uint64_t after = kp_ticks(counter);
    return (struct kp_tick_mark){before + (after - before) / 2, nanoseconds};
}

/* Returns the nanoseconds from `from` to the moment `ticks`, which lies between `from` and `to`. A
 * later moment never gives a smaller result. */
static inline uint64_t kp_since(struct kp_tick_mark from, struct kp_tick_mark to, bool counter,
                                uint64_t ticks)
{
    /* seldom taken: two moments may have the same tick */
    uint64_t passed = ticks > from.ticks ? ticks - from.ticks : 0;
    if (!counter || to.ticks <= from.ticks) /* seldom taken: depends on the system's clock */
        return passed;
    return (uint64_t)((double)passed * (double)(to.nanoseconds - from.nanoseconds) /
                      (double)(to.ticks - from.ticks));
}

/* Returns whether Linux uses the time stamp counter as its clock. */
bool kp_counter_is_kept(void);

#endif
