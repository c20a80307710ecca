/* Words between two threads through slots whose flag lies in the line of the payload, by hand and
 * through kport's mailbox. */
#include "contestant.h"
#include "two_threads.h"

#include <stdatomic.h>

/* --- By hand: a ring of lines; the flag tells which lap of the ring the word is from --- */

#define SLOTS 512

struct slot {
    alignas(64) _Atomic uint64_t lap; /* 2 * lap + 1: full; 2 * lap + 2: taken */
    uint64_t word;
};

/* Writer's and reader's own places, apart. */
struct ring {
    struct slot slots[SLOTS];
    alignas(64) uint64_t written;
    alignas(64) uint64_t taken;
};

static inline void put(struct ring *ring, uint64_t word)
{
    struct slot *slot = &ring->slots[ring->written % SLOTS];
    uint64_t lap = ring->written++ / SLOTS;
    for (unsigned looks = 0;
         atomic_load_explicit(&slot->lap, memory_order_acquire) != 2 * lap;) /* partner: take */
        look_again(&looks);
    slot->word = word;
    atomic_store_explicit(&slot->lap, 2 * lap + 1, memory_order_release); /* partner: take */
}

static inline uint64_t take(struct ring *ring)
{
    struct slot *slot = &ring->slots[ring->taken % SLOTS];
    uint64_t lap = ring->taken++ / SLOTS;
    for (unsigned looks = 0;
         atomic_load_explicit(&slot->lap, memory_order_acquire) != 2 * lap + 1;) /* partner: put */
        look_again(&looks);
    uint64_t word = slot->word;
    atomic_store_explicit(&slot->lap, 2 * lap + 2, memory_order_release); /* partner: put */
    return word;
}

DEFINE_TWO_THREADS(struct ring, put, take)

/* --- Contestants --- */

bool words_serve(const struct contestant *self, const struct job *job)
{
    (void)self;
    return job->operation == ROUND_TRIP || job->operation == THROUGHPUT;
}

/* kport's own mailbox, ports/mailbox.h, takes its place here. */
const char *words_missing(const struct contestant *self, const struct job *job)
{
    (void)self;
    (void)job;
    return "not built (the library has no mailbox of words)";
}

const char *words_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply)
{
    static struct ring rings[2];
    (void)self;
    (void)arena;
    memset(rings, 0, sizeof rings);
    return run_two_threads(request, rings, reply) ? NULL : "a thread cannot be started";
}
