/* Tests that an error says where the program made the call: the sentence has file and line of the
 * call, and the record has them, too. The tests run by the barrier and by mailboxes. */
#include <kport.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define N 3

/* A call whose line the test knows. */
#define AT(line_of, call) (*(line_of) = __LINE__, (call))

struct lines {
    int wrong, right; /* of the call of processor 1, and of those of the others */
};

static int list_with_nobody(kp_proc *self, struct lines *lines)
{
    const int list[2] = {0, N};
    kp_group *group;
    return AT(&lines->wrong, kp_group_create(self, list, 2, &group));
}

static int copy_to_nowhere(kp_proc *self, struct lines *lines)
{
    return AT(&lines->wrong, kp_group_dup(kp_world(self), NULL));
}

static int world_is_freed(kp_proc *self, struct lines *lines)
{
    return AT(&lines->wrong, kp_group_free(kp_world(self)));
}

static int send_to_nobody(kp_proc *self, struct lines *lines)
{
    int one = 1;
    return AT(&lines->wrong, kp_send(kp_world(self), &one, sizeof one, N, 0));
}

static int no_request(kp_proc *self, struct lines *lines)
{
    (void)self;
    return AT(&lines->wrong, kp_wait(NULL));
}

static int start_without_request(kp_proc *self, struct lines *lines)
{
    return AT(&lines->wrong, kp_barrier_start(kp_world(self), NULL));
}

static int no_arguments(kp_proc *self, struct lines *lines)
{
    kp_plan *plan;
    return AT(&lines->wrong, kp_plan_make(kp_world(self), NULL, &plan));
}

static int no_group(kp_proc *self, struct lines *lines)
{
    int one = 1;
    (void)self;
    return AT(&lines->wrong, kp_send(NULL, &one, sizeof one, 0, 0));
}

static int other_length(kp_proc *self, struct lines *lines)
{
    int me = kp_processor(self), out = me, in[2];
    if (me == 1)
        return AT(&lines->wrong, kp_send_recv(kp_world(self), &out, sizeof out, 2, in, 8, 0));
    return kp_send_recv(kp_world(self), &out, sizeof out, (me + 1) % N, in, 4, (me + 2) % N);
}

static int message_that_nobody_sends(kp_proc *self, struct lines *lines)
{
    int in;
    kp_incoming wanted = {.port = 0, .peer = 0, .data = &in, .bytes = sizeof in};
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_exchange(kp_world(self), NULL, 0, &wanted, 1));
    return kp_exchange(kp_world(self), NULL, 0, NULL, 0);
}

static int wrong_port(kp_proc *self, struct lines *lines)
{
    int out = 0;
    kp_outgoing sent = {.port = 7, .peer = 0, .data = &out, .bytes = sizeof out};
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_exchange(kp_world(self), &sent, 1, NULL, 0));
    return kp_exchange(kp_world(self), NULL, 0, NULL, 0);
}

static int no_operator(kp_proc *self, struct lines *lines)
{
    int one = 1, sum;
    kp_group *all = kp_world(self);
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_allreduce(all, &one, &sum, 1, KP_INT32, NULL, NULL));
    return kp_allreduce(all, &one, &sum, 1, KP_INT32, KP_SUM, NULL);
}

static int started_with_a_wrong_root(kp_proc *self, struct lines *lines)
{
    int data = 0;
    kp_request *request;
    kp_group *all = kp_world(self);
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_broadcast_start(all, &data, 4, N, NULL, &request));
    return KP_OK;
}

static int another_root(kp_proc *self, struct lines *lines)
{
    int data = 0;
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_broadcast(kp_world(self), &data, 4, 2, NULL));
    return AT(&lines->right, kp_broadcast(kp_world(self), &data, 4, 0, NULL));
}

static int other_length_by_mpis_name(kp_proc *self, struct lines *lines)
{
    char out[2 * N] = {0}, in[2 * N];
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_alltoall(kp_world(self), out, in, 2, NULL));
    return AT(&lines->right, kp_index(kp_world(self), out, in, 1, NULL));
}

static int nowhere_by_mpis_name(kp_proc *self, struct lines *lines)
{
    int mine = 0, all[N];
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_allgather(kp_world(self), &mine, NULL, sizeof mine, NULL));
    return kp_allgather(kp_world(self), &mine, all, sizeof mine, NULL);
}

static int started_from_another_root(kp_proc *self, struct lines *lines)
{
    int data = 0;
    kp_request *request;
    kp_group *all = kp_world(self);
    int status;
    if (kp_processor(self) == 1)
        status = AT(&lines->wrong, kp_broadcast_start(all, &data, 4, 2, NULL, &request));
    else
        status = AT(&lines->right, kp_broadcast_start(all, &data, 4, 0, NULL, &request));
    return status ? status : kp_wait(&request);
}

static int gives_up(kp_proc *self, struct lines *lines)
{
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_fail(self, "no such file"));
    return kp_barrier(kp_world(self));
}

static int returns_a_number(kp_proc *self, struct lines *lines)
{
    int status = AT(&lines->wrong, kp_barrier(kp_world(self)));
    return status ? status : kp_processor(self) == 1 ? 77 : kp_barrier(kp_world(self));
}

static int waits_for_itself(kp_proc *self, struct lines *lines)
{
    int in;
    if (kp_processor(self) == 1)
        return AT(&lines->wrong, kp_receive(kp_world(self), &in, sizeof in, 1, 0, NULL));
    return KP_OK;
}

