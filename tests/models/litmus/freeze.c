/* Checks a failure during an episode. Two members make an episode while a third thread fails their
 * group. The episode must have happened for both members or for neither. A member that sees the
 * failure must also see its reason. */
#include "litmus.h"

#include "ports/sync/arrival.h"

#define MEMBERS 2

static _Atomic uint64_t arrivals;
static _Atomic uint32_t generation;
static int reason;
static bool passed[MEMBERS];

static void *run(void *number)
{
    int self = (int)(intptr_t)number;
    if (self == MEMBERS) {
        reason = 1;
        kp_generation_freeze(&generation);
        return NULL;
    }
    uint32_t now = 0, next = kp_generation_after(0);
    uint64_t all = kp_arrive(&arrivals, kp_arrival_of(1, 1));
    if (kp_arrivals_complete(all, MEMBERS) && kp_generation_publish(&generation, 0, next))
        now = next;
    while (now == 0) {
        now = atomic_load_explicit(&generation, KP_ORDER_OBSERVE);
        BETWEEN;
    }
    passed[self] = (now & KP_GENERATION_LOW) == next;
    if (now & KP_GENERATION_FAILED)
        assert(reason == 1);
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++) {
        atomic_store_explicit(&generation, 0, KP_ORDER_RESET);
        kp_arrivals_clear(&arrivals);
        reason = 0;
        run_threads(run, MEMBERS + 1);
        assert(passed[0] == passed[1]);
    }
    return 0;
}
