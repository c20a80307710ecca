/* The direct protocol. Every packet goes straight to its destination.
 *
 * Source: Gerbessiotis and Valiant 1994; Rao, Suel, Tsantilas and Goudreau 1995, section 4.
 *
 * How it works. A pair is a processor and a destination of its packets. In every round each pair
 * that has packets left sends one packet.
 *
 * Rounds. The largest number of packets of any pair. Let h be the most packets that a processor
 * sends or receives. If every message has a random destination, the number is h/n + O(sqrt(h/n log
 * log n)) + O(log n). */
#include "lib/route/router.h"

static enum kp_step decide(struct kp_router *r)
{
    kp_router_direct(r);
    return KP_STEP_PACKETS;
}

const struct kp_protocol kp_protocol_direct = {
    .name = "direct",
    .summary = "every packet straight to its destination",
    .source = "Gerbessiotis and Valiant 1994",
    .decide = decide,
};
