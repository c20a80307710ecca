/* Counts the C1 and the C2 of a schedule from its messages. */
#include "kport/model.h"

#include "lib/schedule/arithmetic.h"
#include "lib/schedule/schedule_data.h"

/* The number of messages of a round, their units, and the units of the longest message. */
struct round_sum {
    uint64_t messages, units, largest;
};

/* Adds the messages that processor `rank` sends to other processes of `per_process` processors. */
static void add_processor(const struct kp_schedule *s, int rank, int round, int per_process,
                          struct round_sum *sum)
{
    for (int i = 0; i < kp_schedule_sends(s, rank, round); i++) {
        kp_message message = kp_schedule_send(s, rank, round, i);
        uint64_t units = (uint64_t)message.units;
        if (message.peer / per_process == rank / per_process)
            continue;
        sum->messages++;
        sum->units += units;
        sum->largest = units > sum->largest ? units : sum->largest;
    }
}

/* Counts the messages between processes of `per_process` processors. If a process has one
 * processor, these are all messages, and with a symmetry every processor sends as many. */
static kp_cost count(const struct kp_schedule *s, size_t b, int per_process)
{
    if (!kp_schedule_given(s))
        return (kp_cost){.c1 = 0};
    /* If blocks have lengths of their own, the length of each block travels with the block. */
    uint64_t header = (uint64_t)s->problem.algorithm->length_bytes;
    uint64_t bytes_of_unit = kp_plus(b / (uint64_t)s->units_of_block, header);
    int counted = per_process > 1 ? s->problem.n : s->stored;
    uint64_t copies = (uint64_t)(s->problem.n / counted);
    kp_cost cost = {.c1 = 0};
    for (int round = 0; round < s->rounds; round++) {
        struct round_sum sum = {.messages = 0};
        for (int rank = 0; rank < counted; rank++)
            add_processor(s, rank, round, per_process, &sum);
        cost.c1 += sum.messages > 0;
        cost.c2 = kp_plus(cost.c2, kp_times(sum.largest, bytes_of_unit));
        cost.messages = kp_plus(cost.messages, kp_times(sum.messages, copies));
        cost.bytes = kp_plus(cost.bytes, kp_times(kp_times(sum.units, bytes_of_unit), copies));
    }
    return cost;
}

kp_cost kp_schedule_cost(const kp_schedule *schedule, size_t b)
{
    return count(schedule, b, 1);
}

kp_cost kp_schedule_cost_between(const kp_schedule *schedule, size_t b)
{
    int per_process = schedule ? schedule->problem.per_process : 1;
    return count(schedule, b, per_process > 1 ? per_process : 1);
}
