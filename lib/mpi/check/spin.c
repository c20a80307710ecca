/* Loops of calls that test and never find anything. They never sleep, so the machine does not know
 * that they wait. A job whose ranks all wait or test in vain for five seconds is a deadlock: no
 * rank is outside of MPI, and none has ended a call. Then the ranks are asked what they test
 * (idle.c), and the job ends when all have said it and it still stands still. */
#include "lib/mpi/rank.h"

#include <time.h>

#define TESTS_BETWEEN_LOOKS 256
#define DEADLOCK_MS         5000
#define STRICT_DEADLOCK_MS  1000 /* --strict runs the program many times */
#define STATES_APART_MS     100
#define ANSWERS_MS          2000 /* the report comes without ranks that have not said it by then */
#define FRESH_MS            500  /* a rank whose latest tests are older may do something else */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns whether every rank is in a call, and adds up what the ranks have done. `*answered` is
 * whether those that test have said what. */
static bool all_wait(const struct kp_mpi_world *world, int64_t now, uint64_t *done, bool *answered)
{
    const unsigned asked = atomic_load_explicit(&world->asked, memory_order_relaxed);
    *done = 0;
    *answered = true;
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
        if (tests && atomic_load_explicit(&rank->answered, memory_order_relaxed) != asked)
            *answered = false;
        *done += tests ? others : calls - vain;
    }
    return true;
}

/* Asks the ranks what they test, or withdraws the question. */
static void ask(struct kp_mpi_world *world, bool asks)
{
    unsigned asked = atomic_load_explicit(&world->asked, memory_order_relaxed);
    if (asks != (asked % 2 == 1))
        (void)atomic_compare_exchange_strong_explicit(&world->asked, &asked, asked + 1,
                                                      memory_order_relaxed, memory_order_relaxed);
}

/* Takes a look at all ranks. */
static void look(struct kp_mpi_rank *self, int64_t now)
{
    struct kp_mpi_world *world = self->world;
    const int64_t most = world->job->strict ? STRICT_DEADLOCK_MS : DEADLOCK_MS;
    uint64_t done;
    bool answered;
    const bool wait = all_wait(world, now, &done, &answered);
    if (!wait || self->state_since == 0 || done != self->state) {
        self->state = done;
        self->state_since = wait ? now : 0;
        ask(world, false);
    } else if (now - self->state_since > most) {
        if (atomic_load_explicit(&world->asked, memory_order_relaxed) % 2 == 1 &&
            (answered || now - self->state_since > most + ANSWERS_MS))
            kp_mpi_end_idle(world);
        ask(world, true);
    }
}

void kp_mpi_in_vain(struct kp_mpi_rank *self, const struct kp_mpi_tested *what)
{
    const uint64_t calls = atomic_load_explicit(&self->calls, memory_order_relaxed);
    const uint64_t vain = atomic_load_explicit(&self->vain, memory_order_relaxed) + 1;
    const uint64_t others = calls - vain;
    const unsigned asked = atomic_load_explicit(&self->world->asked, memory_order_relaxed);
    kp_mpi_decided(self, -1);
    atomic_store_explicit(&self->vain, vain, memory_order_relaxed);
    if (others != atomic_load_explicit(&self->others, memory_order_relaxed)) {
        /* another call came between */
        atomic_store_explicit(&self->others, others, memory_order_relaxed);
        self->state_since = 0;
        self->in_a_row = 0;
    }
    if (asked % 2 == 1)
        kp_mpi_say_tested(self, asked, what);
    if (++self->in_a_row % TESTS_BETWEEN_LOOKS != 0)
        return;
    const int64_t now = now_ms();
    atomic_store_explicit(&self->tested, now, memory_order_relaxed);
    if (self->state_since != 0 && now < self->looked + STATES_APART_MS)
        return;
    self->looked = now;
    look(self, now);
}
