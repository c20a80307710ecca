/* Tests that the checker accepts every schedule of the library, for as many problems as can be
 * tried. It also asserts how many schedules were checked. */
#include "tests/common/schedule_common.h"

static int most_n = 12;
static int most_samples = 20;
static long checked;

static void check(const kp_problem *problem)
{
    kp_error_record error;
    kp_schedule *schedule = build(problem);
    if (kp_schedule_check(schedule, &error) != KP_OK)
        fail_msg("%s: %s", text_of(problem), error.sentence);
    assert_int_equal(error.status, KP_OK);
    if (problem->n > 1)
        assert_true(kp_schedule_rounds(schedule) > 0);
    kp_schedule_free(schedule);
    checked++;
}

/* Checks only problems whose schedule depends on b. */
static void check_if_split(const kp_problem *problem)
{
    if (problem->algorithm->splits && problem->algorithm->splits(problem))
        check(problem);
}

static void all_problems(void **state)
{
    (void)state;
    for (int n = 1; n <= most_n; n++) {
        long before = checked;
        assert_true(for_all_problems(n, 1, check) > 0);
        assert_true(checked > before);
        for (size_t b = 2; b <= 8; b++)
            for_all_problems(n, b, check_if_split);
    }
    assert_true(checked > (most_n == 24 ? 50000 : 1500));
}

/* Checks a random sample of larger problems. */
static void samples(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < most_samples; i++) {
        int n = draw_between(&seed, 41, most_n == 24 ? 200 : 60);
        kp_problem p = {.operation = i % 2 ? KP_INDEX : KP_CONCAT, .n = n, .b = 1};
        p.k = i % 3 ? draw_between(&seed, 1, 6) : draw_between(&seed, 1, n - 1);
        p.b = (size_t)draw_between(&seed, 1, 100000);
        p.algorithm = kp_algorithm_find(p.operation, i % 2 ? "radix" : "circulant");
        p.values[0] = i % 2 ? draw_between(&seed, 2, n) : draw_between(&seed, 1, 2);
        check(&p);
    }
    if (most_n < 24)
        return;
    kp_problem large = parse("index:n=700,k=1,b=8,alg=radix,r=2");
    check(&large);
    large = parse("concat:n=1000,k=3,b=1000003");
    check(&large);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_problems),
        cmocka_unit_test(samples),
    };
    int extent = extent_of(count, arguments);
    if (extent > 0) {
        most_n = extent == 1 ? 14 : 24;
        most_samples = 60;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
