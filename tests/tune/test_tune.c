/* Tests the tuner. It must choose the candidate with the least predicted time, which the test finds
 * by trying all candidates. */
#include "tests/common/schedule_common.h"

#include <kport/profile.h>

static const kp_model *model;
static double best_time;
static const kp_algorithm *best_algorithm;
static long best_value;
static kp_operation operation;

static void try_one(const kp_problem *problem)
{
    uint64_t c1, c2;
    if (problem->operation != operation || problem->k != 2 || problem->per_process > 0)
        return;
    problem->algorithm->stated_cost(problem, &c1, &c2);
    double time = (double)c1 * model->beta_us + (double)c2 * model->tau_us;
    /* Candidates come in the order of the table, and smaller values first. Of equal times the first
     * counts. */
    if (best_time < 0 || time < best_time) {
        best_time = time;
        best_algorithm = problem->algorithm;
        best_value = problem->values[0];
    }
}

static void the_best_of_all(void **state)
{
    (void)state;
    static const kp_model models[] = {{1, 0, 0},     {0, 1, 0},      {1, 1, 0},
                                      {29, 0.12, 0}, {1, 0.0001, 0}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        for (int n = 3; n <= 40; n++) {
            for (int o = 0; o < KP_OPERATIONS; o++) {
                model = &models[i];
                best_time = -1;
                operation = (kp_operation)o;
                for_all_problems(n, 100, try_one);
                kp_problem p = {.operation = operation, .n = n, .k = 2};
                p.b = kp_block_bytes(operation, 100);
                p.target = operation == KP_ONE_TO_ONE ? n - 1 : 0;
                assert_int_equal(kp_tune(&p, model), KP_OK);
                assert_ptr_equal(p.algorithm, best_algorithm);
                assert_int_equal(p.values[0], best_value);
            }
        }
    }
}

/* The tuner must not change what the caller has chosen. */
static void only_what_is_open(void **state)
{
    (void)state;
    const kp_model bytes_only = {.tau_us = 1}, rounds_only = {.beta_us = 1};
    kp_problem p = parse("index:n=64,k=1,b=8,alg=literal");
    assert_int_equal(kp_tune(&p, &bytes_only), KP_OK);
    assert_ptr_equal(p.algorithm, kp_algorithm_find(KP_INDEX, "literal"));
    assert_int_equal(p.values[0], 63); /* the least r with C2 = b (n - 1) */
    p = parse("index:n=64,k=1,b=8,alg=literal,r=5");
    assert_int_equal(kp_tune(&p, &rounds_only), KP_OK);
    assert_int_equal(p.values[0], 5);
    p = parse("index:n=64,k=3,b=8");
    assert_int_equal(kp_tune(&p, &rounds_only), KP_OK);
    assert_int_equal(p.values[0], 4);
}

/* Bruck et al. 1997, section 3.5, about the SP-1: r = 2 and r = n = 64 take the same time at a
 * block length between 100 and 200 bytes. */
static void sp1(void **state)
{
    (void)state;
    const kp_model sp1_model = {.beta_us = 29, .tau_us = 0.12};
    for (size_t b = 1; b < 1000; b++) {
        kp_problem p = {.operation = KP_INDEX, .n = 64, .k = 1, .b = b, .values = {2}};
        uint64_t c1, c2;
        p.algorithm = kp_algorithm_find(KP_INDEX, "radix");
        p.algorithm->stated_cost(&p, &c1, &c2);
        double small = kp_model_time(&sp1_model, c1, c2);
        p.values[0] = 64;
        p.algorithm->stated_cost(&p, &c1, &c2);
        double large = kp_model_time(&sp1_model, c1, c2);
        if (b < 100)
            assert_true(small < large);
        if (b > 200)
            assert_true(small > large);
    }
}

static void builtin(void **state)
{
    (void)state;
    for (int n = 1; n <= 4096; n *= 2) {
        kp_model m = kp_model_builtin(n, 1);
        assert_true(m.beta_us > 0 && m.tau_us > 0);
        /* The two times need not be equal to the last bit, because 32-bit x86 computes with more
         * bits than it stores. */
        double time = 2 * m.beta_us + 3 * m.tau_us, apart = kp_model_time(&m, 2, 3) - time;
        assert_true(apart < time * 1e-12 && -apart < time * 1e-12);
    }
    /* With all ports r = n is best, so all messages go in one round. A large block goes directly
     * too. */
    kp_problem p = parse("index:n=64,k=63,b=8");
    assert_int_equal(kp_tune(&p, NULL), KP_OK);
    assert_int_equal(p.values[0], 64);
    p = parse("index:n=64,k=1,b=8");
    assert_int_equal(kp_tune(&p, NULL), KP_OK);
    assert_int_equal(p.values[0], 2);
    p = parse("index:n=64,k=1,b=1048576");
    assert_int_equal(kp_tune(&p, NULL), KP_OK);
    assert_true(p.values[0] > 32);
    p = parse("concat:n=1,k=1,b=8");
    assert_int_equal(kp_tune(&p, NULL), KP_OK);
    assert_non_null(p.algorithm);
    p = parse("index:n=4096,k=1,b=8");
    assert_int_equal(kp_tune(&p, NULL), KP_OK);
}

