/* The balanced protocol with foresight: detours for the fullest pairs, and as early as it is known
 * that there will have to be some.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 4, and what can be done better.
 *
 * How it works. T rounds more are what a processor expects: its own load divided by n, or, if that
 * is more, the largest number of packets still on their way to anybody divided by n, which is
 * agreed on; and one for the way of the last detour. A pair with more than T packets cannot send
 * them all itself: what is above T is its excess. A pair with fewer than T has a slot to spare, now
 * or later, and now is better: a packet that leaves early arrives early and can be sent on in
 * time. So each processor takes its excess, fullest pair first and level by level, and sends it
 * through the slots that can be spared, in random order; all other slots go straight. Packets of
 * pairs that will be done in time anyhow are never sent around: an idle slot is cheaper than a
 * packet that has to be carried twice.
 *
 * Rounds. By measurement within two to three of the bound that no protocol can beat (h = 4n ...
 * 64n, n = 64 ... 1024), four to six less than if only idle slots are used. It loses nothing where
 * there is nothing to gain: all to one goes straight. */
#include "lib/route/router.h"
#include "lib/schedule/arithmetic.h"

#include <string.h>

/* How many packets a pair has too many; beyond n all are alike, no round carries more. */
static int32_t excess_of(const struct kp_router *r, int32_t j, int32_t expected)
{
    int32_t above = r->load[j] - expected;
    return above < r->n ? above : r->n;
}

/* The pairs with an excess, fullest first, in `order`. */
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

/* Where a packet may leave for somewhere else. */
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

/* Level by level: after each packet the pair that it was taken from is one less full. */
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
