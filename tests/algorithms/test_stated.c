/* Tests that every algorithm has the cost that its file states. C1 and C2, counted message by
 * message on the schedule, must equal the closed form. The stress suite tries all n up to 130, with
 * all k up to 40 and a sample of larger k. If a parameter has few values, the test tries all
 * values, otherwise a sample. Block lengths are a sample too. */
#include "tests/common/schedule_common.h"

#include "lib/problem/operation.h"

#include <stdbool.h>

static int most_n = 20;
static int every_k = 8;
static const char *only; /* tries only this operation; NULL: all operations */
static uint64_t seed = 5;
static long compared;

/* Compares the counted costs of the messages between processes with the stated ones. */
static void compare_between(const kp_problem *p, const kp_schedule *schedule)
{
    kp_cost counted = kp_schedule_cost_between(schedule, p->b);
    uint64_t c1, c2;
    int senders = 0;
    if (!p->algorithm->stated_between)
        return;
    p->algorithm->stated_between(p, &c1, &c2, &senders);
    if (counted.c1 != c1 || counted.c2 != c2)
        fail_msg("%s: counted between processes C1 = %llu, C2 = %llu; stated %llu, %llu",
                 text_of(p), (unsigned long long)counted.c1, (unsigned long long)counted.c2,
                 (unsigned long long)c1, (unsigned long long)c2);
    assert_true(senders == 1 || senders == p->per_process);
}

static void compare(const kp_problem *p)
{
    kp_schedule *schedule = build(p);
    kp_cost counted = kp_schedule_cost(schedule, p->b);
    uint64_t c1, c2;
    p->algorithm->stated_cost(p, &c1, &c2);
    if (counted.c1 != c1 || counted.c2 != c2)
        fail_msg("%s: counted C1 = %llu, C2 = %llu; stated %llu, %llu", text_of(p),
                 (unsigned long long)counted.c1, (unsigned long long)counted.c2,
                 (unsigned long long)c1, (unsigned long long)c2);
    compare_between(p, schedule);
    kp_schedule_free(schedule);
    compared++;
}

static long high_of(const kp_parameter *parameter, const kp_problem *p)
{
    long count = 0;
    if (!parameter->words)
        return parameter->high(p);
    while (parameter->words[count])
        count++;
    return count;
}

/* Compares the costs. If the first parameter has two values, both are tried. Otherwise the lowest
 * value and a random value are tried. */
static void compare_values(kp_problem *p)
{
    const kp_parameter *parameter = &p->algorithm->parameters[0];
    if (!parameter->name) {
        compare(p);
        return;
    }
    long low = parameter->words ? 1 : parameter->low(p), high = high_of(parameter, p);
    p->values[0] = low;
    compare(p);
    if (high > 40)
        high = 40; /* more packets only make the schedule longer */
    p->values[0] = high > low ? low + 1 + (long)(draw_number(&seed) % (uint64_t)(high - low)) : low;
    if (high > low)
        compare(p);
    p->values[0] = 0;
}

static void compare_lengths(kp_problem p)
{
    static const size_t lengths[] = {0, 1, 8};
    const kp_algorithm *algorithm = p.algorithm;
    if (kp_operation_has_target(p.operation))
        p.target = (int)(draw_number(&seed) % (uint64_t)p.n);
    if (algorithm->own_root)
        p.root = (int)(draw_number(&seed) % (uint64_t)p.n);
    if (algorithm->serves && algorithm->serves(&p))
        return;
    int kind = draw_between(&seed, 0, 2); /* a reduction is long, so it tries only one kind of b */
    bool all = !kp_operation_reduces(p.operation);
    p.b = kp_block_bytes(p.operation, (size_t)draw_between(&seed, 2, 2000));
    if (all || kind == 0)
        compare_values(&p);
    p.b = lengths[draw_between(&seed, 0, 2)];
    if (algorithm->splits && (all || kind == 1))
        compare_values(&p);
    if (all || (kind == 1 && algorithm->splits))
        return;
    p.type = KP_INT32;
    p.b = 4 * (size_t)draw_between(&seed, 1, 500);
    if (kind != 0)
        compare_values(&p);
}

static void compare_blocks(const kp_algorithm *algorithm, int n, int k)
{
    kp_problem p = {.operation = algorithm->operation, .n = n, .k = k, .algorithm = algorithm};
    do
        compare_lengths(p);
    while (next_per_process(&p));
}

static int is_sampled(int n, int k)
{
    return k <= every_k || k == n - 1 || k == n / 2 || draw_number(&seed) % 8 == 0;
}

static void counted_is_stated(void **state)
{
    (void)state;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        if (only && strcmp(only, kp_operation_name(algorithm->operation)) != 0)
            continue;
        long before = compared;
        for (int n = 1; n <= most_n; n++) {
            for (int k = 1; k <= most_ports(n); k++) {
                if (is_sampled(n, k))
                    compare_blocks(algorithm, n, k);
            }
        }
        if (compared == before)
            fail_msg("nothing was compared for %s", algorithm->name);
    }
}

/* Returns whether the algorithm is tried for large n. It is tried if its schedule is stored for one
 * processor only, or if it serves only hypercubes. */
static int goes_far(const kp_algorithm *algorithm)
{
    kp_problem p = {.operation = algorithm->operation, .n = 96, .k = 1};
    p.algorithm = algorithm;
    return algorithm->symmetry != KP_NO_SYMMETRY || (algorithm->serves && algorithm->serves(&p));
}

/* Tries hypercubes of up to 10 dimensions. */
static void hypercubes(void **state)
{
    (void)state;
    long before = compared, far = 0;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        if (!goes_far(algorithm) ||
            (only && strcmp(only, kp_operation_name(algorithm->operation)) != 0))
            continue;
        bool once = algorithm->symmetry != KP_NO_SYMMETRY;
        far++;
        for (int d = 5; (1 << d) <= 8 * most_n; d++) {
            for (int k = 1; k <= d; k += once || k < 2 || k == d ? 1 : d - k)
                compare_blocks(algorithm, 1 << d, k);
        }
    }
    assert_true(far == 0 || compared > before);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_is_stated),
        cmocka_unit_test(hypercubes),
    };
    int extent = extent_of(count, arguments);
    most_n = extent == 2 ? 130 : extent == 1 ? 40 : 20;
    every_k = extent == 2 ? 40 : 8;
    if (count > 2)
        only = arguments[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
