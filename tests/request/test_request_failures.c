/* Tests what goes wrong with requests. Each case says which status the run reports, and texts that
 * the sentence must have: the call, the site of its start, and who is waited for. */
#include <kport.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define MEMBERS 3

/* The buffers of one member. */
struct data {
    char out[64], in[64], more[64];
};

/* In these programs the file's name and a `#` stand for the site of the start: the line is that of
 * SITE. */
static atomic_int site; /* all members store the same line */
#define SITE atomic_store(&site, __LINE__)

static int waited(int status, kp_request **request)
{
    return status ? status : kp_wait(request);
}

static int roots_differ(kp_group *w, struct data *d)
{
    kp_request *r;
    return waited(kp_broadcast_start(w, d->in, 8, kp_rank(w) > 0, NULL, &r), &r);
}

static int lengths_differ(kp_group *w, struct data *d)
{
    kp_request *r;
    const size_t b = kp_rank(w) == 2 ? 16 : 8;
    int status = (SITE, kp_index_start(w, d->out, d->in, b, NULL, &r));
    return waited(status, &r);
}

static int layouts_differ(kp_group *w, struct data *d)
{
    kp_request *r;
    const bool root = kp_rank(w) == 0;
    const kp_layout *layout = kp_layout_of(root ? KP_FLOAT32 : KP_INT32);
    const kp_arguments a = {.operation = KP_SCATTER,
                            .out = root ? d->out : NULL,
                            .in = d->in,
                            .out_count = root,
                            .out_layout = root ? layout : NULL,
                            .in_count = 1,
                            .in_layout = layout};
    int status = (SITE, kp_call_start(w, &a, &r));
    return waited(status, &r);
}

static int operations_differ(kp_group *w, struct data *d)
{
    kp_request *r;
    int status = kp_rank(w) == 0 ? kp_gather_start(w, d->out, d->in, 8, 0, NULL, &r)
                                 : kp_scatter_start(w, d->out, d->in, 8, 0, NULL, &r);
    return waited(status, &r);
}

static int not_waited(kp_group *w, struct data *d)
{
    kp_request *r;
    return SITE, kp_broadcast_start(w, d->in, 8, 0, NULL, &r);
}

static int circle(kp_group *w, struct data *d)
{
    kp_request *r;
    int status = kp_rank(w) > 0 ? kp_barrier(w) : KP_OK;
    status = status ? status : (SITE, kp_broadcast_start(w, d->in, 8, 1, NULL, &r));
    status = waited(status, &r);
    return status || kp_rank(w) > 0 ? status : kp_barrier(w);
}

/* Processor 0 waits for one of two requests, and none of them can end. */
static int circle_of_any(kp_group *w, struct data *d)
{
    kp_request *r[2];
    int which;
    if (kp_rank(w) > 0)
        return kp_barrier(w);
    int status = (SITE, kp_broadcast_start(w, d->in, 8, 1, NULL, &r[0]));
    status = status ? status : kp_index_start(w, d->out, d->more, 8, NULL, &r[1]);
    return status ? status : kp_wait_any(2, r, &which);
}

static int refused(kp_group *w, struct data *d)
{
    kp_request *r;
    const void *out = kp_rank(w) == 1 ? NULL : d->out;
    return waited(kp_index_start(w, out, d->in, 8, NULL, &r), &r);
}

static int peer_ends(kp_group *w, struct data *d)
{
    kp_request *r;
    return kp_rank(w) == 1 ? 0 : waited(kp_index_start(w, d->out, d->in, 8, NULL, &r), &r);
}

static atomic_int given_up;

static int late(kp_group *w, struct data *d)
{
    kp_request *r[2];
    int which;
    /* The late one stays until the others have given up, however late that is. */
    while (kp_rank(w) == 1) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (atomic_load(&given_up) == MEMBERS - 1)
            return 0;
    }
    int status = (SITE, kp_index_start(w, d->out, d->in, 8, NULL, &r[0]));
    status = status ? status : kp_broadcast_start(w, d->more, 8, 1, NULL, &r[1]);
    status = status ? status : kp_wait_any(2, r, &which);
    atomic_fetch_add(&given_up, 1);
    return status;
}

