/* The fast protocol.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 3.2.
 *
 * How it works. h is the most packets that any processor still holds or that are still to arrive at
 * any processor. All processors agree on h before each step. Here this file departs from the paper,
 * which sets h := 2 sqrt(hn) after each repetition. With that formula h/n tends to 4, so the
 * paper's loop "until h < n" would never end.
 *
 * The protocol begins with h/n direct rounds: packets go straight to their destinations. Then it
 * repeats one of two methods until no packet is left.
 *
 * If h >= n, every packet draws a random processor, and the packets go there in h/n rounds. In a
 * round a processor has a slot for one packet to each processor. A packet that finds no slot in
 * these rounds stays where it is. In another h/n rounds all packets go straight to their
 * destinations.
 *
 * If h < n, each packet has n/h copies, and each copy draws a random processor. It is enough if one
 * copy finds a path to the destination. Only a word is sent for a copy, not the packet (the paper's
 * remark 1). The word asks the drawn processor for the slot from there to the packet's destination.
 * The drawn processor grants this slot to one copy. From then on no other packet can take the slot,
 * so the packet is sure to arrive. The packet itself follows in two rounds.
 *
 * Rounds. h/n + O(sqrt(h/n)) + O(log* n). The formula in `bound` counts 2 * 2 sqrt(h/n) rounds for
 * the first repetition, and two rounds for each of log* n later repetitions. Exchanges of words do
 * not count as rounds. */
#include "lib/route/draw.h"
#include "lib/route/logarithms.h"
#include "lib/route/router.h"
#include "lib/schedule/arithmetic.h"

#include <string.h>

enum phase {
    BEGIN,
    /* rounds_left direct rounds, at the beginning and after SPREAD or GO */
    DIRECT,
    /* rounds_left rounds in which packets go to the processors that they drew */
    SPREAD,
    ASK,
    GRANT,
    GO,
};

/* --- h >= n: every packet goes to a random processor first --- */

static int64_t legs(const struct kp_router *r)
{
    return (int64_t)kp_ceil_div((uint64_t)kp_router_relation(r), (uint64_t)r->n);
}

/* Draws a processor for every packet. `quota` only counts how many packets go to each processor.
 * Which packets these are is drawn in `spread`, which is possible because all packets are equally
 * likely. */
static void begin_spread(struct kp_router *r)
{
    r->phase = SPREAD;
    r->rounds_left = legs(r);
    memcpy(r->moving, r->load, (size_t)r->n * sizeof *r->moving);
    memset(r->quota, 0, (size_t)r->n * sizeof *r->quota);
    for (int64_t i = 0; i < r->held; i++)
        r->quota[kp_random_below(&r->random, (uint32_t)r->n)]++;
}

static void spread(struct kp_router *r)
{
    kp_router_clear(r);
    if (--r->rounds_left == 0) {
        r->phase = DIRECT;
        r->rounds_left = legs(r);
    }
    if (!kp_router_may_detour(r))
        return;
    struct kp_draw draw = kp_draw_begin(r->tree, r->moving, r->n);
    for (int32_t j = 0; j < r->n && draw.left > 0; j++) {
        if (r->quota[j] == 0)
            continue;
        int32_t packet = kp_draw_one(&draw, &r->random);
        r->quota[j]--;
        r->moving[packet]--;
        if (j != r->rank) /* if j is this processor, the packet stays here and needs no slot */
            r->slot[j] = packet;
    }
}

/* --- h < n: copies of packets ask for slots --- */

/* Chooses one of several candidates at random while they come one by one. Returns true if the
 * current candidate replaces the one chosen before. `seen` counts the candidates. In the end each
 * candidate has the same chance. */
static bool keeps(struct kp_router *r, int32_t *seen)
{
    return kp_random_below(&r->random, (uint32_t)++ * seen) == 0;
}

