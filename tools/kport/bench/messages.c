/* `kport bench latency`, `bandwidth` and `bibandwidth`: messages with tags between pairs of
 * processors, as osu_latency, osu_bw, osu_bibw and osu_mbw_mr measure them. The first half of the
 * processors sends to the second half, each processor to the one of the same place there. */
#include "tools/kport/bench/bench.h"

#include "tools/kport/command.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/computer/computer.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW      64    /* messages under way at once, as in the OSU benchmarks */
#define MOST_SIZE   22    /* the last row has messages of 2^22 bytes, as in the OSU benchmarks */
#define ROW_NS      200e6 /* how long a row is timed, unless the user gives the iterations */
#define FIRST_CALLS 8     /* the iterations that are tried first */
#define TAG         1
#define ACK_BYTES   4

struct side;

struct test {
    const char *name, *title;
    const char *what;
    /* Makes one iteration. */
    int (*iterate)(struct side *side);
    int messages; /* the messages that a pair exchanges in an iteration */
    bool latency; /* the row tells the time of a message, and not bytes and messages per second */
};

/* One processor's side of its pair. */
struct side {
    kp_group *world;
    int peer;
    bool first; /* it is in the first half */
    unsigned char *out, *in;
    size_t bytes;
    kp_request *requests[2 * WINDOW];
};

/* The job of all processors. The process of processor 0 prints the rows. */
struct job {
    const struct bench *bench;
    const struct test *test;
    enum bench_shape shape;
    int n;
    uint64_t low, high;
};

static int ping_pong(struct side *side)
{
    int status = 0;
    if (side->first)
        status = kp_send(side->world, side->out, side->bytes, side->peer, TAG);
    if (!status)
        status = kp_receive(side->world, side->in, side->bytes, side->peer, TAG, NULL);
    if (!status && !side->first)
        status = kp_send(side->world, side->out, side->bytes, side->peer, TAG);
    return status;
}

static int start_window(struct side *side, bool sends, kp_request **requests)
{
    int status = 0;
    for (int i = 0; i < WINDOW && !status; i++)
        status = sends ? kp_send_start(side->world, side->out, side->bytes, side->peer, TAG,
                                       &requests[i])
                       : kp_receive_start(side->world, side->in, side->bytes, side->peer, TAG, NULL,
                                          &requests[i]);
    return status;
}

/* The second half answers a window with a short message. */
static int one_way(struct side *side)
{
    unsigned char ack[ACK_BYTES] = {0};
    int status = start_window(side, side->first, side->requests);
    if (!status)
        status = kp_wait_all(WINDOW, side->requests);
    if (!status)
        status = side->first ? kp_receive(side->world, ack, sizeof ack, side->peer, TAG, NULL)
                             : kp_send(side->world, ack, sizeof ack, side->peer, TAG);
    return status;
}

static int both_ways(struct side *side)
{
    int status = start_window(side, false, side->requests);
    if (!status)
        status = start_window(side, true, side->requests + WINDOW);
    return status ? status : kp_wait_all(2 * WINDOW, side->requests);
}

static const struct test tests[] = {
    {"latency", "Latency", "half the time of a message there and one back", ping_pong, 2, true},
    {"bandwidth", "Bandwidth", "64 messages one way, then a short one back", one_way, WINDOW,
     false},
    {"bibandwidth", "Bi-Directional Bandwidth", "64 messages each way at the same time", both_ways,
     2 * WINDOW, false},
};

static const struct test *find_test(const char *operation)
{
    const size_t length = strcspn(operation, ":");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strlen(tests[i].name) == length && memcmp(tests[i].name, operation, length) == 0)
            return &tests[i];
    }
    return NULL;
}

bool messages_is_test(const char *operation)
{
    return find_test(operation) != NULL;
}

/* --- Printing --- */

static void print_head(const struct job *job)
{
    char keys[64];
    machine_keys_format(&job->bench->machine, keys, sizeof keys);
    if (job->shape != BENCH_TEXT)
        return;
    printf("# kport %s Test v%s\n# n=%d%s\n", job->test->title, kp_version(), job->n, keys);
    if (processes_several()) {
        printf("# Over ");
        processes_print(stdout);
        printf("\n");
    }
    computer_print("# ", stdout);
    computer_crowd_print("# ", &job->bench->machine, job->n, stdout);
    printf("# %d pair%s: %s\n", job->n / 2, job->n > 2 ? "s" : "", job->test->what);
    printf("%-10s%18s%18s\n", "# Size", job->test->latency ? "Latency (us)" : "Bandwidth (MB/s)",
           job->test->latency ? "Iterations" : "Messages/s");
}

