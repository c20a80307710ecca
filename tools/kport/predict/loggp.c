#include "tools/kport/predict/loggp.h"

#include "tools/kport/command.h"

#include <math.h>
#include <stdlib.h>

/* A message of the current round, as its sender has it. */
struct sent {
    int from, port;
    uint64_t bytes;
};

struct times {
    const kp_schedule *schedule;
    const struct network *net;
    size_t b;
    int n, k;
    double *begun, *ended;      /* of each processor, this round */
    double *out_free, *in_free; /* of each port of each processor */
    /* The messages to processor q are first[q] ... first[q + 1] - 1 of `sent`. */
    struct sent *sent;
    size_t *first;
    int *place; /* of each peer of a receiver, the index of its message in `sent` */
};

uint64_t loggp_bytes(const kp_schedule *schedule, const kp_message *message, size_t b)
{
    const kp_algorithm *algorithm = kp_schedule_problem(schedule)->algorithm;
    uint64_t of_unit = b / (uint64_t)kp_schedule_unit_of_block(schedule);
    return (uint64_t)message->units *
           (of_unit + (uint64_t)(algorithm ? algorithm->length_bytes : 0));
}

static void begin_round(struct times *t, int round)
{
    for (int p = 0; p < t->n; p++) {
        bool takes_part = kp_schedule_sends(t->schedule, p, round) > 0 ||
                          kp_schedule_receives(t->schedule, p, round) > 0;
        t->begun[p] = t->ended[p] + (takes_part ? t->net->startup_us : 0);
        t->ended[p] = t->begun[p];
    }
}

/* Sorts the messages of the round by their receivers. Every receiver knows its messages, so these
 * are counted first. */
static void sort_messages(struct times *t, int round)
{
    t->first[0] = 0;
    for (int q = 0; q < t->n; q++)
        t->first[q + 1] = t->first[q] + (size_t)kp_schedule_receives(t->schedule, q, round);
    for (int p = 0; p < t->n; p++) {
        for (int i = 0; i < kp_schedule_sends(t->schedule, p, round); i++) {
            kp_message out = kp_schedule_send(t->schedule, p, round, i);
            t->sent[t->first[out.peer]++] =
                (struct sent){p, out.port, loggp_bytes(t->schedule, &out, t->b)};
        }
    }
    for (int q = t->n; q > 0; q--)
        t->first[q] = t->first[q - 1];
    t->first[0] = 0;
}

static void raise_to(double *time, double least)
{
    *time = fmax(*time, least);
}

/* Carries one message. The rules stand in loggp.h. */
static void carry(struct times *t, const struct sent *message, int q, int in_port)
{
    const struct network *net = t->net;
    int p = message->from;
    double o = net->overhead_us, g = net->gap_us;
    double bytes_us = message->bytes > 1 ? (double)(message->bytes - 1) * net->byte_us : 0;
    bool waits = message->bytes > net->eager_bytes;
    double *out_free = &t->out_free[(size_t)p * (size_t)t->k + (size_t)message->port];
    double *in_free = &t->in_free[(size_t)q * (size_t)t->k + (size_t)in_port];
    double sends = fmax(t->begun[p], *out_free);
    double leaves = waits ? fmax(sends + o, t->begun[q]) : sends + o;
    double taken = fmax(leaves + network_distance(net, p, q) * net->latency_us, *in_free);
    *out_free = sends + bytes_us + fmax(o, g);
    *in_free = taken + bytes_us + fmax(o, g);
    raise_to(&t->ended[p], waits ? taken + bytes_us : sends + o);
    raise_to(&t->ended[q], taken + bytes_us + o);
}

static void carry_round(struct times *t, int round)
{
    begin_round(t, round);
    sort_messages(t, round);
    for (int q = 0; q < t->n; q++) {
        for (size_t i = t->first[q]; i < t->first[q + 1]; i++)
            t->place[t->sent[i].from] = (int)i;
        for (int i = 0; i < kp_schedule_receives(t->schedule, q, round); i++) {
            kp_message in = kp_schedule_receive(t->schedule, q, round, i);
            carry(t, &t->sent[t->place[in.peer]], q, in.port);
        }
    }
}

static double latest(const struct times *t)
{
    double us = 0;
    for (int p = 0; p < t->n; p++)
        us = fmax(us, t->ended[p]);
    return us;
}

static size_t most_messages(const kp_schedule *schedule)
{
    size_t most = 1;
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        size_t count = 0;
        for (int p = 0; p < kp_schedule_problem(schedule)->n; p++)
            count += (size_t)kp_schedule_sends(schedule, p, round);
        most = count > most ? count : most;
    }
    return most;
}

int loggp_time(const kp_schedule *schedule, size_t b, const struct network *net, bool barrier,
               double *us)
{
    const kp_problem *problem = kp_schedule_problem(schedule);
    size_t n = (size_t)problem->n, ports = n * (size_t)problem->k;
    struct times t = {schedule, net,  b,    problem->n, problem->k, NULL,
                      NULL,     NULL, NULL, NULL,       NULL,       NULL};
    double *times = calloc(2 * n + 2 * ports, sizeof *times);
    t.sent = calloc(most_messages(schedule), sizeof *t.sent);
    t.first = calloc(n + 1, sizeof *t.first);
    t.place = calloc(n, sizeof *t.place);
    int status = times && t.sent && t.first && t.place ? EXIT_DONE : EXIT_IMPOSSIBLE;
    if (status)
        fprintf(stderr, "kport: no memory for the times of %zu ports\n", ports);
    else {
        t.begun = times;
        t.ended = times + n;
        t.out_free = times + 2 * n;
        t.in_free = t.out_free + ports;
    }
    for (int round = 0; !status && round < kp_schedule_rounds(schedule); round++) {
        carry_round(&t, round);
        *us = latest(&t);
        for (size_t p = 0; p < n && barrier; p++)
            t.ended[p] = *us;
    }
    if (!status)
        *us = latest(&t);
    free(times);
    free(t.sent);
    free(t.first);
    free(t.place);
    return status;
}
