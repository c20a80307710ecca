/* Tests requests: collective calls that are started, and waited for later. Random programs start
 * many requests on overlapping groups, make blocking calls between them, and wait in random ways.
 * The expected results are computed without the library. */
#include <kport.h>

#include "tests/common/machine_common.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 50 /* the most requests of a member that are under way at the same time */

enum what {
    INDEX,
    CONCAT,
    BROADCAST,
    SCATTER,
    GATHER,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    SCAN,
    SCAN_EXCLUSIVE,
    BARRIER,
    INDEXV,
    CONCATV,
    SCATTERV,
    GATHERV,
    REDUCE_SCATTERV,
    MESSAGE, /* from the root to rank `to`; the others take no part */
    WHATS
};

static uint64_t mixed(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t random_from(uint64_t *state)
{
    return mixed((*state)++);
}

/* A call of a program, the same at all members. `count` is in elements of 8 bytes. */
struct call {
    enum what what;
    bool blocks;
    int group, root, to;
    bool receives; /* in a message: this member receives it */
    size_t count;
    uint64_t seed; /* of the data */
};

/* Element i of the block that `from` has for `to`. In operations with one block, `to` is 0. */
static uint64_t element(const struct call *call, int from, int to, size_t i)
{
    return mixed(call->seed * 31 + (uint64_t)from * 1000003 + (uint64_t)to * 7919 + i);
}

/* A call of one member that has been started. */
struct started {
    struct call call;
    kp_request *request;
    uint64_t *out, *in;
    size_t *out_counts, *in_counts; /* in bytes, of calls with lengths of their own */
    size_t *elements;               /* the same in elements, of the outgoing blocks */
};

static bool blocks_out(enum what what)
{
    return what == INDEX || what == SCATTER || what == REDUCE_SCATTER || what == INDEXV ||
           what == SCATTERV || what == REDUCE_SCATTERV;
}

static bool blocks_in(enum what what)
{
    return what == INDEX || what == CONCAT || what == GATHER || what == INDEXV || what == CONCATV ||
           what == GATHERV;
}

static bool has_lengths(enum what what)
{
    return what >= INDEXV && what <= REDUCE_SCATTERV;
}

/* Returns how many elements the block has that `from` has for `to`. Blocks of other calls all have
 * `count` elements. */
static size_t length(const struct call *c, int from, int to)
{
    if (!has_lengths(c->what))
        return c->count;
    from = c->what == SCATTERV ? c->root : c->what == REDUCE_SCATTERV ? 0 : from;
    to = blocks_out(c->what) ? to : 0;
    return (size_t)(element(c, from, to, 77) % (c->count + 1));
}

/* Lays out blocks one behind the other. */
static void make_lengths(struct started *s, int n, int rank)
{
    const struct call *c = &s->call;
    uint64_t *at = s->out;
    s->out_counts = calloc((size_t)n, sizeof *s->out_counts);
    s->in_counts = calloc((size_t)n, sizeof *s->in_counts);
    s->elements = calloc((size_t)n, sizeof *s->elements);
    if (!s->out_counts || !s->in_counts || !s->elements)
        abort();
    for (int i = 0; i < n; i++) {
        s->in_counts[i] = length(c, i, rank) * sizeof *at;
        s->out_counts[i] = length(c, rank, i) * sizeof *at;
        s->elements[i] = length(c, rank, i);
        for (size_t j = 0; j < length(c, rank, i) && (i == 0 || blocks_out(c->what)); j++)
            *at++ = element(c, rank, blocks_out(c->what) ? i : 0, j);
    }
}

static void make_buffers(struct started *s, int n, int rank)
{
    const struct call *c = &s->call;
    const size_t out = blocks_out(c->what) ? (size_t)n : 1, in = blocks_in(c->what) ? (size_t)n : 1;
    s->out = malloc((out * c->count + 1) * sizeof *s->out);
    s->in = malloc((in * c->count + 1) * sizeof *s->in);
    if (!s->out || !s->in)
        abort();
    for (size_t to = 0; to < out; to++) {
        for (size_t i = 0; i < c->count; i++)
            s->out[to * c->count + i] = element(c, rank, (int)to, i);
    }
    if (has_lengths(c->what))
        make_lengths(s, n, rank);
    memset(s->in, 0xa5, (in * c->count + 1) * sizeof *s->in);
    if (c->what == BROADCAST && rank == c->root)
        memcpy(s->in, s->out, c->count * sizeof *s->in);
}

static uint64_t sum(const struct call *c, int begin, int end, int to, size_t i)
{
    uint64_t all = 0;
    for (int from = begin; from < end; from++)
        all += element(c, from, to, i);
    return all;
}

/* Returns the expected element i of block `block`. */
static uint64_t expected(const struct call *c, int n, int rank, int block, size_t i)
{
    const uint64_t untouched = UINT64_C(0xa5a5a5a5a5a5a5a5);
    switch (c->what) {
    case INDEX:
    case INDEXV:
        return element(c, block, rank, i);
    case CONCAT:
    case CONCATV:
        return element(c, block, 0, i);
    case BROADCAST:
        return element(c, c->root, 0, i);
    case MESSAGE:
        return c->receives ? element(c, c->root, 0, i) : untouched;
    case SCATTER:
    case SCATTERV:
        return element(c, c->root, rank, i);
    case GATHER:
    case GATHERV:
        return rank == c->root ? element(c, block, 0, i) : untouched;
    case REDUCE:
        return rank == c->root ? sum(c, 0, n, 0, i) : untouched;
    case ALLREDUCE:
        return sum(c, 0, n, 0, i);
    case REDUCE_SCATTER:
    case REDUCE_SCATTERV:
        return sum(c, 0, n, rank, i);
    case SCAN:
        return sum(c, 0, rank + 1, 0, i);
    case SCAN_EXCLUSIVE:
        return rank > 0 ? sum(c, 0, rank, 0, i) : untouched;
    default:
        return untouched;
    }
}

/* Returns 0, or 1 after a message if the call has a wrong result. Frees the buffers. */
static int verify(struct started *s, int n, int rank)
{
    const struct call *c = &s->call;
    const int blocks = blocks_in(c->what) ? n : 1;
    const uint64_t *at = s->in;
    int wrong = 0;
    for (int block = 0; block < blocks && !wrong; block++) {
        for (size_t i = 0; i < length(c, block, rank) && !wrong; i++)
            wrong = *at++ != expected(c, n, rank, block, i);
    }
    wrong = wrong || *at != UINT64_C(0xa5a5a5a5a5a5a5a5);
    if (wrong)
        fprintf(stderr,
                "operation %d of %d members, count %zu, root %d: rank %d has a wrong result\n",
                (int)c->what, n, c->count, c->root, rank);
    free(s->out);
    free(s->in);
    free(s->out_counts);
    free(s->in_counts);
    free(s->elements);
    return wrong;
}

static int start(kp_group *g, struct started *s)
{
    const struct call *c = &s->call;
    const size_t b = c->count * sizeof *s->out;
    kp_request **r = &s->request;
    switch (c->what) {
    case INDEX:
        return kp_index_start(g, s->out, s->in, b, NULL, r);
    case CONCAT:
        return kp_concat_start(g, s->out, s->in, b, NULL, r);
    case BROADCAST:
        return kp_broadcast_start(g, s->in, b, c->root, NULL, r);
    case SCATTER:
        return kp_scatter_start(g, s->out, s->in, b, c->root, NULL, r);
    case GATHER:
        return kp_gather_start(g, s->out, s->in, b, c->root, NULL, r);
    case REDUCE:
        return kp_reduce_start(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, c->root, NULL, r);
    case ALLREDUCE:
        return kp_allreduce_start(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL, r);
    case REDUCE_SCATTER:
        return kp_reduce_scatter_start(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL, r);
    case SCAN:
        return kp_scan_start(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL, r);
    case SCAN_EXCLUSIVE:
        return kp_scan_exclusive_start(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL, r);
    case INDEXV:
        return kp_indexv_start(g, s->out, s->out_counts, NULL, s->in, s->in_counts, NULL, NULL, r);
    case CONCATV:
        return kp_concatv_start(g, s->out, s->out_counts[0], s->in, s->in_counts, NULL, NULL, r);
    case SCATTERV:
        return kp_scatterv_start(g, s->out, s->out_counts, NULL, s->in, s->in_counts[0], c->root,
                                 NULL, r);
    case GATHERV:
        return kp_gatherv_start(g, s->out, s->out_counts[0], s->in, s->in_counts, NULL, c->root,
                                NULL, r);
    case MESSAGE:
        return c->receives ? kp_receive_start(g, s->in, b, c->root, (int)(c->seed % 1000), NULL, r)
                           : kp_send_start(g, s->out, b, c->to, (int)(c->seed % 1000), r);
    case REDUCE_SCATTERV:
        return kp_reduce_scatterv_start(g, s->out, s->in, s->elements, KP_UINT64, KP_SUM, NULL, r);
    default:
        return kp_barrier_start(g, r);
    }
}

static int carry_out(kp_group *g, struct started *s)
{
    const struct call *c = &s->call;
    const size_t b = c->count * sizeof *s->out;
    switch (c->what) {
    case INDEX:
        return kp_index(g, s->out, s->in, b, NULL);
    case CONCAT:
        return kp_concat(g, s->out, s->in, b, NULL);
    case BROADCAST:
        return kp_broadcast(g, s->in, b, c->root, NULL);
    case SCATTER:
        return kp_scatter(g, s->out, s->in, b, c->root, NULL);
    case GATHER:
        return kp_gather(g, s->out, s->in, b, c->root, NULL);
    case REDUCE:
        return kp_reduce(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, c->root, NULL);
    case ALLREDUCE:
        return kp_allreduce(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL);
    case REDUCE_SCATTER:
        return kp_reduce_scatter(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL);
    case SCAN:
        return kp_scan(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL);
    case SCAN_EXCLUSIVE:
        return kp_scan_exclusive(g, s->out, s->in, c->count, KP_UINT64, KP_SUM, NULL);
    case INDEXV:
        return kp_indexv(g, s->out, s->out_counts, NULL, s->in, s->in_counts, NULL, NULL);
    case CONCATV:
        return kp_concatv(g, s->out, s->out_counts[0], s->in, s->in_counts, NULL, NULL);
    case SCATTERV:
        return kp_scatterv(g, s->out, s->out_counts, NULL, s->in, s->in_counts[0], c->root, NULL);
    case GATHERV:
        return kp_gatherv(g, s->out, s->out_counts[0], s->in, s->in_counts, NULL, c->root, NULL);
    case REDUCE_SCATTERV:
        return kp_reduce_scatterv(g, s->out, s->in, s->elements, KP_UINT64, KP_SUM, NULL);
    default:
        return kp_barrier(g);
    }
}

#define GROUPS 4

struct trial {
    uint64_t seed;
    int calls, most;
};

/* One member's part of a program. */
struct part {
    kp_group *groups[GROUPS];
    struct started under_way[MOST];
    kp_request *requests[MOST]; /* of `under_way`, as the waiting functions want them */
    int count;
    uint64_t own; /* the state of the member's own random numbers */
};

/* Takes call number i, which has ended, out of the list. */
static int took(struct part *p, int i)
{
    struct started *s = &p->under_way[i];
    kp_group *g = p->groups[s->call.group];
    int wrong = verify(s, kp_size(g), kp_rank(g));
    p->count--;
    p->under_way[i] = p->under_way[p->count];
    p->requests[i] = p->requests[p->count];
    return wrong;
}

static int wait_some(struct part *p)
{
    int ended, which[MOST], status = kp_wait_some(p->count, p->requests, &ended, which);
    for (int i = ended - 1; i >= 0 && !status; i--)
        status = took(p, which[i]);
    return status;
}

/* Waits in one of several ways until fewer requests are under way, or only tests. */
static int wait_somehow(struct part *p, bool must)
{
    int which = (int)(random_from(&p->own) % (uint64_t)p->count), ended = 1, status;
    switch (random_from(&p->own) % 4) {
    case 0:
        status = kp_wait(&p->requests[which]);
        break;
    case 1:
        status = kp_wait_any(p->count, p->requests, &which);
        break;
    case 2:
        return wait_some(p);
    default:
        do
            status = kp_test(&p->requests[which], &ended);
        while (must && !status && !ended);
    }
    return !status && ended ? took(p, which) : status;
}

/* The groups: all; the even ranks; the first two thirds; all in reverse order. */
static int make_groups(kp_proc *self, kp_group **groups)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    for (int g = 1; g < GROUPS; g++) {
        int list[64], count = 0;
        bool in = false;
        for (int i = 0; i < n; i++) {
            const int at = g == 3 ? n - 1 - i : i;
            if ((g == 1 && at % 2 != 0) || (g == 2 && at > 2 * n / 3))
                continue;
            list[count++] = at;
            in = in || at == me;
        }
        groups[g] = NULL;
        int status = in ? kp_group_create(self, list, count, &groups[g]) : KP_OK;
        if (status)
            return status;
    }
    groups[0] = kp_world(self);
    return KP_OK;
}