static void print_row(const struct job *job, size_t bytes, uint64_t iterations, double ns)
{
    const double messages = (double)iterations * job->test->messages; /* of a pair */
    const double us = ns / 1e3 / messages;
    const double rate = messages * (job->n / 2) / (ns / 1e9);
    const double megabytes = rate * (double)bytes / 1e6;
    static bool later;
    if (job->shape == BENCH_TEXT && job->test->latency) {
        printf("%-10zu%18.2f%18llu\n", bytes, us, (unsigned long long)iterations);
    } else if (job->shape == BENCH_TEXT) {
        printf("%-10zu%18.2f%18.0f\n", bytes, megabytes, rate);
    } else if (job->shape == BENCH_CSV) {
        printf("%s,%d,%zu,%llu,%.4f,%.4f,%.1f\n", job->test->name, job->n, bytes,
               (unsigned long long)iterations, us, megabytes, rate);
    } else {
        json_t *o = json_pack("{s:i, s:I, s:I, s:f, s:f, s:f}", "n", job->n, "size",
                              (json_int_t)bytes, "iterations", (json_int_t)iterations, "message_us",
                              us, "megabytes_per_second", megabytes, "messages_per_second", rate);
        char *text = o ? json_dumps(o, JSON_REAL_PRECISION(9)) : NULL;
        printf("%s%s\n", later ? ", " : "  ", text ? text : "null");
        free(text);
        json_decref(o);
    }
    later = true;
    fflush(stdout);
}

static void print_begin(const struct bench *bench, const struct test *test, enum bench_shape shape)
{
    char keys[64];
    machine_keys_format(&bench->machine, keys, sizeof keys);
    if (shape == BENCH_CSV)
        printf("test,n,size,iterations,message_us,megabytes_per_second,messages_per_second\n");
    if (shape == BENCH_JSON)
        printf(
            "{\"schema\": \"kport bench-messages" OUTPUT_VERSION
            "\", \"kport\": \"%s\", \"test\": \"%s\", \"machine\": \"%s\", \"network\": \"%s\",\n ",
            kp_version(), test->name, keys[0] == ',' ? keys + 1 : keys, processes_network());
    if (shape == BENCH_JSON)
        computer_json_print(stdout);
    if (shape == BENCH_JSON)
        printf("\"rows\": [\n");
}

/* --- Timing --- */

static unsigned char byte_of(int sender, size_t i)
{
    return (unsigned char)((size_t)sender * 31 + i * 7 + (i >> 8));
}

/* Makes one iteration and compares every byte that has come. */
static int verify(const struct test *test, struct side *side)
{
    memset(side->in, 0, side->bytes);
    int status = test->iterate(side);
    const bool takes = !side->first || test->iterate != one_way;
    for (size_t i = 0; i < side->bytes && takes && !status; i++) {
        if (side->in[i] != byte_of(side->peer, i))
            status = kp_fail(kp_group_self(side->world), "a message came with wrong bytes");
    }
    return status;
}

/* Makes `iterations` iterations on all processors. Stores the nanoseconds of the slowest one. */
static int repeat(const struct test *test, struct side *side, uint64_t iterations, double *ns)
{
    int status = kp_barrier(side->world);
    const int64_t start = batch_now_ns();
    for (uint64_t i = 0; i < iterations && !status; i++)
        status = test->iterate(side);
    *ns = (double)(batch_now_ns() - start);
    if (!status)
        status = kp_allreduce(side->world, KP_IN_PLACE, ns, 1, KP_FLOAT64, KP_MAXIMUM, NULL);
    return status;
}

static int time_row(const struct job *job, struct side *side)
{
    const struct bench *bench = job->bench;
    const bool warms = bench->settings.warm_up != TIMING_WARM_UP;
    uint64_t iterations = bench->iterations ? bench->iterations : FIRST_CALLS;
    double ns = 0;
    int status = verify(job->test, side);
    if (!status && (warms || bench->iterations))
        status =
            repeat(job->test, side, warms ? bench->settings.warm_up : 1 + iterations / 10, &ns);
    if (!status)
        status = repeat(job->test, side, iterations, &ns);
    while (!status && !bench->iterations && ns < ROW_NS / 2) {
        const double more = ROW_NS / (ns + 1);
        iterations = (uint64_t)((double)iterations * (more < 16 ? more : 16)) + 1;
        status = repeat(job->test, side, iterations, &ns);
    }
    if (!status && kp_rank(side->world) == 0)
        print_row(job, side->bytes, iterations, ns);
    return status;
}

