#include "lib/algorithms/packets.h"

#include "lib/schedule/arithmetic.h"
#include "lib/schedule/elements.h"

#define MOST_PACKETS  4096
#define MOST_MESSAGES (1 << 20)

long kp_packets_low(const kp_problem *p)
{
    (void)p;
    return 1;
}

long kp_packets_high(const kp_problem *p)
{
    int64_t most = kp_least(MOST_PACKETS, MOST_MESSAGES / p->n);
    if (p->n == 1 || kp_elements(p) == 0)
        return 1;
    return (long)kp_least(most, kp_elements(p));
}

int kp_packets_split(const kp_problem *p)
{
    return kp_elements(p) > 1 && p->values[0] != 1;
}

struct kp_packets kp_packets_of(const kp_problem *p)
{
    int64_t units = kp_packets_split(p) ? kp_elements(p) : 1, count = p->values[0];
    return (struct kp_packets){
        .count = count, .length = units / count, .longer = count - units % count};
}

kp_piece kp_packet(const struct kp_packets *packets, int64_t i)
{
    int64_t before = i > packets->longer ? i - packets->longer : 0;
    return kp_run_of(KP_IN, i * packets->length + before, packets->length + (i >= packets->longer));
}

void kp_packets_cost(const kp_problem *p, uint64_t depth, uint64_t *c1, uint64_t *c2)
{
    uint64_t units = (uint64_t)kp_elements(p);
    uint64_t packets = (uint64_t)p->values[0], rest = units % packets;
    *c1 = packets - 1 + depth;
    units = kp_plus(kp_times(*c1, units / packets), rest > 0 ? rest - 1 + depth : 0);
    *c2 = kp_times(units, kp_element_bytes(p));
}