/* Members that compute and test in a loop are not in a deadlock; the time limit does not count. The
 * last member comes late. */
static int tested(kp_group *w, struct data *d)
{
    kp_request *r;
    int ended = 0;
    if (kp_rank(w) == 1)
        nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
    int status = kp_index_start(w, d->out, d->in, 8, NULL, &r);
    while (!status && !ended)
        status = kp_test(&r, &ended);
    return status;
}

/* Processor 1 writes to a buffer that its request still sends. */
static int written_early(kp_group *w, struct data *d)
{
    kp_request *r;
    int status = (SITE, kp_index_start(w, d->out, d->in, 8, NULL, &r));
    d->out[3] += kp_rank(w) == 1;
    return waited(status, &r);
}

static int message_written_early(kp_group *w, struct data *d)
{
    kp_request *r;
    if (kp_rank(w) != 1)
        return kp_rank(w) == 2 ? kp_receive(w, d->in, 64, 1, 0, NULL) : KP_OK;
    int status = (SITE, kp_send_start(w, d->out, 61, 2, 0, &r));
    d->out[60]++;
    return waited(status, &r);
}

/* The same for a short message to a member that has received one before. */
static int short_message_written_early(kp_group *w, struct data *d)
{
    kp_request *r;
    const int me = kp_rank(w);
    if (me == 2) {
        const int status = kp_receive(w, d->in, 8, 1, 0, NULL);
        return status ? status : kp_receive(w, d->in, 8, 1, 0, NULL);
    }
    if (me != 1)
        return KP_OK;
    int status = kp_send(w, d->out, 8, 2, 0);
    status = status ? status : (SITE, kp_send_start(w, d->out, 8, 2, 0, &r));
    d->out[7]++;
    return waited(status, &r);
}

/* What belongs to the program may change: what is received, and what is sent after the wait. */
static int written_in_time(kp_group *w, struct data *d)
{
    kp_request *r;
    int status = kp_broadcast_start(w, d->in, 8, 0, NULL, &r);
    status = waited(status, &r);
    d->in[0]++;
    status = status ? status : kp_index_start(w, d->out, d->more, 8, NULL, &r);
    status = waited(status, &r);
    d->out[0]++;
    return status;
}

static int freed_early(kp_group *w, struct data *d)
{
    kp_request *r;
    kp_group *g;
    const int list[] = {0, 1, 2};
    int status = kp_group_create(kp_group_self(w), list, MEMBERS, &g);
    status = status ? status : kp_index_start(g, d->out, d->in, 8, NULL, &r);
    const int busy = status ? status : kp_group_free(g);
    status = waited(status, &r);
    return status || busy != KP_EBUSY ? 1 : kp_group_free(g);
}

static int plan_freed_early(kp_group *w, struct data *d)
{
    const kp_arguments a = {.operation = KP_BROADCAST, .in = d->in, .b = 8};
    kp_plan *plan;
    kp_request *r = NULL;
    int status = kp_plan_make(w, &a, &plan), early = KP_EBUSY;
    /* The root's request may end at once; the others' cannot before the root has come. */
    if (kp_rank(w) > 0) {
        status = status ? status : kp_plan_start(plan, &r);
        early = status ? status : kp_plan_free(plan);
    }
    status = status ? status : kp_barrier(w);
    if (kp_rank(w) == 0)
        status = status ? status : kp_plan_start(plan, &r);
    status = waited(status, &r);
    status = status ? status : kp_plan_free(plan);
    return status || early != KP_EBUSY ? 1 : KP_OK;
}

/* Of several requests that fail, the first one of the list is told, whichever failed last. */
static int first_of_two(kp_group *w, struct data *d)
{
    kp_request *r[2] = {NULL};
    if (kp_rank(w) == 1)
        return 0;
    int status = (SITE, kp_index_start(w, d->out, d->in, 8, NULL, &r[0]));
    status = status ? status : kp_barrier_start(w, &r[1]);
    status = status ? status : kp_wait_all(2, r);
    const kp_error_record *error = kp_error(kp_group_self(w));
    return error->status == status && strstr(error->sentence, "index:") ? status : 1;
}

