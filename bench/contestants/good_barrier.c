#include "good_barrier.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

void good_barrier_init(struct good_barrier *barrier, int size, int cores)
{
    atomic_store(&barrier->arrived, 0);
    atomic_store(&barrier->generation, 0);
    atomic_store(&barrier->sleepers, 0);
    barrier->size = (uint32_t)size;
    barrier->spins = size <= cores ? 1000 : 0;
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static int changed(struct good_barrier *barrier, uint32_t old)
{
    return atomic_load_explicit(&barrier->generation, memory_order_acquire) != old;
}

static void wait_for_change(struct good_barrier *barrier, uint32_t old)
{
    for (int i = 0; i < barrier->spins; i++) {
        if (changed(barrier, old))
            return;
        relax();
    }
    for (int i = 0; i < 16; i++) {
        if (changed(barrier, old))
            return;
        sched_yield();
    }
    atomic_fetch_add(&barrier->sleepers, 1);
    while (atomic_load(&barrier->generation) == old)
        syscall(SYS_futex, &barrier->generation, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
    atomic_fetch_sub(&barrier->sleepers, 1);
}

void good_barrier_wait(struct good_barrier *barrier)
{
    uint32_t old = atomic_load_explicit(&barrier->generation, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 ==
        barrier->size) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_fetch_add(&barrier->generation, 1);
        if (atomic_load(&barrier->sleepers) > 0)
            syscall(SYS_futex, &barrier->generation, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    } else {
        wait_for_change(barrier, old);
    }
}