static int program(kp_proc *self, void *argument)
{
    const struct job *job = argument;
    const int me = kp_processor(self), half = job->n / 2;
    struct side side = {
        .world = kp_world(self), .peer = me < half ? me + half : me - half, .first = me < half};
    unsigned char *memory = malloc(2 * job->high);
    int status = memory ? 0 : kp_fail(self, "no memory for the messages");
    side.out = memory;
    side.in = memory + job->high;
    for (size_t i = 0; i < job->high && !status; i++)
        side.out[i] = byte_of(me, i);
    for (uint64_t bytes = job->low; bytes <= job->high && !status; bytes *= 2) {
        side.bytes = (size_t)bytes;
        status = time_row(job, &side);
    }
    free(memory);
    return status;
}

/* --- The command --- */

static int refuse_options(const struct bench *bench, const struct test *test)
{
    const struct {
        bool given;
        const char *option;
    } others[] = {{bench->k_list, "-k"},         {bench->settings.check, "-c"},
                  {bench->full, "--full"},       {bench->ahead, "--ahead"},
                  {bench->seconds, "--seconds"}, {bench->with_peers, "--peers"},
                  {bench->trace, "--trace"},     {bench->algorithms, "-a"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (!others[i].given)
            continue;
        fprintf(stderr,
                "kport bench: %s is given; %s may have -n, -m, -i, -x, --bind, --csv and --json\n",
                others[i].option, test->name);
        return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

static int refuse_odd(const struct test *test, const struct bench_list *n)
{
    for (size_t i = 0; i < n->count; i++) {
        if (n->values[i] % 2 == 0)
            continue;
        fprintf(stderr, "kport bench: n is %llu; %s has pairs, so it may be 2, 4, 6 ...\n",
                (unsigned long long)n->values[i], test->name);
        return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

static int run_job(struct job *job)
{
    kp_config config = job->bench->machine;
    kp_report report;
    config.processors = job->n;
    print_head(job);
    const int status = kp_run(&config, program, job, &report);
    if (!status)
        return EXIT_DONE;
    fprintf(stderr, "kport bench: %s\n", kp_last_error()->sentence);
    return report.started ? EXIT_FAILED : EXIT_IMPOSSIBLE;
}

int messages_carry_out(struct bench *bench, enum bench_shape shape)
{
    char rest[512];
    const struct test *test = find_test(bench->operation);
    struct job job = {
        .bench = bench, .test = test, .shape = shape, .low = 1, .high = UINT64_C(1) << MOST_SIZE};
    struct bench_list n = {.count = 0};
    int status = machine_keys_take(bench->operation, rest, sizeof rest, &bench->machine);
    if (!status && strlen(rest) > strlen(test->name) + 1) {
        fprintf(stderr, "kport bench: %s has the key %s; it may have those of the machine\n",
                test->name, rest + strlen(test->name) + 1);
        status = EXIT_IMPOSSIBLE;
    }
    status = status ? status : refuse_options(bench, test);
    status = status ? status : computer_bind(bench->bind, &bench->machine);
    if (!status && bench->n_list)
        status = bench_list_read("-n", bench->n_list, BENCH_MOST_N, &n);
    if (!status && bench->sizes)
        status = bench_sizes_read(bench->sizes, 1, &job.low, &job.high);
    if (!status && n.count > 1)
        status =
            processes_refuse(&bench->machine, "more than one n", "the processes stay the same");
    bench->machine.processors = n.count > 0 ? (int)n.values[0] : 0;
    status = status ? status : processes_find(&bench->machine);
    if (n.count == 0)
        n.values[n.count++] = processes_several() ? (uint64_t)processes_processors() : 2;
    status = status ? status : refuse_odd(test, &n);
    if (status)
        return status;
    print_begin(bench, test, shape);
    for (size_t i = 0; i < n.count && !status; i++) {
        job.n = (int)n.values[i];
        if (i > 0 && shape == BENCH_TEXT)
            printf("\n");
        status = run_job(&job);
    }
    if (shape == BENCH_JSON)
        printf(" ],\n \"complete\": %s}\n", status ? "false" : "true");
    return status;
}
