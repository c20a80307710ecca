/* Makes calls of every kind on six processors, three times each, and writes a trace.
 * tests/cli/trace.py runs this program and checks the trace.
 *
 * Usage: traced FILE threads|fibers barrier|mailboxes */
#include <kport.h>

#include <stdio.h>
#include <string.h>

#define N                6
#define TIMES            3
#define BLOCK            24
#define LENGTH(from, to) ((size_t)(7 * (from) + 3 * (to)) % 50)

struct own {
    int me;
    kp_group *world, *third; /* `third`: the processors whose numbers are equal modulo 2 */
    char out[N * BLOCK], in[N * BLOCK], data[4096];
    double sum[5];
};

/* Operations on equal blocks, as plain calls and by a plan. */
static int blocks(struct own *o)
{
    kp_arguments arguments = {.operation = KP_INDEX, .out = o->out, .in = o->in, .b = BLOCK};
    kp_plan *plan;
    int status = kp_index(o->world, o->out, o->in, BLOCK, NULL);
    status = status ? status : kp_broadcast(o->world, o->out, 8, 2, NULL);
    status = status ? status : kp_scatter(o->world, o->out, o->in, BLOCK, 5, NULL);
    status = status ? status : kp_gather(o->world, o->out, o->in, BLOCK, 1, NULL);
    status =
        status ? status : kp_reduce(o->world, o->sum, o->sum + 1, 1, KP_FLOAT64, KP_SUM, 3, NULL);
    status = status ? status : kp_plan_make(o->world, &arguments, &plan);
    for (int i = 0; i < 2 && !status; i++)
        status = kp_plan_execute(plan);
    return status ? status : kp_plan_free(plan);
}

static int lengths(struct own *o)
{
    size_t out[N], in[N];
    kp_hints hints;
    for (int j = 0; j < N; j++) {
        out[j] = LENGTH(o->me, j);
        in[j] = LENGTH(j, o->me);
    }
    int status = kp_hints_parse(KP_INDEXV, "direct", &hints);
    return status ? status
                  : kp_indexv(o->world, o->data, out, NULL, o->data + 2048, in, NULL, &hints);
}

static int rounds(struct own *o)
{
    int to = (o->me + 1) % N, from = (o->me + N - 1) % N;
    kp_outgoing out = {.port = 1, .peer = to, .data = o->data, .bytes = 10 + (size_t)o->me};
    kp_incoming in = {.port = 1, .peer = from, .data = o->data + 2048, .bytes = 100, .up_to = 1};
    int status = kp_exchange(o->world, &out, 1, &in, 1);
    status = status ? status : kp_send_recv(o->world, o->data, 5, to, o->data + 2048, 5, from);
    return status ? status : kp_barrier(o->world);
}

static int route(struct own *o)
{
    kp_parcel parcel = {.to = (3 * o->me + 1) % N, .data = o->data, .bytes = 9};
    kp_arrivals arrivals;
    int status = kp_route(o->world, &parcel, 1, &arrivals, NULL);
    if (!status)
        kp_route_free(&arrivals);
    return status;
}

static int groups(struct own *o)
{
    int status = kp_index(o->third, o->out, o->in, BLOCK, NULL);
    return status ? status : kp_concat(o->third, o->data, o->data + 1024, 333, NULL);
}

static int program(kp_proc *self, void *argument)
{
    static int (*const kinds[])(struct own *) = {blocks, lengths, rounds, route, groups};
    struct own o = {.me = kp_processor(self), .world = kp_world(self)};
    int members[N / 2];
    (void)argument;
    /* The order is descending, so a member's rank differs from its processor's number. */
    for (int i = 0; i < N / 2; i++)
        members[i] = N - 2 - 2 * i + o.me % 2;
    int status = kp_group_create(self, members, N / 2, &o.third);
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        for (int i = 0; i < TIMES && !status; i++)
            status = kinds[kind](&o);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return fprintf(stderr, "usage: traced FILE threads|fibers barrier|mailboxes\n"), 2;
    kp_config config = {.processors = N, .ports = 2};
    if (strcmp(argv[2], "fibers") == 0)
        config.carrier = KP_CARRIER_FIBERS;
    if (strcmp(argv[3], "mailboxes") == 0)
        config.discipline = KP_ROUNDS_BY_MAILBOXES;
    if (kp_trace_create(0, &config.trace) || kp_run(&config, program, NULL, NULL) ||
        kp_trace_write(config.trace, argv[1]) || kp_trace_free(config.trace))
        return fprintf(stderr, "traced: %s\n", kp_last_error()->sentence), 1;
    return 0;
}
