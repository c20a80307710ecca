/* What people write by hand: barriers, and an index over shared memory between them. */
#ifndef KPORT_BENCH_HAND_H
#define KPORT_BENCH_HAND_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

/* The best barrier measured for the design: one counter, then spin, yield 16 times, futex. */
struct good_barrier {
    alignas(64) _Atomic uint32_t arrived;
    alignas(64) _Atomic uint32_t generation;
    alignas(64) _Atomic uint32_t sleepers;
    alignas(64) uint32_t size;
    int spins;
};

void good_barrier_init(struct good_barrier *barrier, int size, int cores);
void good_barrier_wait(struct good_barrier *barrier);

#endif