static void ask(struct kp_router *r)
{
    int64_t copies = r->n / kp_router_relation(r);
    memset(r->quota, 0, (size_t)r->n * sizeof *r->quota);
    for (int32_t j = 0; j < r->n; j++)
        r->moving[j] = KP_NO_PACKET;
    for (int32_t j = 0; j < r->n; j++) {
        for (int64_t i = 0; i < copies * r->load[j]; i++) {
            int32_t drawn = (int32_t)kp_random_below(&r->random, (uint32_t)r->n);
            if (keeps(r, &r->quota[drawn]))
                r->moving[drawn] = j;
        }
    }
    for (int32_t j = 0; j < r->n; j++)
        r->words_out[j] = r->moving[j] == KP_NO_PACKET ? 0 : (uint32_t)r->moving[j] + 1;
    r->phase = GRANT;
}

/* Answers the words that ask this processor for its slots. Each slot is granted to one of the
 * copies that ask for it, chosen at random. But if this processor itself holds a packet for the
 * slot's destination, it keeps the slot. A copy whose destination is this processor needs no slot,
 * so it is always granted. */
static void grant(struct kp_router *r)
{
    memset(r->quota, 0, (size_t)r->n * sizeof *r->quota);
    memset(r->words_out, 0, (size_t)r->n * sizeof *r->words_out);
    for (int32_t j = 0; j < r->n; j++)
        r->rest[j] = KP_NO_PACKET;
    for (int32_t i = 0; i < r->n; i++) {
        int32_t wanted = (int32_t)r->words_in[i] - 1;
        if (wanted == r->rank && i != r->rank)
            r->words_out[i] = 1;
        else if (wanted >= 0 && i != r->rank && r->load[wanted] == 0 && keeps(r, &r->quota[wanted]))
            r->rest[wanted] = i;
    }
    for (int32_t j = 0; j < r->n; j++) {
        if (r->rest[j] != KP_NO_PACKET)
            r->words_out[r->rest[j]] = 1;
    }
    r->phase = GO;
}

/* Sends a packet to each processor that granted a request, while there are packets. There may be
 * fewer packets than grants, because several copies of a packet may have been granted. */
static void go(struct kp_router *r)
{
    kp_router_clear(r);
    r->phase = DIRECT;
    r->rounds_left = 1;
    memcpy(r->rest, r->load, (size_t)r->n * sizeof *r->rest);
    for (int32_t j = 0; j < r->n && kp_router_may_detour(r); j++) {
        int32_t packet = r->moving[j];
        if (r->words_in[j] && packet != KP_NO_PACKET && r->rest[packet] > 0) {
            r->slot[j] = packet;
            r->rest[packet]--;
        }
    }
}

/* --- The steps of the protocol --- */

static void choose(struct kp_router *r)
{
    if (r->phase == BEGIN) {
        r->phase = DIRECT;
        r->rounds_left = legs(r);
    } else if (r->phase == DIRECT && r->rounds_left == 0) {
        r->phase = ASK;
        if (kp_router_relation(r) >= r->n)
            begin_spread(r);
    }
}

static enum kp_step decide(struct kp_router *r)
{
    choose(r);
    if (r->phase == ASK || r->phase == GRANT) {
        (r->phase == ASK ? ask : grant)(r);
        return KP_STEP_WORDS;
    }
    if (r->phase == DIRECT) {
        kp_router_direct(r);
        r->rounds_left--;
    } else {
        (r->phase == SPREAD ? spread : go)(r);
    }
    return KP_STEP_PACKETS;
}

static uint64_t bound_value(uint64_t n, uint64_t h)
{
    return h * 1000 / n + 4 * kp_root_down(h * 1000 / n * 1000) + 2 * kp_log_star(n) * 1000;
}

const struct kp_protocol kp_protocol_fast = {
    .name = "fast",
    .summary = "excess spread at random and brought on, then copies, of which one has to arrive",
    .source = "Rao, Suel, Tsantilas and Goudreau 1995, section 3.2",
    .bound = "h/n + 4 sqrt(h/n) + 2 log* n",
    .decide = decide,
    .bound_value = bound_value,
};
