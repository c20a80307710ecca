/* Counts the C1 and the C2 of a schedule from its messages. */
#include "kport/model.h"

#include "lib/schedule/arithmetic.h"
#include "lib/schedule/schedule_data.h"

/* The number of messages of a round, their units, and the units of the longest message. */
struct round_sum {
    uint64_t messages, units, largest;
};

static void add_processor(const struct kp_schedule *s, int processor, int round,
                          struct round_sum *sum)
{
    const struct stored_round *r = kp_schedule_round(s, processor, round);
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        uint64_t units = (uint64_t)s->sends[i].units;
        sum->messages++;
        sum->units += units;
        sum->largest = units > sum->largest ? units : sum->largest;
    }
}

kp_cost kp_schedule_cost(const kp_schedule *schedule, size_t b)
{
    const struct kp_schedule *s = schedule;
    if (!kp_schedule_given(s))
        return (kp_cost){.c1 = 0};
    /* If blocks have lengths of their own, the length of each block travels with the block. */
    uint64_t header = (uint64_t)s->problem.algorithm->length_bytes;
    uint64_t bytes_of_unit = kp_plus(b / (uint64_t)s->units_of_block, header);
    uint64_t copies = s->stored == 1 ? (uint64_t)s->problem.n : 1;
    kp_cost cost = {.c1 = 0};
    for (int round = 0; round < s->rounds; round++) {
        struct round_sum sum = {.messages = 0};
        for (int processor = 0; processor < s->stored; processor++)
            add_processor(s, processor, round, &sum);
        cost.c1 += sum.messages > 0;
        cost.c2 = kp_plus(cost.c2, kp_times(sum.largest, bytes_of_unit));
        cost.messages = kp_plus(cost.messages, kp_times(sum.messages, copies));
        cost.bytes = kp_plus(cost.bytes, kp_times(kp_times(sum.units, bytes_of_unit), copies));
    }
    return cost;
}
