/* The parts of routing that are the same for all protocols: starting and ending a router, the
 * agreed words, and the two stages. */
#include "lib/route/router.h"

#include "lib/route/draw.h"
#include "lib/schedule/arithmetic.h"

#include <stdlib.h>
#include <string.h>

bool kp_router_begin(struct kp_router *r, int32_t n, int32_t rank,
                     const struct kp_protocol *protocol, bool two_stage, uint64_t seed)
{
    size_t count = (size_t)n;
    *r = (struct kp_router){.n = n,
                            .rank = rank,
                            .protocol = protocol,
                            .two_stage = two_stage,
                            .random = kp_random_of(seed, (uint64_t)rank),
                            .capacity = KP_ROUTE_PASSAGE * (int64_t)n};
    int32_t *memory = calloc(11 * count + 1, sizeof *memory);
    if (!memory)
        return false;
    int32_t **const arrays[] = {&r->load,  &r->waiting, &r->slot, &r->moving,
                                &r->quota, &r->order,   &r->rest, &r->foreign};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = memory + i * count;
    r->words_out = (uint32_t *)memory + 8 * count;
    r->words_in = (uint32_t *)memory + 9 * count;
    r->tree = memory + 10 * count;
    r->memory = memory;
    return true;
}

void kp_router_end(struct kp_router *r)
{
    free(r->memory);
    r->memory = NULL;
}

void kp_router_filled(struct kp_router *r, int64_t column)
{
    r->held = r->held_back = r->relays = 0;
    r->column = column;
    for (int32_t j = 0; j < r->n; j++) {
        r->held += r->load[j];
        r->held_back += r->waiting[j];
    }
}

/* --- For protocols --- */

void kp_router_clear(struct kp_router *r)
{
    for (int32_t j = 0; j < r->n; j++)
        r->slot[j] = KP_NO_PACKET;
}

void kp_router_direct(struct kp_router *r)
{
    for (int32_t j = 0; j < r->n; j++)
        r->slot[j] = r->load[j] > 0 ? j : KP_NO_PACKET;
}

bool kp_router_may_detour(const struct kp_router *r)
{
    return (int64_t)r->agreed[KP_AGREED_RELAYS] + r->n <= r->capacity;
}

int64_t kp_router_relation(const struct kp_router *r)
{
    uint64_t load = r->agreed[KP_AGREED_LOAD], column = r->agreed[KP_AGREED_COLUMN];
    return (int64_t)(load > column ? load : column);
}

/* --- Two stages --- */

/* The two stages of Valiant 1982. First a message goes to a random processor, then to its
 * destination. In a round of dealing a processor draws its packets in random order and sends one
 * packet to each processor, so every slot is used. At most KP_ROUTE_DEALT rounds of dealing follow
 * each other, because a processor has limited memory for packets of others. After these rounds the
 * protocol routes the dealt packets to their destinations. Then the next packets are dealt. */
enum stage {
    STAGE_DEAL,
    /* Each processor sends to every processor j the number of packets for j that it holds.
     * Processor j adds up these numbers to get its `column`. */
    STAGE_TELL,
    STAGE_HEARD,
    STAGE_ROUTE,
};

static enum kp_step deal(struct kp_router *r)
{
    struct kp_draw draw = kp_draw_begin(r->tree, r->waiting, r->n);
    kp_router_clear(r);
    for (int32_t j = 0; j < r->n; j++)
        r->order[j] = j;
    kp_random_shuffle(&r->random, r->order, r->n);
    for (int32_t i = 0; i < r->n && draw.left > 0; i++)
        r->slot[r->order[i]] = kp_draw_one(&draw, &r->random);
    r->deals = true;
    r->dealt++;
    return KP_STEP_PACKETS;
}

static enum kp_step tell(struct kp_router *r)
{
    for (int32_t j = 0; j < r->n; j++)
        r->words_out[j] = (uint32_t)r->load[j];
    r->stage = STAGE_HEARD;
    return KP_STEP_WORDS;
}

static void hear(struct kp_router *r)
{
    r->column = 0;
    for (int32_t j = 0; j < r->n; j++)
        r->column += r->words_in[j];
    r->stage = STAGE_ROUTE;
    r->phase = 0;
}

void kp_router_offer(struct kp_router *r, uint64_t offered[KP_AGREED])
{
    if (r->stage == STAGE_HEARD)
        hear(r);
    offered[KP_AGREED_LOAD] = (uint64_t)r->held;
    offered[KP_AGREED_WAITING] = (uint64_t)r->held_back;
    offered[KP_AGREED_COLUMN] = r->column > 0 ? (uint64_t)r->column : 0;
    offered[KP_AGREED_RELAYS] = (uint64_t)r->relays;
    offered[KP_AGREED_FLAG] = r->protocol->flag ? r->protocol->flag(r) : 0;
}

static enum kp_step deal_or_tell(struct kp_router *r)
{
    if (r->agreed[KP_AGREED_WAITING] > 0 && r->dealt < KP_ROUTE_DEALT)
        return deal(r);
    r->dealt = 0;
    return tell(r);
}

enum kp_step kp_router_decide(struct kp_router *r)
{
    bool empty = r->agreed[KP_AGREED_LOAD] == 0;
    r->deals = false;
    if (empty && r->agreed[KP_AGREED_WAITING] == 0)
        return KP_STEP_END;
    if (r->two_stage && empty)
        r->stage = STAGE_DEAL;
    if (r->two_stage && r->stage == STAGE_DEAL)
        return deal_or_tell(r);
    return r->protocol->decide(r);
}
