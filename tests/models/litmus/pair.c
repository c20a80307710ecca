/* Checks the barrier of two members (ports/sync/pair.h). Each member writes its own word and waits
 * for the other member's word. After each episode a member must see what the other member wrote
 * before its arrival. Each member alternates between two copies (generations) of its data, and two
 * must be enough. In every second run a third thread fails the group. Then the last episode must
 * have happened for both members or for neither. */
#include "litmus.h"

#include "ports/sync/pair.h"

#define EPISODES 3

static _Atomic uint32_t words[2];
static struct kp_pair_note notes[2];
static int reason;
static uint32_t last[2];

static void *run(void *number)
{
    int self = (int)(intptr_t)number, other = 1 - self;
    if (self == 2) {
        reason = 1;
        kp_pair_freeze(&words[0]);
        kp_pair_freeze(&words[1]);
        return NULL;
    }
    uint32_t seen = 0;
    for (uint64_t episode = 1; episode <= EPISODES; episode++) {
        uint32_t now;
        notes[self].fingerprint[episode % 2] = episode;
        if (!kp_pair_come(&words[self], seen)) {
            assert(reason == 1);
            break;
        }
        while ((now = atomic_load_explicit(&words[other], KP_ORDER_OBSERVE)) == seen)
            BETWEEN;
        if (!kp_pair_has_come(now, seen)) {
            assert(reason == 1);
            break;
        }
        assert(notes[other].fingerprint[episode % 2] == episode);
        seen = kp_pair_next(seen);
    }
    last[self] = seen;
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++) {
        atomic_store_explicit(&words[0], 0, KP_ORDER_RESET);
        atomic_store_explicit(&words[1], 0, KP_ORDER_RESET);
        reason = 0;
        run_threads(run, 2 + i % 2);
        assert(last[0] == last[1]);
    }
    return 0;
}
