/* Checks the barrier that counts arrivals (ports/sync/arrival.h). The members make several
 * episodes, and the last member to arrive publishes the next generation word. After an episode each
 * member must see all that every other member wrote before its arrival. All must see whether the
 * members' calls agreed. Each member alternates between two generations of the buffers, and two
 * must be enough. In every second run the members of a core set count their arrivals together. */
#include "litmus.h"

#include "ports/slot.h"
#include "ports/sync/arrival.h"

#ifdef KP_CHECKER
#define MEMBERS 2
#else
#define MEMBERS 3
#endif
#define EPISODES 3

static _Atomic uint64_t arrivals;
static _Atomic uint64_t core_sets[2];
static bool in_core_sets;
static _Atomic uint32_t generation;
static int buffers[KP_GENERATIONS][MEMBERS];

/* Makes one arrival and returns the word of the counter. Returns 0 if another member of the core
 * set is still to arrive; the last member of the core set arrives at the counter for all of
 * them. */
static uint64_t arrive(int self, uint64_t fingerprint)
{
    uint64_t one = kp_arrival_of(fingerprint, 1);
    if (!in_core_sets)
        return kp_arrive(&arrivals, one);
    uint64_t more = kp_arrive(&core_sets[self % 2], one);
    if (!kp_arrivals_complete(more, (MEMBERS + 1 - self % 2) / 2))
        return 0;
    kp_arrivals_clear(&core_sets[self % 2]);
    return kp_arrive(&arrivals, more);
}

static uint32_t episode(int self, uint64_t fingerprint, uint32_t seen)
{
    uint64_t all = arrive(self, fingerprint);
    uint32_t next = kp_generation_after(seen);
    if (kp_arrivals_complete(all, MEMBERS)) {
        bool agreed = kp_arrivals_agree(all, fingerprint, MEMBERS);
        next |= agreed ? 0 : KP_GENERATION_SPLIT;
        kp_arrivals_clear(&arrivals);
        bool published = kp_generation_publish(&generation, seen, next);
        assert(published);
        (void)published;
        return next;
    }
    uint32_t now;
    while ((now = atomic_load_explicit(&generation, KP_ORDER_OBSERVE)) == seen)
        BETWEEN;
    return now;
}

static void *run(void *number)
{
    int self = (int)(intptr_t)number;
    uint32_t seen = 0;
    for (uint64_t i = 1; i <= EPISODES; i++) {
        int *all = buffers[kp_generation_of(i)];
        all[self] = (int)i;
        /* In the second episode member 0 makes a different call. All members must see that the
         * calls differ. */
        seen = episode(self, i == 2 && self == 0 ? 7 : 5, seen);
        assert((seen & KP_GENERATION_SPLIT) == (i == 2 ? KP_GENERATION_SPLIT : 0));
        for (int other = 0; other < MEMBERS; other++)
            assert(all[other] == (int)i);
    }
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++) {
        atomic_store_explicit(&generation, 0, KP_ORDER_RESET);
        in_core_sets = i % 2 == 1;
        run_threads(run, MEMBERS);
    }
    return 0;
}
