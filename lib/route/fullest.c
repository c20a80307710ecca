/* The balanced protocol with foresight. The fullest pairs make detours, as soon as it is known that
 * detours are needed.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 4, improved.
 *
 * How it works. A processor expects T more rounds. T - 1 is the larger of two numbers: its own load
 * divided by n, and the largest number of packets that are still to come to any processor, divided
 * by n, on which all agree. One more round is for the second leg of the last detour.
 *
 * A pair with more than T packets cannot send them all itself. The packets above T are its excess.
 * A pair with fewer than T packets has a slot to spare, now or later. Now is better, because a
 * packet that leaves early arrives early and can be sent on in time. So each processor sends its
 * excess through the slots that it can spare, in random order. It takes the excess from the fullest
 * pair first, level by level. All other slots carry packets straight to their destinations. Packets
 * of pairs with at most T packets never make a detour, because an idle slot costs less than
 * carrying a packet twice.
 *
 * Rounds. A few more than the lower bound for all protocols, and fewer than if only idle slots
 * carry detours; `kport route` measures them (doc/routing.md). If all send to one, all packets go
 * straight, because detours gain nothing. */
#include "lib/route/router.h"
#include "lib/schedule/arithmetic.h"

#include <string.h>

/* Returns the excess of a pair, at most n. All larger ones are alike, because a round carries at
 * most n packets. */
static int32_t excess_of(const struct kp_router *r, int32_t j, int32_t expected)
{
    int32_t above = r->load[j] - expected;
    return above < r->n ? above : r->n;
}

/* Sets `order` to the pairs with an excess, fullest first, and returns their number. */
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

/* Sets `moving` to the processors whose slots can be spared, in random order, and returns their
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

/* Fills the spare slots level by level, because each packet that leaves makes its pair one less
 * full. */
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