static int again(kp_group *w, struct data *d)
{
    kp_request *r, *old;
    int status = kp_barrier_start(w, &r);
    old = r;
    status = waited(status, &r);
    (void)d;
    return status || r ? 1 : kp_wait(&old);
}

struct wrong {
    const char *name;
    int (*program)(kp_group *w, struct data *d);
    int status;
    const char *texts[3]; /* `#` stands for the site */
    bool threads_only;    /* a fiber may not sleep */
};

static const struct wrong wrongs[] = {
    {"roots differ",
     roots_differ,
     KP_EMISMATCH,
     {"broadcast:n=3,k=2,b=8,root=0,alg=tree", "root=1"},
     0},
    {"lengths differ", lengths_differ, KP_EMISMATCH, {"b=16", "b=8", "#"}, 0},
    {"layouts differ", layouts_differ, KP_EMISMATCH, {"1 float32", "in 1 int32", "#"}, 0},
    {"operations differ", operations_differ, KP_EMISMATCH, {"gather:", "scatter:"}, 0},
    {"not waited",
     not_waited,
     KP_EUNWAITED,
     {"has not waited for its request: broadcast:", "#"},
     0},
    {"circle", circle, KP_EDEADLOCK, {"0 waits for 1, 1 waits for 0", "barrier", "#"}, 0},
    {"circle, its places",
     circle,
     KP_EDEADLOCK,
     {"; processor 0 in broadcast:", " (started at ", ", waited for at "},
     0},
    {"circle of any", circle_of_any, KP_EDEADLOCK, {"0 waits for 1, 1 waits for 0", "#"}, 0},
    {"refused", refused, KP_EARGUMENT, {"out is NULL"}, 0},
    {"peer ends", peer_ends, KP_ELOST, {"index:", "processor 1 has ended its program"}, 0},
    {"first of two", first_of_two, KP_ELOST, {"index:", "processor 1 has ended"}, 0},
    {"late", late, KP_ETIMEOUT, {"waited 300 ms in a wait for index:", "processor 1", "#"}, 1},
    {"late", late, KP_ETIMEOUT, {" (started at ", ", waited for at ", "), for processor 1"}, 1},
    {"tested", tested, KP_OK, {NULL}, 1},
    {"written early",
     written_early,
     KP_EUNWAITED,
     {"processor 1 has written to what its request sends", "index:", "#"},
     0},
    {"message written early", message_written_early, KP_EUNWAITED, {"kp_send of 61 bytes", "#"}, 0},
    {"short message written early",
     short_message_written_early,
     KP_EUNWAITED,
     {"kp_send of 8 bytes", "#"},
     0},
    {"written in time", written_in_time, KP_OK, {NULL}, 0},
    {"freed early", freed_early, KP_OK, {NULL}, 0},
    {"plan freed early", plan_freed_early, KP_OK, {NULL}, 0},
    {"again", again, KP_EENDED, {"request 0 is none that processor"}, 0},
};

/* Whether each lane has carried out an index of 8 bytes before. Then the requests of the programs
 * are short ones (lib/request/meeting.c). */
static bool kept_before;

static int program(kp_proc *self, void *argument)
{
    const struct wrong *wrong = argument;
    struct data data = {{0}, {0}, {0}};
    int status = 0;
    for (int lane = 0; lane < 4 && kept_before && !status; lane++) {
        kp_request *r;
        status = kp_index_start(kp_world(self), data.out, data.in, 8, NULL, &r);
        status = waited(status, &r);
    }
    return status ? status : wrong->program(kp_world(self), &data);
}

static void expect(const struct wrong *wrong, const char *text, const char *sentence)
{
    char where[200];
    if (text[0] == '#')
        snprintf(where, sizeof where, "%s:%d", __FILE__, atomic_load(&site));
    if (!strstr(sentence, text[0] == '#' ? where : text))
        fail_msg("%s: \"%s\" is not in: %s", wrong->name, text[0] == '#' ? where : text, sentence);
}