static struct call random_call(uint64_t *state)
{
    static const size_t counts[] = {0, 1, 1, 2, 5, 16, 100, 700, 3000, 20000};
    struct call call = {.what = (enum what)(random_from(state) % WHATS)};
    call.blocks = random_from(state) % 5 == 0;
    call.group = (int)(random_from(state) % GROUPS);
    call.count = call.what == BARRIER ? 0 : counts[random_from(state) % 10];
    call.root = (int)(random_from(state) % 1000);
    call.to = (int)(random_from(state) % 1000);
    call.seed = random_from(state);
    return call;
}

static int make_call(struct part *p, const struct call *call, int most)
{
    kp_group *g = p->groups[call->group];
    int status = KP_OK;
    struct started s = {.call = *call};
    make_buffers(&s, kp_size(g), kp_rank(g));
    if (call->blocks && call->what != MESSAGE) {
        status = carry_out(g, &s);
        return status ? status : verify(&s, kp_size(g), kp_rank(g));
    }
    while (p->count >= most && !status)
        status = wait_somehow(p, true);
    status = status ? status : start(g, &s);
    if (status)
        return status;
    p->requests[p->count] = s.request;
    p->under_way[p->count++] = s;
    return random_from(&p->own) % 3 == 0 ? wait_somehow(p, false) : KP_OK;
}