/* The bytes that all processors send, counted on the schedule. */
static double bytes_of(const kp_problem *p)
{
    kp_schedule *schedule;
    assert_int_equal(kp_schedule_build(p, &schedule), KP_OK);
    const double bytes = (double)kp_schedule_cost(schedule, p->b).bytes;
    kp_schedule_free(schedule);
    return bytes;
}

/* In one memory long blocks take the time in which all their bytes are copied. So the choice must
 * not send many more bytes than another algorithm would, with any number of ports. */
static void long_blocks(void **state)
{
    (void)state;
    static const char *const operations[] = {"index", "concat", "allreduce", "reduce-scatter"};
    static const int sizes[] = {8, 27, 64};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 3; j++) {
            for (int k = 1; k < sizes[j]; k += k < 8 ? 1 : 55) {
                char text[100];
                snprintf(text, sizeof text, "%s:n=%d,k=%d,b=256K", operations[i], sizes[j], k);
                const kp_problem asked = parse(text);
                kp_problem chosen = asked, other = asked;
                assert_int_equal(kp_tune(&chosen, NULL), KP_OK);
                const double bytes = bytes_of(&chosen);
                for (int a = 0; (other.algorithm = kp_algorithm_at(a)) != NULL; a++) {
                    kp_problem one = other;
                    if (one.algorithm->operation != asked.operation || kp_tune(&one, NULL))
                        continue;
                    const double least = bytes_of(&one);
                    if (bytes > 2 * least)
                        fail_msg("%s: %s sends %.0f bytes, %s %.0f", text, chosen.algorithm->name,
                                 bytes, one.algorithm->name, least);
                }
            }
        }
    }
}

/* Of short blocks a process must send few messages, of long blocks its processors must share the
 * work within the process. */
static void processes(void **state)
{
    (void)state;
    static const char *const operations[] = {"index", "concat", "reduce-scatter"};
    for (int i = 0; i < 3; i++) {
        char text[100];
        for (int j = 0; j < 2; j++) {
            snprintf(text, sizeof text, "%s:n=64,k=1,b=%s,per_process=8", operations[i],
                     j ? "64K" : "8");
            kp_problem p = parse(text);
            assert_int_equal(kp_tune(&p, NULL), KP_OK);
            assert_string_equal(p.algorithm->name, j ? "hierarchical-parallel" : "hierarchical");
            assert_int_equal(p.per_process, 8);
        }
    }
}

/* The time of the model's formula, for one flat algorithm and two that know processes. If all
 * processors share a process, or none do, the time is that of the formula without processes. */
static void time_with_processes(void **state)
{
    (void)state;
    static const struct {
        const char *problem;
        double us;
    } rows[] = {
        /* C1 = 4 and C2 = 32, all between processes, by 4 processors of each process. */
        {"index:n=16,k=1,b=1,per_process=4,alg=radix,r=2", 4 * (4 * 100 + 32)},
        /* C1 = 2 + 2 + 2. C2 = 16 * 3 in each of two stages within processes, and 16 * 4 between.
         */
        {"index:n=16,k=1,b=1,per_process=4,alg=hierarchical,r=2", 2 * 100 + 64 + 0.1 * (400 + 96)},
        /* C1 = 3 within and 2 between. C2 = 4 * 3 within and 4 * 4 between. */
        {"index:n=16,k=1,b=1,per_process=4,alg=hierarchical-parallel,r=2",
         4 * (2 * 100 + 16) + 0.1 * (300 + 12)},
        {"index:n=16,k=1,b=1,per_process=16,alg=radix,r=2", 4 * 100 + 32},
        {"index:n=16,k=1,b=1,per_process=1,alg=radix,r=2", 4 * 100 + 32},
    };
    const kp_config config = {.beta_us = 100, .tau_us = 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem p = parse(rows[i].problem);
        kp_prediction prediction;
        assert_int_equal(kp_predict(&config, NULL, &p, NULL, NULL, &prediction), KP_OK);
        double apart = prediction.us - rows[i].us;
        if (apart > 1e-6 || -apart > 1e-6)
            fail_msg("%s: %f us, expected %f", rows[i].problem, prediction.us, rows[i].us);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_all),
        cmocka_unit_test(only_what_is_open),
        cmocka_unit_test(sp1),
        cmocka_unit_test(builtin),
        cmocka_unit_test(long_blocks),
        cmocka_unit_test(processes),
        cmocka_unit_test(time_with_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