static void try_it(const struct wrong *wrong, kp_carrier carrier, int progress)
{
    kp_config config = {.processors = MEMBERS,
                        .carrier = carrier,
                        .time_limit_ms = 300,
                        .progress = progress,
                        .check_buffers = strstr(wrong->name, "written") != NULL};
    kp_report report;
    atomic_store(&given_up, 0);
    if (strcmp(wrong->name, "late") != 0)
        config.time_limit_ms = 20000;
    const int status = kp_run(&config, program, (void *)(uintptr_t)wrong, &report);
    if (status != wrong->status)
        fail_msg("%s: %s: %s", wrong->name, kp_strerror(status), report.error.sentence);
    for (int i = 0; i < 3 && wrong->texts[i]; i++)
        expect(wrong, wrong->texts[i], report.error.sentence);
}

static void on_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        try_it(&wrongs[i], KP_CARRIER_THREADS, 0);
}

static void with_a_progress_thread(void **state)
{
    (void)state;
    kept_before = true;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        try_it(&wrongs[i], KP_CARRIER_THREADS, 1);
    kept_before = false;
}

static void on_fibers(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    for (int kept = 0; kept < 2; kept++) {
        kept_before = kept;
        for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
            if (!wrongs[i].threads_only)
                try_it(&wrongs[i], KP_CARRIER_FIBERS, 0);
        }
    }
    kept_before = false;
}

/* A thread that attached itself detaches before it has waited. */
static void detached_early(void **state)
{
    const kp_config config = {.processors = 1};
    kp_machine *machine;
    kp_proc *self;
    kp_request *r;
    (void)state;
    assert_int_equal(kp_machine_create(&config, &machine), KP_OK);
    assert_int_equal(kp_machine_attach(machine, 0, &self), KP_OK);
    assert_int_equal(kp_barrier_start(kp_world(self), &r), KP_OK);
    assert_int_equal(kp_machine_detach(self), KP_EUNWAITED);
    assert_non_null(
        strstr(kp_last_error()->sentence, "has not waited for its request: kp_barrier_start"));
    assert_int_equal(kp_machine_attach(machine, 0, &self), KP_OK);
    assert_int_equal(kp_wait(&r), KP_EENDED);
    assert_int_equal(kp_machine_detach(self), KP_OK);
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
}

/* --- A loop of kp_test in a dump --- */

static kp_machine *looped;
static atomic_int loop_is_told;

static void hear(const kp_diagnosis *diagnosis, void *argument)
{
    char text[2000];
    (void)argument;
    kp_diagnosis_text(diagnosis, text, sizeof text);
    const kp_processor_report *r = &diagnosis->processors[0];
    if (!r->call || !strstr(r->call, "a loop of kp_test: index:n=2"))
        return;
    char where[200];
    snprintf(where, sizeof where, "started at %s:%d", __FILE__, atomic_load(&site));
    atomic_store(&loop_is_told, r->waits_for_count == 1 && r->waits_for[0] == 1 &&
                                        strstr(r->call, where) && strstr(text, "for processor 1")
                                    ? 1
                                    : 2);
}

static int tests_in_a_loop(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    int out[2] = {0}, in[2], ended = 0, status = 0;
    kp_request *r;
    (void)argument;
    while (kp_rank(w) == 1 && !status && atomic_load(&loop_is_told) == 0)
        status = kp_machine_dump(looped, hear, NULL);
    status = status ? status : (SITE, kp_index_start(w, out, in, sizeof *out, NULL, &r));
    while (!status && !ended)
        status = kp_test(&r, &ended);
    return status;
}

static void a_loop_of_tests_is_named(void **state)
{
    const kp_config config = {.processors = 2};
    (void)state;
    assert_int_equal(kp_machine_create(&config, &looped), KP_OK);
    assert_int_equal(kp_machine_run(looped, tests_in_a_loop, NULL, NULL), KP_OK);
    assert_int_equal(atomic_load(&loop_is_told), 1);
    assert_int_equal(kp_machine_destroy(looped), KP_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_threads), cmocka_unit_test(with_a_progress_thread),
        cmocka_unit_test(on_fibers), cmocka_unit_test(a_loop_of_tests_is_named),
        cmocka_unit_test(detached_early)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
