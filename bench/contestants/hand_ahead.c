/* A contestant of the benchmark, written by hand, for batches of calls with a root. No member waits
 * longer than necessary. In a broadcast or scatter the root writes messages into a ring of slots,
 * and runs ahead of the readers. In a gather the other members write, and run ahead of the root.
 * Readers free the slots of half a ring at a time. */
#include "../contestant.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_SLOTS 64
/* The largest size of the ring in bytes, unless two slots need more. */
#define RING_BYTES (4u << 20)
#define MOST_BYTES (64u << 20)

/* A number of messages. The number only grows, and members can wait until it reaches a value. */
struct number {
    alignas(64) _Atomic uint32_t value;
    _Atomic uint32_t sleeper; /* 1 if a member sleeps until the value grows, or is about to sleep */
};

struct ring {
    struct number written; /* the number of messages that the root has written */
    /* the number of messages that all readers (in a gather, the root) have read; it grows by half a
     * ring */
    struct number taken;
    /* For each half of the ring, the number of readers that have read all its slots. */
    alignas(64) _Atomic uint32_t readers_done[2];
    alignas(64) size_t slot_bytes;
    uint32_t slots;
    int spins;
    char *memory;
    /* In a gather, for each sender, the number of messages that it has written. */
    struct number *heads;
};

/* --- Waiting for a number --- */

static uint32_t value_of(struct number *number)
{
    /* This load is an acquire, and pairs with the store in raise_to. */
    return atomic_load_explicit(&number->value, memory_order_acquire);
}

static bool reached(struct number *number, uint32_t wanted)
{
    return (int32_t)(value_of(number) - wanted) >= 0;
}

static void wait_until(const struct ring *ring, struct number *number, uint32_t wanted)
{
    for (int i = 0; i < ring->spins; i++) {
        if (reached(number, wanted))
            return;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    for (int i = 0; i < 16; i++) {
        if (reached(number, wanted))
            return;
        sched_yield();
    }
    for (;;) {
        /* Both accesses are sequentially consistent, and so are those in raise_to. So either
         * raise_to sees that `sleeper` is 1, or this member sees the value that raise_to has
         * stored. */
        atomic_store(&number->sleeper, 1);
        uint32_t value = atomic_load(&number->value);
        if ((int32_t)(value - wanted) >= 0)
            return;
        syscall(SYS_futex, &number->value, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
    }
}

static void raise_to(struct number *number, uint32_t value)
{
    atomic_store(&number->value, value);
    if (atomic_load(&number->sleeper) && atomic_exchange(&number->sleeper, 0))
        syscall(SYS_futex, &number->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* --- Writing and reading one message --- */

static char *slot_of(const struct ring *ring, uint32_t message)
{
    return ring->memory + message % ring->slots * ring->slot_bytes;
}

static void wait_for_room(struct ring *ring, uint32_t message)
{
    wait_until(ring, &ring->taken, message + 1 - ring->slots);
}

static void write_one(struct ring *ring, const struct member *m, uint32_t message)
{
    const struct job *job = &m->team->request->job;
    wait_for_room(ring, message);
    if (job->operation == BROADCAST)
        memcpy(slot_of(ring, message), m->in, job->b);
    else {
        memcpy(slot_of(ring, message), m->out, (size_t)job->n * job->b);
        memcpy(m->in, m->out, job->b);
    }
    raise_to(&ring->written, message + 1);
}

static void read_one(struct ring *ring, const struct member *m, uint32_t message)
{
    const struct job *job = &m->team->request->job;
    uint32_t half = ring->slots / 2, next = message + 1;
    size_t offset = job->operation == SCATTER ? (size_t)m->rank * job->b : 0;
    wait_until(ring, &ring->written, next);
    memcpy(m->in, slot_of(ring, message) + offset, job->b);
    if (next % half != 0)
        return;
    _Atomic uint32_t *done = &ring->readers_done[message / half % 2];
    if (atomic_fetch_add(done, 1) + 2 == (uint32_t)job->n) {
        atomic_store(done, 0);
        raise_to(&ring->taken, next);
    }
}

static void gather_one(struct ring *ring, const struct member *m, uint32_t message)
{
    const struct job *job = &m->team->request->job;
    char *slot = slot_of(ring, message);
    if (m->rank != 0) {
        wait_for_room(ring, message);
        memcpy(slot + (size_t)m->rank * job->b, m->out, job->b);
        raise_to(&ring->heads[m->rank], message + 1);
        return;
    }
    for (int i = 1; i < job->n; i++)
        wait_until(ring, &ring->heads[i], message + 1);
    memcpy(m->in, m->out, job->b);
    memcpy(m->in + job->b, slot + job->b, (size_t)(job->n - 1) * job->b);
    if ((message + 1) % (ring->slots / 2) == 0)
        raise_to(&ring->taken, message + 1);
}

static int ahead(struct member *m)
{
    struct ring *ring = m->team->state;
    uint32_t message = (uint32_t)m->calls++;
    if (m->team->request->job.operation == GATHER)
        gather_one(ring, m, message);
    else if (m->rank == 0)
        write_one(ring, m, message);
    else
        read_one(ring, m, message);
    return 0;
}

/* --- The contestant --- */

static size_t slot_bytes_of(const struct job *job)
{
    return (job->operation == BROADCAST ? 1 : (size_t)job->n) * job->b;
}

bool ahead_serves(const struct contestant *self, const struct job *job)
{
    return job->batch && has_root(job) && slot_bytes_of(job) * 2 <= MOST_BYTES &&
           !(self->pin && job->n <= cores_allowed());
}

const char *ahead_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply)
{
    const struct job *job = &request->job;
    struct ring ring = {.slot_bytes = stride_of(slot_bytes_of(job)), .slots = MOST_SLOTS};
    while (ring.slots > 2 && ring.slots * ring.slot_bytes > RING_BYTES)
        ring.slots /= 2;
    ring.spins = job->n <= cores_allowed() ? 1000 : 0;
    ring.memory = aligned_alloc(64, ring.slots * ring.slot_bytes);
    ring.heads = aligned_alloc(64, (size_t)job->n * sizeof *ring.heads);
    const char *error = "no memory";
    if (ring.memory && ring.heads) {
        memset(ring.memory, 0, ring.slots * ring.slot_bytes);
        memset(ring.heads, 0, (size_t)job->n * sizeof *ring.heads);
        error = team_of_threads(request, arena, ahead, &ring, job->pin || self->pin, reply);
    }
    free(ring.memory);
    free(ring.heads);
    return error;
}