static const struct {
    const char *name;
    int (*program)(kp_proc *self, struct lines *lines);
    int status;
    const char *words; /* the sentence of the run's report has these */
    enum {
        ONE_LINE,
        NO_LINE,
        BOTH_LINES
    } has; /* which lines the sentence has */
} mistakes[] = {
    {"list with nobody", list_with_nobody, KP_EARGUMENT, " called kp_group_create (", ONE_LINE},
    {"copy to nowhere", copy_to_nowhere, KP_EARGUMENT, " called kp_group_dup (", ONE_LINE},
    {"world is freed", world_is_freed, KP_EARGUMENT, " called kp_group_free (", ONE_LINE},
    {"send to nobody", send_to_nobody, KP_EARGUMENT, "): to is 3; it may be", ONE_LINE},
    {"no request", no_request, KP_EARGUMENT, "): the list of requests is NULL", ONE_LINE},
    {"start without request", start_without_request, KP_EARGUMENT, "): request is NULL", ONE_LINE},
    {"no arguments", no_arguments, KP_EARGUMENT, "): arguments is NULL", ONE_LINE},
    {"no group", no_group, KP_EARGUMENT, "): the group is NULL", ONE_LINE},
    {"other length", other_length, KP_ELENGTH,
     "expects 8 bytes from port 0 of processor 0, which sent it 4", ONE_LINE},
    {"message that nobody sends", message_that_nobody_sends, KP_EMISSING, "processor 1 (",
     ONE_LINE},
    {"wrong port", wrong_port, KP_EPORT, "processor 1 could not take part in exchange:", ONE_LINE},
    {"no operator", no_operator, KP_EARGUMENT, ",op=NULL (", ONE_LINE},
    {"started with a wrong root", started_with_a_wrong_root, KP_EARGUMENT, "root=3 (", ONE_LINE},
    {"another root", another_root, KP_EMISMATCH, "root=2,", BOTH_LINES},
    {"another length, by MPI's name", other_length_by_mpis_name, KP_EMISMATCH,
     "processor 1 called alltoall:n=3,k=1,b=2", BOTH_LINES},
    {"another length, by kport's name", other_length_by_mpis_name, KP_EMISMATCH,
     "processor 0 called index:n=3,k=1,b=1", BOTH_LINES},
    {"nowhere, by MPI's name", nowhere_by_mpis_name, KP_EARGUMENT,
     "processor 1 could not take part in allgather:n=3,k=1,b=4", ONE_LINE},
    {"started from another root", started_from_another_root, KP_EMISMATCH, "root=2,", BOTH_LINES},
    {"gives up", gives_up, KP_EFAILED, "processor 1: no such file", NO_LINE},
    {"returns a number", returns_a_number, KP_EFAILED, " returned 77 after its last call (",
     ONE_LINE},
    {"waits for itself", waits_for_itself, KP_EDEADLOCK, "deadlock: ", ONE_LINE},
};

struct job {
    int (*program)(kp_proc *self, struct lines *lines);
    struct lines lines;
};

static int run_one(kp_proc *self, void *arg)
{
    struct job *job = arg;
    return job->program(self, &job->lines);
}

static void assert_has_line(const char *sentence, int line)
{
    char place[64];
    snprintf(place, sizeof place, "test_places.c:%d", line);
    if (!strstr(sentence, place))
        fail_msg("'%s' does not have %s", sentence, place);
}

static void errors_say_where_the_call_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof mistakes / sizeof *mistakes; i++) {
        struct job job = {mistakes[i / 2].program, {0, 0}};
        kp_report report;
        const kp_config config = {.processors = N,
                                  .ports = 1,
                                  .carrier = KP_CARRIER_FIBERS,
                                  .workers = 1,
                                  .discipline =
                                      i % 2 ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER};
        const int status = kp_run(&config, run_one, &job, &report);
        const kp_error_record *error = &report.error;
        if (status != mistakes[i / 2].status || !strstr(error->sentence, mistakes[i / 2].words))
            fail_msg("%s: %d, %s", mistakes[i / 2].name, status, error->sentence);
        if (mistakes[i / 2].has != NO_LINE)
            assert_has_line(error->sentence, job.lines.wrong);
        if (mistakes[i / 2].has == BOTH_LINES)
            assert_has_line(error->sentence, job.lines.right);
        assert_non_null(error->file);
        assert_true(error->line == job.lines.wrong || error->line == job.lines.right);
    }
}

static int lets_wait(kp_proc *self, void *arg)
{
    struct lines *lines = arg;
    if (kp_processor(self) == 1)
        return KP_OK;
    int status = AT(&lines->right, kp_barrier(kp_world(self)));
    const kp_error_record *error = kp_error(self);
    assert_int_equal(error->line, lines->right);
    return status;
}

static int makes_no_mistake(kp_proc *self, void *arg)
{
    (void)arg;
    assert_int_equal(kp_error(self)->line, -1);
    assert_null(kp_error(self)->file);
    assert_int_equal(kp_error(self)->round, -1);
    return kp_barrier(kp_world(self));
}

static void a_record_without_a_place_says_so(void **state)
{
    struct lines lines = {0, 0};
    kp_report report;
    const kp_config config = {
        .processors = N, .ports = 1, .carrier = KP_CARRIER_FIBERS, .workers = 1};
    (void)state;
    assert_int_equal(kp_run(&config, makes_no_mistake, NULL, &report), KP_OK);
    assert_int_equal(kp_run(&config, lets_wait, &lines, &report), KP_ELOST);
    assert_has_line(report.error.sentence, lines.right);
}

int main(void)
{
    if (!kp_fibers())
        return 77; /* without them the order of the processors is open */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_say_where_the_call_is),
        cmocka_unit_test(a_record_without_a_place_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
