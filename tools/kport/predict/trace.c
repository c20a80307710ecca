#include "tools/kport/predict/trace.h"

#include "tools/kport/command.h"
#include "tools/kport/predict/loggp.h"

#include <inttypes.h>
#include <stdbool.h>

#define GOAL_PORTS 256

static void write_sleep(int rank, double us, FILE *out)
{
    if (us > 0)
        fprintf(out, "%d sleep %.9g\n", rank, us * 1e-6);
}

/* The tag of a message is its round, because a round has at most one message from one rank to
 * another. */
static void trace_round(const kp_schedule *s, size_t b, int rank, int round, double overhead_us,
                        FILE *out)
{
    int sends = kp_schedule_sends(s, rank, round), receives = kp_schedule_receives(s, rank, round);
    for (int i = 0; i < receives; i++) {
        kp_message in = kp_schedule_receive(s, rank, round, i);
        fprintf(out, "%d irecv %d %d %" PRIu64 "\n", rank, in.peer, round, loggp_bytes(s, &in, b));
    }
    write_sleep(rank, sends > 0 ? overhead_us : 0, out);
    for (int i = 0; i < sends; i++) {
        kp_message sent = kp_schedule_send(s, rank, round, i);
        fprintf(out, "%d isend %d %d %" PRIu64 "\n", rank, sent.peer, round,
                loggp_bytes(s, &sent, b));
    }
    for (int i = 0; i < receives; i++)
        fprintf(out, "%d wait %d %d %d\n", rank, kp_schedule_receive(s, rank, round, i).peer, rank,
                round);
    write_sleep(rank, receives > 0 ? overhead_us : 0, out);
    if (sends > 0)
        fprintf(out, "%d waitall\n", rank);
}

void trace_write(const kp_schedule *schedule, size_t b, double startup_us, double overhead_us,
                 FILE *out)
{
    int n = kp_schedule_problem(schedule)->n;
    for (int rank = 0; rank < n; rank++) {
        fprintf(out, "%d init\n", rank);
        for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
            if (kp_schedule_sends(schedule, rank, round) == 0 &&
                kp_schedule_receives(schedule, rank, round) == 0)
                continue;
            write_sleep(rank, startup_us, out);
            trace_round(schedule, b, rank, round, overhead_us, out);
        }
        fprintf(out, "%d finalize\n", rank);
    }
}

int write_simgrid(const kp_schedule *schedule, FILE *out)
{
    trace_write(schedule, kp_schedule_problem(schedule)->b, 0, 0, out);
    return EXIT_DONE;
}

/* --- GOAL --- */

struct goal {
    const kp_schedule *schedule;
    size_t b;
    FILE *out;
    int before; /* the latest round in which the rank took part; -1: none */
};

/* A message of no bytes gets one byte, because LogGOPSim computes m - 1 without a sign. All
 * operations of a rank are on its processing element 0: LogGOPSim begins an operation when its
 * element is free, which on another element may be before what the operation requires. */
static void goal_message(const struct goal *goal, const char *label, const char *verb,
                         const kp_message *message, int round, int i)
{
    uint64_t bytes = loggp_bytes(goal->schedule, message, goal->b);
    fprintf(goal->out, "%s%d_%d: %s %" PRIu64 "b %s %d tag %d nic %d\n", label, round, i,
            *label == 's' ? "send" : "recv", bytes > 0 ? bytes : 1, verb, message->peer, round,
            message->port);
    if (goal->before >= 0)
        fprintf(goal->out, "%s%d_%d requires e%d\n", label, round, i, goal->before);
}

/* e0, e1, ...: the end of a round, a computation of length 0. It needs all messages of the round,
 * and all messages of the next round need it. */
static void goal_round(struct goal *goal, int rank, int round)
{
    const kp_schedule *s = goal->schedule;
    int sends = kp_schedule_sends(s, rank, round), receives = kp_schedule_receives(s, rank, round);
    for (int i = 0; i < sends; i++) {
        kp_message sent = kp_schedule_send(s, rank, round, i);
        goal_message(goal, "s", "to", &sent, round, i);
    }
    for (int i = 0; i < receives; i++) {
        kp_message in = kp_schedule_receive(s, rank, round, i);
        goal_message(goal, "r", "from", &in, round, i);
    }
    if (sends + receives == 0)
        return;
    fprintf(goal->out, "e%d: calc 0\n", round);
    for (int i = 0; i < sends; i++)
        fprintf(goal->out, "e%d requires s%d_%d\n", round, round, i);
    for (int i = 0; i < receives; i++)
        fprintf(goal->out, "e%d requires r%d_%d\n", round, round, i);
    goal->before = round;
}

int write_goal(const kp_schedule *schedule, FILE *out)
{
    const kp_problem *problem = kp_schedule_problem(schedule);
    struct goal goal = {schedule, problem->b, out, -1};
    if (problem->k > GOAL_PORTS) {
        fprintf(stderr, "kport: k is %d; in the format goal it may be 1 ... %d\n", problem->k,
                GOAL_PORTS);
        return EXIT_IMPOSSIBLE;
    }
    fprintf(out, "num_ranks %d\n", problem->n);
    for (int rank = 0; rank < problem->n; rank++) {
        goal.before = -1;
        fprintf(out, "\nrank %d {\n", rank);
        for (int round = 0; round < kp_schedule_rounds(schedule); round++)
            goal_round(&goal, rank, round);
        fprintf(out, "}\n");
    }
    return EXIT_DONE;
}
