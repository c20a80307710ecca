/* Tests the registration of algorithms: what is refused, where a registered row is found, which
 * calls use it, and when it may be taken away. */
#include "tests/common/machine_common.h"

#include <kport.h>

#include "lib/tune/profile.h"

#define N 4

/* --- A concatenation in which each processor sends its block to all others --- */

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int d = 1; d < p->n; d++) {
        int port = (d - 1) % p->k, to = (p->rank + d) % p->n, from = (p->rank + p->n - d) % p->n;
        if (port == 0)
            kp_build_round(b);
        kp_build_send(b, port, to);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
        kp_build_receive(b, port, from);
        kp_build_piece(b, kp_run_of(KP_IN, from, 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = ((uint64_t)p->n - 1 + (uint64_t)p->k - 1) / (uint64_t)p->k;
    *c2 = *c1 * p->b;
}

/* No algorithm is as cheap as this one says. */
static void too_cheap(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = p->n > 1;
    *c2 = 0;
}

static long one(const kp_problem *p)
{
    (void)p;
    return 1;
}

static long three(const kp_problem *p)
{
    (void)p;
    return 3;
}

#define ROW .operation = KP_CONCAT, .name = "straight", .build = build
static const kp_algorithm right = {ROW, .stated_cost = stated_cost};

static int enter(const kp_algorithm *row)
{
    return kp_algorithm_register(row, KP_HEADERS, sizeof *row);
}

/* --- What is refused --- */

static const kp_algorithm circle = {ROW, .mirror_of = &circle};
static const kp_algorithm hollow = {.operation = KP_CONCAT, .name = "hollow"};
static const char *const no_words[] = {NULL}, *const odd_words[] = {"a", "b,c", NULL};

#define VALUES .low = one, .high = three
static const struct refused {
    kp_algorithm row;
    const char *says;
} refused[] = {
    {{.operation = KP_CONCAT, .build = build}, "the algorithm has no name"},
    {{.operation = KP_OPERATIONS, .name = "x", .build = build},
     "operation of algorithm x is 17; it may be 0 ... 16"},
    {{.operation = KP_REDUCE_SCATTERV, .name = "x", .build = build, .pads = 1},
     "pads of algorithm x is 1; with reduce-scatterv it may be 0, because an operator would "
     "combine "
     "the padding"},
    {{.operation = KP_CONCAT, .name = "x"},
     "algorithm x has no build, mirror_of or same_schedule_as"},
    {{.operation = KP_CONCAT, .name = "", .build = build}, "the name of the algorithm is \"\""},
    {{.operation = KP_CONCAT, .name = "a,b", .build = build},
     "the name of the algorithm is \"a,b\"; it may have 1 ... 40 letters, digits and - _ + ."},
    {{.operation = KP_CONCAT, .name = "01234567890123456789012345678901234567890", .build = build},
     "it may have 1 ... 40"},
    {{.operation = KP_CONCAT, .name = "ring", .build = build},
     "the name of the algorithm is ring; concat has an algorithm of this name already"},
    {{ROW, .symmetry = (kp_symmetry)4}, "symmetry of algorithm straight is 4; it may be 0 ... 3"},
    {{ROW, .parameters = {{.name = "x", .low = one}}}, "has no low and high, or words"},
    {{ROW, .parameters = {{.name = "x", .words = no_words}}},
     "parameter x of algorithm straight has an empty list of words"},
    {{ROW, .parameters = {{.name = "x", .words = odd_words}}},
     "a word of a parameter is \"b,c\"; it may have"},
    {{ROW, .parameters = {{.name = "", VALUES}}}, "the name of a parameter is \"\""},
    {{ROW, .parameters = {{VALUES}}}, "parameter 1 of algorithm straight has no name"},
    {{ROW, .parameters = {{.name = "x", VALUES}, {.summary = "what?"}}},
     "parameter 2 of algorithm straight has no name"},
    {{ROW, .parameters = {{.name = "root", VALUES}}},
     "parameter root of algorithm straight has the name of a key of problem strings"},
    {{ROW, .parameters = {{.name = "carrier", VALUES}}}, "has the name of a key"},
    {{ROW, .parameters = {{.name = "x", VALUES}, {.name = "x", VALUES}}},
     "algorithm straight has two parameters x"},
    {{ROW, .mirror_of = &circle}, "leads back to itself"},
    {{ROW, .same_schedule_as = &hollow}, "algorithm hollow has no build"},
};

static int rows(void)
{
    int count = 0;
    while (kp_algorithm_at(count))
        count++;
    return count;
}

static void expect(int status, int wanted, const char *says)
{
    if (status != wanted || !strstr(kp_last_error()->sentence, says))
        fail_msg("status %d: %s; wanted: %s", status, kp_last_error()->sentence, says);
    assert_int_equal(kp_last_error()->status, wanted);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const int before = rows();
    kp_algorithm full = {ROW};
    for (int i = 0; i <= KP_PARAMETERS; i++)
        full.parameters[i] = (kp_parameter){.name = "x", VALUES};
    expect(enter(&full), KP_EALGORITHM, "has no end of its parameters (4 at most)");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        expect(enter(&refused[i].row), KP_EALGORITHM, refused[i].says);
    expect(kp_algorithm_register(&right, "0.0.9", sizeof right), KP_EALGORITHM,
           "compiled with the headers of kport 0.0.9; this is kport " KP_HEADERS
           "; compile it with the headers of this one");
    expect(kp_algorithm_register(&right, KP_HEADERS, sizeof right - 8), KP_EALGORITHM,
           "the size of the algorithm is");
    assert_int_equal(rows(), before);
    assert_string_equal(KP_HEADERS, kp_version());
}

static void no_more_than_there_is_room_for(void **state)
{
    (void)state;
    static kp_algorithm many[257];
    static char names[257][16];
    const int before = rows();
    for (int i = 0; i < 257; i++) {
        snprintf(names[i], sizeof names[i], "x%d", i);
        many[i] = right;
        many[i].name = names[i];
        int status = enter(&many[i]);
        if (i == 256)
            expect(status, KP_EALGORITHM, "256 algorithms are registered");
        else
            assert_int_equal(status, KP_OK);
    }
    for (int i = 0; i < 256; i++)
        assert_int_equal(kp_algorithm_unregister(&many[i]), KP_OK);
    assert_int_equal(rows(), before);
}

/* --- Where a row is found --- */

static void a_row_is_found_by_its_name(void **state)
{
    (void)state;
    const int before = rows();
    kp_hints hints;
    kp_problem problem;
    char text[128];
    const uint64_t all = kp_revision_table(true), librarys = kp_revision_table(false);
    assert_int_equal(enter(&right), KP_OK);
    assert_true(kp_revision_table(false) == librarys && kp_revision_table(true) != all);
    expect(enter(&right), KP_EALGORITHM, "concat has an algorithm of this name already");
    assert_int_equal(rows(), before + 1);
    assert_ptr_equal(kp_algorithm_find(KP_CONCAT, "straight"), &right);
    assert_null(kp_algorithm_find(KP_INDEX, "straight"));
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *next = kp_algorithm_at(i + 1);
        if (kp_algorithm_at(i) == &right)
            assert_true(kp_algorithm_at(i - 1)->operation == KP_CONCAT &&
                        next->operation != KP_CONCAT);
    }
    assert_int_equal(kp_problem_parse("concat:n=4,k=1,b=8,alg=straight", &problem), KP_OK);
    assert_ptr_equal(problem.algorithm, &right);
    (void)kp_problem_format(&problem, text, sizeof text);
    assert_string_equal(text, "concat:n=4,k=1,b=8,alg=straight");
    assert_int_equal(kp_hints_parse(KP_CONCAT, "straight", &hints), KP_OK);
    assert_ptr_equal(hints.algorithm, &right);
    assert_int_equal(kp_algorithm_unregister(&right), KP_OK);
    assert_int_equal(rows(), before);
    assert_int_equal(kp_hints_parse(KP_CONCAT, "straight", &hints), KP_EALGORITHM);
    expect(kp_algorithm_unregister(&right), KP_EALGORITHM, "not one that was registered");
    expect(kp_algorithm_unregister(kp_algorithm_at(0)), KP_EALGORITHM, "not one that was reg");
}

/* A parameter whose range is empty for some problems is refused for these problems only. */
static long after_n(const kp_problem *p)
{
    return p->n - 2;
}

static void an_empty_range_is_refused(void **state)
{
    (void)state;
    static const kp_algorithm ranged = {ROW, .stated_cost = stated_cost,
                                        .parameters = {{.name = "x", .low = three, after_n}}};
    static const kp_algorithm low = {ROW, .stated_cost = stated_cost,
                                     .parameters = {{.name = "x", .low = after_n, .high = three}}};
    kp_problem p = {.operation = KP_CONCAT, .n = 5, .k = 1, .b = 8, .algorithm = &ranged};
    assert_int_equal(kp_tune(&p, NULL), KP_OK);
    p = (kp_problem){.operation = KP_CONCAT, .n = 4, .k = 1, .b = 8, .algorithm = &ranged};
    expect(kp_tune(&p, NULL), KP_EALGORITHM,
           "parameter x of algorithm straight goes from 3 to 2 for n=4, k=1");
    p = (kp_problem){.operation = KP_CONCAT, .n = 2, .k = 1, .b = 8, .algorithm = &low};
    expect(kp_tune(&p, NULL), KP_EALGORITHM, "goes from 0 to 3 for n=2, k=1");
}

/* --- Rows that use the schedules of others --- */

static int build_and_check(kp_algorithm *row, const char *problem_string)
{
    kp_problem problem;
    kp_schedule *schedule = NULL;
    assert_int_equal(enter(row), KP_OK);
    int status = kp_problem_parse(problem_string, &problem);
    status = status ? status : kp_schedule_build(&problem, &schedule);
    status = status ? status : kp_schedule_check(schedule, NULL);
    kp_schedule_free(schedule);
    assert_int_equal(kp_algorithm_unregister(row), KP_OK);
    return status;
}

static void a_row_may_use_another_schedule(void **state)
{
    (void)state;
    kp_algorithm row = {
        .operation = KP_REDUCE, .name = "up", .mirror_of = kp_algorithm_find(KP_BROADCAST, "tree")};
    assert_int_equal(build_and_check(&row, "reduce:n=5,k=1,count=3,alg=up"), KP_OK);
    row = (kp_algorithm){.operation = KP_CONCATV, .name = "lent", .same_schedule_as = &right};
    assert_int_equal(build_and_check(&row, "concatv:n=5,k=2,b=3,alg=lent"), KP_OK);
    /* The library's algorithm cannot do without its parameter. */
    row.same_schedule_as = kp_algorithm_find(KP_INDEX, "radix");
    row.operation = KP_INDEXV;
    expect(build_and_check(&row, "indexv:n=5,k=2,b=3,alg=lent"), KP_EPROBLEM,
           "r of algorithm radix is left open");
    row.parameters[0] = row.same_schedule_as->parameters[0];
    row.length_bytes = 8;
    assert_int_equal(build_and_check(&row, "indexv:n=5,k=2,b=3,alg=lent,r=3"), KP_OK);
}

/* --- Which calls use it --- */

static int chosen_for(const kp_algorithm *row, kp_problem *problem)
{
    *problem = (kp_problem){.operation = KP_CONCAT, .n = 8, .k = 1, .b = 1 << 20};
    assert_int_equal(enter(row), KP_OK);
    int status = kp_tune(problem, NULL);
    assert_int_equal(kp_algorithm_unregister(row), KP_OK);
    return status;
}

static void the_tuner_takes_what_states_its_cost(void **state)
{
    (void)state;
    kp_algorithm row = {ROW, .stated_cost = too_cheap};
    kp_problem problem;
    assert_int_equal(chosen_for(&row, &problem), KP_OK);
    assert_ptr_equal(problem.algorithm, &row);
    row.stated_cost = NULL;
    assert_int_equal(chosen_for(&row, &problem), KP_OK);
    assert_ptr_not_equal(problem.algorithm, &row);
    problem = (kp_problem){.operation = KP_CONCAT, .n = 8, .k = 1, .b = 8, .algorithm = &row};
    assert_int_equal(kp_tune(&problem, NULL), KP_OK);
}

static int concat(kp_proc *self, void *argument)
{
    unsigned char out = (unsigned char)(10 + kp_processor(self)), in[N] = {0};
    const char *wanted = argument;
    int status = kp_concat(kp_world(self), &out, in, 1, NULL);
    if (wanted) {
        NEED(self, status == KP_ESCHEDULE && strstr(kp_last_error()->sentence, wanted));
        return 0;
    }
    for (int i = 0; i < N && !status; i++)
        NEED(self, in[i] == 10 + i);
    return status;
}

/* A call that names no algorithm may take a registered one, which is checked. */
static void a_registered_row_is_checked_before_it_runs(void **state)
{
    (void)state;
    kp_report report;
    kp_config config = {.processors = N, .ports = 1, .tuning = KP_TUNING_BUILTIN};
    kp_algorithm row = {ROW, .stated_cost = too_cheap};
    static char says[] = "alg=straight has C1 = 3 and C2 = 3; its stated_cost says 1 and 0";
    assert_int_equal(enter(&row), KP_OK);
    int status = kp_run(&config, concat, says, &report);
    if (status)
        fail_msg("%s", report.error.sentence);
    assert_int_equal(kp_algorithm_unregister(&row), KP_OK);
    assert_int_equal(kp_run(&config, concat, NULL, &report), KP_OK);
}

/* --- When it may be taken away --- */

static void nothing_is_taken_from_what_may_use_it(void **state)
{
    (void)state;
    kp_machine *machine;
    kp_schedule *schedule;
    kp_problem problem = {.operation = KP_CONCAT, .n = 8, .k = 1, .b = 8, .algorithm = &right};
    assert_int_equal(enter(&right), KP_OK);
    assert_int_equal(kp_machine_create(&(kp_config){.processors = N}, &machine), KP_OK);
    expect(kp_algorithm_unregister(&right), KP_EBUSY, "algorithm straight of concat may be in use");
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
    assert_int_equal(kp_schedule_build(&problem, &schedule), KP_OK);
    assert_int_equal(kp_schedule_check(schedule, NULL), KP_OK);
    expect(kp_algorithm_unregister(&right), KP_EBUSY, "profiles, 1 in all");
    assert_ptr_equal(kp_algorithm_find(KP_CONCAT, "straight"), &right);
    kp_schedule_free(schedule);
    assert_int_equal(kp_algorithm_unregister(&right), KP_OK);
}

/* --- Threads --- */

#define TIMES 300
static atomic_int wrong_finds;

static void *find_meanwhile(void *argument)
{
    (void)argument;
    for (int i = 0; i < TIMES; i++) {
        kp_problem problem = {.operation = KP_CONCAT, .n = 8, .k = 1, .b = 8};
        bool right_one = kp_algorithm_find(KP_SCAN, "doubling") != NULL;
        for (int j = 0; kp_algorithm_at(j) != NULL; j++)
            ;
        right_one = right_one && kp_tune(&problem, NULL) == KP_OK;
        atomic_fetch_add(&wrong_finds, !right_one);
    }
    return NULL;
}

/* Each thread has a row of its own name, which never meets the others. */
static void *register_meanwhile(void *argument)
{
    kp_algorithm *row = argument;
    for (int i = 0; i < TIMES; i++) {
        bool done = enter(row) == KP_OK && kp_algorithm_find(KP_CONCAT, row->name) == row &&
                    kp_algorithm_unregister(row) == KP_OK;
        atomic_fetch_add(&wrong_finds, !done);
    }
    return NULL;
}

static void any_thread_may_register(void **state)
{
    (void)state;
    static kp_algorithm mine[2] = {{.operation = KP_CONCAT, .name = "a", .build = build},
                                   {.operation = KP_CONCAT, .name = "b", .build = build}};
    pthread_t threads[4];
    const int before = rows();
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL,
                                        i < 2 ? register_meanwhile : find_meanwhile, &mine[i % 2]),
                         0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&wrong_finds), 0);
    assert_int_equal(rows(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(no_more_than_there_is_room_for),
        cmocka_unit_test(a_row_is_found_by_its_name),
        cmocka_unit_test(an_empty_range_is_refused),
        cmocka_unit_test(a_row_may_use_another_schedule),
        cmocka_unit_test(the_tuner_takes_what_states_its_cost),
        cmocka_unit_test(a_registered_row_is_checked_before_it_runs),
        cmocka_unit_test(nothing_is_taken_from_what_may_use_it),
        cmocka_unit_test(any_thread_may_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
