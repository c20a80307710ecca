/* The direct protocol: every packet goes straight to its destination.
 *
 * Source: Gerbessiotis and Valiant 1994; Rao, Suel, Tsantilas and Goudreau 1995, section 4.
 *
 * How it works. In every round each pair that has packets left sends one packet.
 *
 * Rounds. As many as the fullest pair has packets. In a random relation these are h/n + O(sqrt(h/n
 * log log n)) + O(log n). */
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
