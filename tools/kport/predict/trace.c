#include "tools/kport/predict/trace.h"

#include "tools/kport/command.h"
#include "tools/kport/predict/loggp.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GOAL_PORTS 256

/* A trace that is being written. */
struct trace {
    const kp_schedule *schedule;
    size_t b;
    const struct network *net; /* NULL: true lengths, and nobody waits */
    int rank;
    int *clocks; /* of each port that sends, then of each that receives; 0: it has none */
    int last;    /* the last clock of the rank */
    FILE *out;
};

uint64_t trace_length(const struct network *net, uint64_t bytes)
{
    const uint64_t less = TRACE_ENVELOPE + 1, least = bytes > net->eager_bytes;
    return bytes > less + least ? bytes - less : least;
}

static uint64_t length_of(const struct trace *t, const kp_message *message)
{
    uint64_t bytes = loggp_bytes(t->schedule, message, t->b);
    return t->net ? trace_length(t->net, bytes) : bytes;
}

static void write_sleep(const struct trace *t, double us)
{
    if (us > 0)
        fprintf(t->out, "%d sleep %.9g\n", t->rank, us * 1e-6);
}

/* The number of a clock is a tag that no other message of the rank to itself has: SMPI may keep the
 * sending side of such a message, and takes it for a later one of the same tag. */
static void begin_clock(struct trace *t, int *clock, uint64_t length)
{
    *clock = ++t->last;
    fprintf(t->out, "%d irecv %d %d %" PRIu64 "\n%d isend %d %d %" PRIu64 "\n", t->rank, t->rank,
            *clock, length, t->rank, t->rank, *clock, length);
}

static void await_clock(const struct trace *t, int *clock)
{
    if (*clock > 0)
        fprintf(t->out, "%d wait %d %d %d\n", t->rank, t->rank, t->rank, *clock);
    *clock = 0;
}

/* Finds the first message of the rank's port after a round, that it sends or receives. Returns
 * false if there is none. */
static bool find_next(const struct trace *t, bool sends, int port, int round, kp_message *next)
{
    const kp_schedule *s = t->schedule;
    while (++round < kp_schedule_rounds(s)) {
        int count =
            sends ? kp_schedule_sends(s, t->rank, round) : kp_schedule_receives(s, t->rank, round);
        for (int i = 0; i < count; i++) {
            *next = sends ? kp_schedule_send(s, t->rank, round, i)
                          : kp_schedule_receive(s, t->rank, round, i);
            if (next->port == port)
                return true;
        }
    }
    return false;
}

/* The simulation does not end before the clocks, so a port that is not used again has none. */
static void begin_clock_of_send(struct trace *t, int round, const kp_message *sent)
{
    kp_message next;
    if (find_next(t, true, sent->port, round, &next))
        begin_clock(t, &t->clocks[sent->port], length_of(t, sent));
}

/* A receiving port is free for the next message max(o, g) after this one, and then takes its bytes.
 * Where links are shared, the receiver's link takes them one after the other already. */
static void begin_clock_of_receive(struct trace *t, int round, const kp_message *in)
{
    kp_message next;
    if (find_next(t, false, in->port, round, &next))
        begin_clock(t, &t->clocks[kp_schedule_problem(t->schedule)->k + in->port],
                    network_shares(t->net) ? 0 : length_of(t, &next));
}

static void write_sends(struct trace *t, int round, bool keeps_ports)
{
    int sends = kp_schedule_sends(t->schedule, t->rank, round);
    for (int i = 0; i < sends; i++)
        await_clock(t, &t->clocks[kp_schedule_send(t->schedule, t->rank, round, i).port]);
    write_sleep(t, sends > 0 && t->net ? t->net->overhead_us : 0);
    for (int i = 0; i < sends; i++) {
        kp_message sent = kp_schedule_send(t->schedule, t->rank, round, i);
        fprintf(t->out, "%d isend %d %d %" PRIu64 "\n", t->rank, sent.peer, round,
                length_of(t, &sent));
        if (keeps_ports)
            begin_clock_of_send(t, round, &sent);
    }
}

/* The tag of a message is its round, because a round has at most one message from one rank to
 * another. */
static void write_round(struct trace *t, int round)
{
    const kp_schedule *s = t->schedule;
    int *of_receives = t->clocks + kp_schedule_problem(s)->k;
    int sends = kp_schedule_sends(s, t->rank, round),
        receives = kp_schedule_receives(s, t->rank, round);
    bool keeps_ports = t->net && network_needs_clocks(t->net);
    for (int i = 0; i < receives; i++) {
        kp_message in = kp_schedule_receive(s, t->rank, round, i);
        fprintf(t->out, "%d irecv %d %d %" PRIu64 "\n", t->rank, in.peer, round, length_of(t, &in));
    }
    write_sends(t, round, keeps_ports);
    for (int i = 0; i < receives; i++) {
        kp_message in = kp_schedule_receive(s, t->rank, round, i);
        fprintf(t->out, "%d wait %d %d %d\n", t->rank, in.peer, t->rank, round);
        await_clock(t, &of_receives[in.port]);
    }
    write_sleep(t, receives > 0 && t->net ? t->net->overhead_us : 0);
    for (int i = 0; i < receives && keeps_ports; i++) {
        kp_message in = kp_schedule_receive(s, t->rank, round, i);
        begin_clock_of_receive(t, round, &in);
    }
    for (int i = 0; i < sends; i++)
        fprintf(t->out, "%d wait %d %d %d\n", t->rank, t->rank,
                kp_schedule_send(s, t->rank, round, i).peer, round);
}

static void write_rank(struct trace *t)
{
    const kp_schedule *s = t->schedule;
    fprintf(t->out, "%d init\n", t->rank);
    for (int round = 0; round < kp_schedule_rounds(s); round++) {
        if (kp_schedule_sends(s, t->rank, round) + kp_schedule_receives(s, t->rank, round) == 0)
            continue;
        write_sleep(t, t->net ? t->net->startup_us : 0);
        write_round(t, round);
    }
    fprintf(t->out, "%d finalize\n", t->rank);
}

int trace_write(const kp_schedule *schedule, size_t b, const struct network *net, FILE *out)
{
    const kp_problem *problem = kp_schedule_problem(schedule);
    const size_t ports = 2 * (size_t)problem->k;
    struct trace t = {.schedule = schedule, .b = b, .net = net, .out = out};
    t.clocks = calloc(ports, sizeof *t.clocks);
    if (!t.clocks) {
        fprintf(stderr, "kport: no memory for a trace of %d ports\n", problem->k);
        return EXIT_IMPOSSIBLE;
    }
    for (t.rank = 0; t.rank < problem->n; t.rank++) {
        memset(t.clocks, 0, ports * sizeof *t.clocks);
        t.last = 0;
        write_rank(&t);
    }
    free(t.clocks);
    return EXIT_DONE;
}

int write_simgrid(const kp_schedule *schedule, FILE *out)
{
    return trace_write(schedule, kp_schedule_problem(schedule)->b, NULL, out);
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