/* Makes the member's part of a call. In a message that is up to two calls. */
static int make_part(struct part *p, struct call call, int most)
{
    kp_group *g = p->groups[call.group];
    int status = KP_OK;
    call.root %= kp_size(g);
    if (call.what != MESSAGE)
        return make_call(p, &call, most);
    /* A member that may have one request only would wait for a message to itself for ever. */
    if (kp_size(g) == 1)
        return KP_OK;
    call.to = (call.root + 1 + call.to % (kp_size(g) - 1)) % kp_size(g);
    if (kp_rank(g) == call.root)
        status = make_call(p, &call, most);
    call.receives = true;
    return status || kp_rank(g) != call.to ? status : make_call(p, &call, most);
}

static int random_program(kp_proc *self, void *argument)
{
    const struct trial *trial = argument;
    uint64_t state = trial->seed;
    struct part *p = calloc(1, sizeof *p);
    int status = p ? make_groups(self, p->groups) : KP_EMEMORY;
    if (p)
        p->own = mixed(trial->seed + (uint64_t)kp_processor(self));
    for (int i = 0; i < trial->calls && !status; i++) {
        const struct call call = random_call(&state);
        if (p->groups[call.group])
            status = make_part(p, call, trial->most);
    }
    while (!status && p->count > 0)
        status = wait_somehow(p, true);
    for (int g = 1; g < GROUPS && !status; g++)
        status = p->groups[g] ? kp_group_free(p->groups[g]) : KP_OK;
    free(p);
    return status;
}

