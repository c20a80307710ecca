/* What SimGrid does not simulate of the model in loggp.h. */
#include "tools/kport/predict/loggp.h"
#include "tools/kport/predict/simgrid.h"
#include "tools/kport/predict/trace.h"

#include <limits.h>

enum {
    TOO_LONG,
    RECEIVERS,
    PORTS,
    GAP,
    SHORT
};

const struct simgrid_limit simgrid_limit_of[SIMGRID_LIMITS] = {
    [TOO_LONG] = {"too-long", "a message has more than 2147483647 bytes; no time"},
    [RECEIVERS] = {"receiver-ports",
                   "messages of up to S bytes share the links to a receiver, not its ports"},
    [PORTS] = {"ports",
               "on a platform of one's own, messages of up to S bytes do not wait for a port"},
    [GAP] = {"gap", "on a platform of one's own, a gap that is longer than o does not count"},
    [SHORT] = {"short-messages", "a message of less than 18 bytes takes up to 17 G longer"},
};

struct range {
    uint64_t least, most;
};

/* Finds the lengths of the shortest and of the longest message. Without a message least > most. */
static struct range find_range(const kp_schedule *schedule, size_t b)
{
    struct range range = {UINT64_MAX, 0};
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        for (int rank = 0; rank < kp_schedule_problem(schedule)->n; rank++) {
            for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
                kp_message sent = kp_schedule_send(schedule, rank, round, i);
                uint64_t bytes = loggp_bytes(schedule, &sent, b);
                range.least = bytes < range.least ? bytes : range.least;
                range.most = bytes > range.most ? bytes : range.most;
            }
        }
    }
    return range;
}

unsigned simgrid_limits(const kp_schedule *schedule, size_t b, const struct network *net)
{
    const uint64_t added = TRACE_ENVELOPE + 1;
    struct range range = find_range(schedule, b);
    if (range.least > range.most)
        return 0;
    bool some_do_not_wait = net->eager_bytes > 0 && range.least <= net->eager_bytes;
    /* Below one percent of what the message takes it does not matter. */
    bool bytes_matter = !net->has_constants || (double)added * net->byte_us >
                                                   0.01 * (2 * net->overhead_us + net->latency_us);
    bool has[SIMGRID_LIMITS] = {
        [TOO_LONG] = trace_length(net, range.most) > INT_MAX,
        [RECEIVERS] = some_do_not_wait && net->kind && network_shares(net),
        [PORTS] = some_do_not_wait && !net->kind,
        [GAP] = !net->kind && net->gap_us > net->overhead_us,
        [SHORT] = range.least <= added && bytes_matter,
    };
    unsigned limits = 0;
    for (int i = 0; i < SIMGRID_LIMITS; i++)
        limits |= has[i] ? 1U << i : 0;
    return limits;
}

bool simgrid_has_time(unsigned limits)
{
    return !(limits & 1U << TOO_LONG);
}
