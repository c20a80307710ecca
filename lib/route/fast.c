/* The fast protocol.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 3.2.
 *
 * How it works. h is always the current maximum, on which all agree: the most packets that are left
 * at any processor or for any processor. With the printed h := 2 sqrt(hn) the ratio h/n tends to 4,
 * and "until h < n" never ends.
 *
 * The protocol begins with h/n direct rounds. While h >= n, every packet draws a processor. In h/n
 * rounds packets go there, at most h/n from one processor to one other. Packets without a slot in
 * these rounds stay. In h/n more rounds packets go on to their destinations. Packets without a slot
 * stay where they are and count there.
 *
 * When h < n, n/h copies of every packet draw processors, and one copy has to find a path. Only
 * words travel for the copies (the paper's remark 1). A copy asks the processor that it drew for
 * that processor's slot to the packet's destination. The processor grants each slot to one copy. No
 * other packet competes for the slot, so the copy counts as arrived. The packet itself follows in
 * two rounds.
 *
 * Rounds. h/n + O(sqrt(h/n)) + O(log* n). The value of the bound counts 2 * 2 sqrt(h/n) rounds for
 * the first repetition, and two rounds for each of log* n later repetitions. Words are not rounds.
 */
#include "lib/route/draw.h"
#include "lib/route/logarithms.h"
#include "lib/route/router.h"
#include "lib/schedule/arithmetic.h"

#include <string.h>

enum phase {
    BEGIN,
    DIRECT, /* direct rounds, rounds_left of them: the first rounds, and the second legs */
    SPREAD, /* the first legs, rounds_left rounds */
    ASK,
    GRANT,
    GO,
};

/* --- h >= n: every packet goes to a processor that it draws --- */

static int64_t legs(const struct kp_router *r)
{
    return (int64_t)kp_ceil_div((uint64_t)kp_router_relation(r), (uint64_t)r->n);
}

/* Draws how many packets go to each processor. The packets are drawn when they leave, because all
 * of them are equally likely. */
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
        if (j != r->rank) /* else the packet is there already */
            r->slot[j] = packet;
    }
}

/* --- h < n: copies --- */

/* Decides whether to keep the current one of several candidates, so that each is kept with the same
 * chance. `seen` counts the candidates. */
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

/* Grants the slot to a processor to one of those that asked for it, unless a packet for that
 * processor lies here and will use the slot. A copy that is at its destination needs no slot. */
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

/* Sends packets to the processors that granted a slot, as far as there are packets. */
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

/* --- The protocol --- */

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