static void run_random(kp_config config, uint64_t seed, int calls, int most)
{
    struct trial trial = {seed, calls, most};
    kp_report report;
    config.time_limit_ms = 60000;
    int status = kp_run(&config, random_program, &trial, &report);
    if (status)
        fail_msg("seed %llu, n = %d, k = %d, %d calls: %s: %s", (unsigned long long)seed,
                 config.processors, config.ports, calls, kp_strerror(status),
                 kp_last_error()->sentence);
}

/* --- Plans: the same calls started again and again --- */

#define PLANS 3

static int plans_again(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    const int n = kp_size(w), me = kp_rank(w);
    const int *rounds = argument;
    struct started s[PLANS] = {{.call = {.what = INDEX, .count = 3}},
                               {.call = {.what = BROADCAST, .count = 700, .root = n - 1}},
                               {.call = {.what = INDEXV, .count = 20}}};
    kp_plan *plans[PLANS];
    kp_request *requests[PLANS];
    int status = KP_OK;
    for (int i = 0; i < PLANS && !status; i++) {
        make_buffers(&s[i], n, me);
        const size_t b = s[i].call.count * sizeof(uint64_t);
        const kp_arguments a[PLANS] = {
            {.operation = KP_INDEX, .out = s[i].out, .in = s[i].in, .b = b},
            {.operation = KP_BROADCAST, .in = s[i].in, .b = b, .root = n - 1},
            {.operation = KP_INDEXV,
             .out = s[i].out,
             .in = s[i].in,
             .out_counts = s[i].out_counts,
             .in_counts = s[i].in_counts}};
        status = kp_plan_make(w, &a[i], &plans[i]);
    }
    for (int round = 0; round < *rounds && !status; round++) {
        for (int i = 0; i < PLANS && !status; i++)
            status = kp_plan_start(plans[(i + round) % PLANS], &requests[i]);
        status = status ? status : kp_wait_all(PLANS, requests);
    }
    for (int i = 0; i < PLANS && !status; i++) {
        status = kp_plan_free(plans[i]);
        status = status ? status : verify(&s[i], n, me);
    }
    return status;
}

