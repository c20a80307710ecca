/* This is a barrier written by hand, with which the benchmark compares kport. It was the fastest of
 * the barriers that were measured when kport was designed. */
#ifndef KPORT_BENCH_GOOD_BARRIER_H
#define KPORT_BENCH_GOOD_BARRIER_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

/* A barrier with one counter and one generation word. A member that waits spins `spins` times,
 * yields 16 times, and then sleeps on a futex. */
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
