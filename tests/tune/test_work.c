/* Tests the prediction for processors over processes. The expected times are counted by hand from
 * the messages of small schedules. */
#include "tests/common/schedule_common.h"

#include "lib/cost/work.h"

#include <kport/profile.h>

static double predicted(const char *text, double crowd, double *rounds_us)
{
    const kp_problem p = parse(text);
    uint64_t c1, c2;
    p.algorithm->stated_cost(&p, &c1, &c2);
    return kp_work_predict(&p, crowd, c1, -1, rounds_us);
}

static void expect(const char *text, double crowd, double rounds, double bytes)
{
    double rounds_us;
    const double us = predicted(text, crowd, &rounds_us);
    const double apart = us - rounds - bytes, apart_rounds = rounds_us - rounds;
    if (apart * apart > 1e-12 || apart_rounds * apart_rounds > 1e-12)
        fail_msg("%s: %f of %f us, expected %f of %f", text, rounds_us, us, rounds, rounds + bytes);
}

/* In the crowd a round takes 4 us, a message 1 us at each end, and a copied byte 0.0002 us; a byte
 * that is received counts as two. A long message takes 2 us more, and a round with long messages 5
 * us more. */
static void counted_by_hand(void **state)
{
    (void)state;
    /* Three rounds, one message each way in each; the own block is moved. */
    expect("index:n=4,k=1,b=10,alg=pairwise", 2, 2 * (3 * 4 + 6), 2 * 0.0002 * 70);
    expect("index:n=4,k=1,b=10,alg=pairwise", 5, 5 * (3 * 4 + 6), 5 * 0.0002 * 70);
    expect("index:n=4,k=1,b=10,alg=pairwise", 1, 3 * 0.4 + 6 * 0.2, 0.00008 * 70);
    expect("index:n=4,k=3,b=10,alg=pairwise", 2, 2 * (4 + 6), 2 * 0.0002 * 70);
    expect("index:n=4,k=1,b=8192,alg=pairwise", 2, 2 * (3 * (4 + 5) + 6 * (1 + 2)),
           2 * 0.0002 * 7 * 8192);
    /* The root sends three messages, the others receive one each. With two processors to a core all
     * six ends take turns, on two cores; alone, the root takes longest. */
    expect("broadcast:n=4,k=3,b=10,alg=tree", 2, 2 * 4 + 3, 0.0002 * 30);
    expect("broadcast:n=4,k=3,b=10,alg=tree", 1, 0.4 + 3 * 0.2, 0);
    expect("broadcast:n=4,k=3,b=10,alg=tree", 1.5, 1.5 * 4 + 3, 0);
    /* Within a process a message takes a tenth, and a byte a half. So does the wait of a round, if
     * no message leaves a process, and what longer messages take more. */
    expect("broadcast:n=4,k=3,b=10,per_process=2,alg=tree", 3, 3 * 4 + 0.75 * 4.2,
           0.75 * 0.0002 * 50);
    /* Where processes have cores of their own, a round takes 0.4 us, a message 0.35 us at each end,
     * and a copied byte 0.00005 us. A long message takes 0.5 us more, and a round with long
     * messages 1.5 us more. */
    expect("broadcast:n=4,k=3,b=10,per_process=4,alg=tree", 2, 0.1 * 2 * 0.4 + 0.3 * 0.35,
           0.00005 * 15);
    expect("broadcast:n=4,k=3,b=10,per_process=2,alg=tree", 1, 0.4 + 2.1 * 0.35, 0);
    expect("broadcast:n=4,k=1,b=10,per_process=2,alg=hierarchical", 1, 1.1 * (0.4 + 0.35),
           0.00005 * (20 + 10));
    expect("broadcast:n=4,k=1,b=8192,per_process=2,alg=hierarchical", 1,
           1.1 * (0.4 + 0.35 + 0.5 + 1.5), 0.00005 * (2 + 1) * 8192);
}

/* A schedule whose rounds alone take too long is not counted. */
static void too_long(void **state)
{
    (void)state;
    const kp_problem p = parse("index:n=4,k=1,b=10,alg=pairwise");
    double rounds_us;
    assert_true(kp_work_predict(&p, 2, 3, 24, &rounds_us) == 24);
    assert_true(kp_work_predict(&p, 2, 3, 24.1, &rounds_us) > 36);
}

static void keep_least(const kp_prediction *prediction, void *arg)
{
    kp_prediction *least = arg;
    if (least->us < 0 || prediction->us < least->us)
        *least = *prediction;
}

/* The choice is the first candidate with the least time, whether or not all are counted. */
static void the_least_is_chosen(void **state)
{
    (void)state;
    const kp_config config = {.carrier = KP_CARRIER_MPI};
    static const int sizes[] = {2, 5, 16};
    static const size_t lengths[] = {8, 1000, 80000};
    for (int i = 0; i < KP_OPERATIONS * 18; i++) {
        const int n = sizes[i % 3], k = i / 9 % 2 ? n - 1 : 1;
        const kp_operation operation = (kp_operation)(i / 18);
        const kp_problem p = {.operation = operation,
                              .n = n,
                              .k = k,
                              .b = kp_block_bytes(operation, lengths[i / 3 % 3]),
                              .type = KP_UINT8};
        kp_prediction all, choice, least = {.us = -1};
        assert_int_equal(kp_predict(&config, NULL, &p, keep_least, &least, &all), KP_OK);
        assert_int_equal(kp_predict(&config, NULL, &p, NULL, NULL, &choice), KP_OK);
        assert_ptr_equal(choice.problem.algorithm, least.problem.algorithm);
        assert_memory_equal(choice.problem.values, least.problem.values,
                            sizeof choice.problem.values);
        assert_true(choice.us == least.us && all.us == least.us && choice.us >= 0);
    }
}

/* KP_TUNING_BUILTIN and a model of the caller's own choose as on a machine of threads. */
static void the_linear_model_stays(void **state)
{
    (void)state;
    const kp_config threads = {.beta_us = 0},
                    builtin = {.carrier = KP_CARRIER_MPI, .tuning = KP_TUNING_BUILTIN};
    const kp_config own = {.carrier = KP_CARRIER_MPI, .beta_us = 3, .tau_us = 0.5};
    const kp_config own_threads = {.beta_us = 3, .tau_us = 0.5};
    const kp_problem p = parse("index:n=16,k=15,b=1000");
    kp_prediction one, other;
    assert_int_equal(kp_predict(&threads, NULL, &p, NULL, NULL, &one), KP_OK);
    assert_int_equal(kp_predict(&builtin, NULL, &p, NULL, NULL, &other), KP_OK);
    assert_true(one.us == other.us);
    assert_int_equal(kp_predict(&own_threads, NULL, &p, NULL, NULL, &one), KP_OK);
    assert_int_equal(kp_predict(&own, NULL, &p, NULL, NULL, &other), KP_OK);
    assert_true(one.us == other.us);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_by_hand),
        cmocka_unit_test(too_long),
        cmocka_unit_test(the_least_is_chosen),
        cmocka_unit_test(the_linear_model_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