static void plans_on(kp_carrier carrier)
{
    int rounds = 20;
    for (int n = 1; n <= 5; n += 2) {
        const kp_config config = {.processors = n, .carrier = carrier};
        const int status = kp_run(&config, plans_again, &rounds, NULL);
        if (status)
            fail_msg("n = %d: %s", n, kp_last_error()->sentence);
    }
}

static void plans(void **state)
{
    (void)state;
    plans_on(KP_CARRIER_THREADS);
    if (kp_fibers() && !OVER_A_WIRE)
        plans_on(KP_CARRIER_FIBERS);
}

/* Six take three minutes under ThreadSanitizer. */
static int trials = SANITIZED || LINES_COUNTED ? 1 : 6;

static void random_programs(kp_carrier carrier, kp_discipline discipline, int progress)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 8, 13};
    for (int i = 0; i < (progress ? (trials + 2) / 3 : trials); i++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int kind = i + (int)s; /* so that one trial has machines of all kinds */
            kp_config config = {.processors = sizes[s],
                                .ports = kind % 3 * 2 % 5,
                                .carrier = carrier,
                                .discipline = discipline,
                                .pin = progress && kind % 2 && kp_pinning() ? KP_PIN_ALWAYS
                                                                            : KP_PIN_AUTO,
                                .progress = progress};
            if (carrier == KP_CARRIER_FIBERS) {
                config.workers = 1 + kind % 2 < sizes[s] ? 1 + kind % 2 : 1;
                config.seed = (uint64_t)kind;
            }
            run_random(config, (uint64_t)i * 100 + s, 40, 1 + kind * 17 % MOST);
        }
    }
}

static void on_threads(void **state)
{
    (void)state;
    random_programs(KP_CARRIER_THREADS, KP_ROUNDS_BY_BARRIER, 0);
}

static void on_threads_by_mailboxes(void **state)
{
    (void)state;
    if (OVER_A_WIRE)
        skip();
    random_programs(KP_CARRIER_THREADS, KP_ROUNDS_BY_MAILBOXES, 0);
}

static void with_a_progress_thread(void **state)
{
    (void)state;
    if (OVER_A_WIRE)
        skip();
    random_programs(KP_CARRIER_THREADS, KP_ROUNDS_BY_BARRIER, 1);
    random_programs(KP_CARRIER_THREADS, KP_ROUNDS_BY_MAILBOXES, 1);
}

static void on_fibers(void **state)
{
    (void)state;
    if (!kp_fibers() || OVER_A_WIRE)
        skip();
    random_programs(KP_CARRIER_FIBERS, KP_ROUNDS_BY_BARRIER, 0);
    random_programs(KP_CARRIER_FIBERS, KP_ROUNDS_BY_MAILBOXES, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_threads),
                                       cmocka_unit_test(on_threads_by_mailboxes),
                                       cmocka_unit_test(with_a_progress_thread),
                                       cmocka_unit_test(on_fibers), cmocka_unit_test(plans)};
    if (argc > 1)
        trials = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
