/* Loops of calls that test and never find anything. They never sleep, so the machine does not know
 * that they wait. A job whose ranks all wait or test in vain for five seconds is a deadlock: no
 * rank is outside of MPI, and none has ended a call. */
#include "lib/mpi/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TESTS_BETWEEN_LOOKS 256
#define DEADLOCK_MS         5000
#define STRICT_DEADLOCK_MS  1000 /* --strict runs the program many times */
#define STATES_APART_MS     100
#define FRESH_MS            500 /* a rank whose latest tests are older may do something else */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns whether every rank is in a call, and adds up what the ranks have done. */
static bool all_wait(const struct kp_mpi_world *world, int64_t now, uint64_t *done)
{
    *done = 0;
    for (int i = 0; i < world->size; i++) {
        const struct kp_mpi_rank *rank = kp_mpi_rank_of(world, i);
        if (!rank)
            continue; /* has ended */
        const uint64_t calls = atomic_load_explicit(&rank->calls, memory_order_relaxed);
        const uint64_t vain = atomic_load_explicit(&rank->vain, memory_order_relaxed);
        const uint64_t others = atomic_load_explicit(&rank->others, memory_order_relaxed);
        const int64_t tested = atomic_load_explicit(&rank->tested, memory_order_relaxed);
        const bool tests = now - tested < FRESH_MS && calls - vain - others <= 1;
        if (!tests && !kp_face_is_inside(rank->proc))
            return false;
        *done += tests ? others : calls - vain;
    }
    return true;
}

static _Noreturn void end(struct kp_mpi_rank *self)
{
    char text[KP_MPI_SENTENCE_BYTES];
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < self->world->size && used + 1 < sizeof text; i++) {
        const struct kp_mpi_rank *rank = kp_mpi_rank_of(self->world, i);
        char where[200] = "";
        if (!rank || rank == self)
            continue;
        kp_mpi_say_place(&rank->call, where, sizeof where);
        const int length = snprintf(text + used, sizeof text - used, "\n  rank %d: %s%s", i,
                                    rank->call.function, where);
        used += length > 0 ? (size_t)length : 0;
    }
    kp_mpi_end(self, MPI_ERR_OTHER, "deadlock", &self->call,
               "deadlock: this rank tests in a loop and never finds anything, and every other rank "
               "waits or does the same%s",
               text);
}

void kp_mpi_in_vain(struct kp_mpi_rank *self)
{
    const uint64_t calls = atomic_load_explicit(&self->calls, memory_order_relaxed);
    const uint64_t vain = atomic_load_explicit(&self->vain, memory_order_relaxed) + 1;
    const uint64_t others = calls - vain;
    kp_mpi_decided(self, -1);
    atomic_store_explicit(&self->vain, vain, memory_order_relaxed);
    if (others != atomic_load_explicit(&self->others, memory_order_relaxed)) {
        /* another call came between */
        atomic_store_explicit(&self->others, others, memory_order_relaxed);
        self->state_since = 0;
        self->in_a_row = 0;
    }
    if (++self->in_a_row % TESTS_BETWEEN_LOOKS != 0)
        return;
    const int64_t now = now_ms();
    uint64_t done;
    atomic_store_explicit(&self->tested, now, memory_order_relaxed);
    if (self->state_since != 0 && now < self->looked + STATES_APART_MS)
        return;
    self->looked = now;
    if (!all_wait(self->world, now, &done)) {
        self->state_since = 0;
    } else if (self->state_since == 0 || done != self->state) {
        self->state = done;
        self->state_since = now;
    } else if (now - self->state_since >
               (self->world->job->strict ? STRICT_DEADLOCK_MS : DEADLOCK_MS)) {
        end(self);
    }
}
