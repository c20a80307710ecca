/* The balanced protocol. The paper's measurements are of this protocol.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 4.
 *
 * How it works. A pair is a processor and a destination of its packets. In a round a processor has
 * a slot for one packet to each processor. In every round each pair that has packets left sends one
 * packet straight to the destination. The slots of the other pairs would be idle. So the processor
 * goes through its idle slots in random order and fills each with a packet that it draws at random
 * from all its remaining packets. The packet thus goes to another processor than its destination.
 * That processor treats the packet like its own packets.
 *
 * Rounds (h is the most packets that a processor sends or receives). h/n + O(sqrt(h/n)) and a few
 * more, by measurement. No bound is proved. */
#include "lib/route/draw.h"
#include "lib/route/router.h"

static enum kp_step decide(struct kp_router *r)
{
    int32_t idle = 0;
    kp_router_direct(r);
    for (int32_t j = 0; j < r->n; j++) {
        bool used = r->slot[j] != KP_NO_PACKET;
        r->rest[j] = r->load[j] - used;
        if (!used && j != r->rank)
            r->order[idle++] = j;
    }
    if (idle == 0 || !kp_router_may_detour(r))
        return KP_STEP_PACKETS;
    struct kp_draw draw = kp_draw_begin(r->tree, r->rest, r->n);
    kp_random_shuffle(&r->random, r->order, idle);
    for (int32_t i = 0; i < idle && draw.left > 0; i++)
        r->slot[r->order[i]] = kp_draw_one(&draw, &r->random);
    return KP_STEP_PACKETS;
}

const struct kp_protocol kp_protocol_balanced = {
    .name = "balanced",
    .summary = "idle slots carry packets drawn at random to random processors",
    .source = "Rao, Suel, Tsantilas and Goudreau 1995, section 4",
    .decide = decide,
};
