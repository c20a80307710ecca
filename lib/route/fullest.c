/* The balanced protocol with foresight. As soon as a processor can know that packets need detours,
 * it sends packets on detours. They are packets for the destinations for which it has the most.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 4, improved.
 *
 * How it works. A pair is a processor and a destination of its packets. In a round a processor has
 * a slot for one packet to each processor. A processor expects that T more rounds are needed:
 *
 *   T = max(ceil(load / n), ceil(column / n)) + 1
 *
 * load is the number of packets that the processor holds. column is the largest number of packets
 * that are still to arrive at any processor, and all processors agree on it. The 1 stands for the
 * second half of the last detour.
 *
 * A pair with more than T packets cannot send them all straight in T rounds. The packets above T
 * are its excess. A pair with fewer than T packets can spare the slot of one round, now or later.
 * Now is better, because a packet that leaves early can be sent on in time. So each processor sends
 * its excess through the slots that it can spare, which it takes in random order. Each time it
 * takes a packet of the pair that has the largest excess left. All other slots carry packets
 * straight to their destinations. A pair with at most T packets never sends a packet on a detour,
 * because an idle slot costs less than moving a packet twice.
 *
 * Rounds. A few more than the lower bound for all protocols, and fewer than if only idle slots
 * carry detours. `kport route` measures them (doc/manual/guides/routing.md). If all processors send
 * to one processor, all packets go straight, because detours gain nothing. */
#include "lib/route/router.h"
#include "lib/schedule/arithmetic.h"

#include <string.h>

/* Returns the excess of the pair with destination j, but at most n. A larger excess makes no
 * difference, because in a round a processor sends at most n packets. */
static int32_t excess_of(const struct kp_router *r, int32_t j, int32_t expected)
{
    int32_t above = r->load[j] - expected;
    return above < r->n ? above : r->n;
}

/* Writes the destinations of the pairs with an excess to `order`, the largest excess first. Returns
 * their number. */
static int32_t find_excess(struct kp_router *r, int32_t expected)
{
    int32_t *ends = r->tree, count = 0;
    memset(ends, 0, ((size_t)r->n + 1) * sizeof *ends);
    for (int32_t j = 0; j < r->n; j++) {
        if (r->load[j] > expected)
            ends[excess_of(r, j, expected)]++;
    }
    for (int32_t level = r->n; level > 0; level--)
        ends[level] = count += ends[level];
    for (int32_t j = 0; j < r->n; j++) {
        if (r->load[j] > expected)
            r->order[--ends[excess_of(r, j, expected)]] = j;
    }
    return count;
}

/* Writes the processors whose slots can be spared to `moving`, in random order. Returns their
 * number. */
static int32_t find_spare(struct kp_router *r, int32_t expected)
{
    int32_t count = 0;
    for (int32_t j = 0; j < r->n; j++) {
        if (j != r->rank && r->load[j] < expected)
            r->moving[count++] = j;
    }
    kp_random_shuffle(&r->random, r->moving, count);
    return count;
}

/* Fills the slots that can be spared with packets of the excess. `level` falls from the largest
 * excess to 1, and at each level every pair with at least this excess gives one packet. So the
 * pairs with the largest excess give the most packets. */
static void detour(struct kp_router *r, int32_t expected, int32_t pairs, int32_t spare)
{
    int32_t filled = 0, level = excess_of(r, r->order[0], expected);
    for (; filled < spare && level > 0; level--) {
        for (int32_t i = 0; i < pairs && filled < spare; i++) {
            if (excess_of(r, r->order[i], expected) < level)
                break;
            r->slot[r->moving[filled++]] = r->order[i];
            r->rest[r->order[i]]--;
        }
    }
}

static enum kp_step decide(struct kp_router *r)
{
    uint64_t n = (uint64_t)r->n, own = kp_ceil_div((uint64_t)r->held, n);
    uint64_t column = kp_ceil_div(r->agreed[KP_AGREED_COLUMN], n);
    int32_t expected = (int32_t)(own > column ? own : column) + 1;
    kp_router_clear(r);
    memcpy(r->rest, r->load, (size_t)r->n * sizeof *r->rest);
    int32_t pairs = find_excess(r, expected);
    if (pairs > 0 && kp_router_may_detour(r))
        detour(r, expected, pairs, find_spare(r, expected));
    for (int32_t j = 0; j < r->n; j++) {
        if (r->slot[j] == KP_NO_PACKET && r->rest[j] > 0)
            r->slot[j] = j;
    }
    return KP_STEP_PACKETS;
}

const struct kp_protocol kp_protocol_fullest = {
    .name = "fullest",
    .summary = "what a pair cannot send in time leaves early, the fullest first (default)",
    .source = "Rao, Suel, Tsantilas and Goudreau 1995, section 4, improved",
    .decide = decide,
};
