/* Tests the algorithms on the hypercube, n = 2^d. Every block must arrive. The counted costs must
 * equal the stated costs. Messages may use only links of the hypercube. No block may be sent more
 * often than stated. The test computes the expected numbers itself, bit by bit. */
#include "tests/common/schedule_common.h"

#include "lib/algorithms/hypercube.h"

/* For d up to `most_d` the test tries every k up to 40, and some larger k. `largest` is the largest
 * d that it tries, with a few k only. `largest_of_large` is the largest d that it tries for
 * algorithms with large schedules. */
static int most_d = 4, largest = 8, largest_of_large = 6;

struct cost {
    uint64_t c1, c2;
};

static int weight_of(int label)
{
    int weight = 0;
    for (int bit = 0; bit < 20; bit++)
        weight += label >> bit & 1;
    return weight;
}

/* Returns the number of labels of d bits in which `weight` bits are set; with `with_bit_0` only
 * those in which bit 0 is set. */
static uint64_t count_labels(int d, int weight, int with_bit_0)
{
    uint64_t labels = 0;
    for (int label = 0; label < 1 << d; label++)
        labels += weight_of(label) == weight && (!with_bit_0 || label & 1);
    return labels;
}

/* --- The expected costs --- */

static struct cost of_pairwise(int d, int k)
{
    uint64_t rounds = 0;
    for (int i = 1; i < 1 << d; i += k)
        rounds++;
    return (struct cost){rounds, rounds};
}

static struct cost of_index_directions(int d, int k)
{
    struct cost cost = {0, 0};
    (void)k;
    for (int i = 0; i < d; i++, cost.c1++)
        for (int label = 0; label < 1 << d; label++)
            cost.c2 += label >> i & 1;
    return cost;
}

static struct cost of_multi_gather(int d, int k)
{
    struct cost cost = {0, 0};
    (void)k;
    for (int root = 0; root < 1 << d; root++)
        for (int i = 0; i < d; i++, cost.c1++)
            cost.c2 += (uint64_t)1 << i;
    return cost;
}

static struct cost of_broadcasts(int d, int k)
{
    uint64_t rounds = (uint64_t)d << d;
    (void)k;
    return (struct cost){rounds, rounds};
}

static struct cost of_gray_ring(int d, int k)
{
    uint64_t others = ((uint64_t)1 << d) - 1;
    (void)k;
    return (struct cost){others, others};
}

static struct cost of_concat_directions(int d, int k)
{
    struct cost cost = {(uint64_t)d, of_gray_ring(d, k).c2};
    return cost;
}

static struct cost of_tea1(int d, int k)
{
    struct cost cost = {0, 0};
    for (int i = 1; i <= d; i++) {
        uint64_t over_a_link = count_labels(d, i, 1);
        for (int link = 0; link < d; link += k, cost.c1++)
            cost.c2 += over_a_link;
    }
    return cost;
}

/* Returns the number of blocks that link `link` carries if the C(d, i) blocks of a step are dealt
 * to the d links in turn. */
static uint64_t dealt(int d, int i, int link)
{
    uint64_t labels = i < 1 || i > d ? 0 : count_labels(d, i, 0);
    return labels / (uint64_t)d + ((uint64_t)link < labels % (uint64_t)d);
}

/* Returns the cost of step i, which moves the blocks at distance i, and with `grouped` those at
 * distance i + 1 too. A round uses at most k links. None of them carries more blocks than the first
 * one. */
static struct cost of_step(int d, int k, int i, int grouped)
{
    struct cost cost = {0, 0};
    for (int link = 0; link < d; link += k) {
        uint64_t blocks = dealt(d, i, link) + (grouped ? dealt(d, i + 1, link) : 0);
        cost.c1 += blocks > 0;
        cost.c2 += blocks;
    }
    return cost;
}

static struct cost of_tea2(int d, int k)
{
    struct cost cost = {0, 0};
    for (int i = 1; i <= d; i++) {
        cost.c1 += of_step(d, k, i, 0).c1;
        cost.c2 += of_step(d, k, i, 0).c2;
    }
    return cost;
}

static struct cost of_tea2_grouped(int d, int k)
{
    struct cost cost = {0, 0};
    for (int i = 0; i <= d && d > 0; i++) {
        cost.c1 += of_step(d, k, i, 1).c1;
        cost.c2 += of_step(d, k, i, 1).c2;
    }
    return cost;
}

/* --- The algorithms --- */

struct expected {
    kp_operation operation;
    const char *name;
    struct cost (*cost)(int d, int k); /* the expected cost for blocks of one byte */
    int links_only;                    /* whether every message goes to a neighbour */
    int large; /* whether the schedule takes much memory, because it has many rounds */
};

static const struct expected all[] = {
    {KP_INDEX, "pairwise", of_pairwise, 0, 0},
    {KP_INDEX, "alternate-direction", of_index_directions, 1, 0},
    {KP_INDEX, "sequential-multi-gather", of_multi_gather, 1, 1},
    {KP_CONCAT, "sequential-broadcasts", of_broadcasts, 1, 1},
    {KP_CONCAT, "gray-ring", of_gray_ring, 1, 1},
    {KP_CONCAT, "alternate-direction", of_concat_directions, 1, 0},
    {KP_CONCAT, "tea1", of_tea1, 1, 0},
    {KP_CONCAT, "tea2", of_tea2, 1, 0},
    {KP_CONCAT, "tea2-grouped", of_tea2_grouped, 1, 0},
};
#define ALGORITHMS (sizeof all / sizeof all[0])

/* Returns the row of an algorithm by its name, which no other row may have. */
static const struct expected *row_of(const char *name)
{
    size_t i = 0;
    while (strcmp(all[i].name, name) != 0)
        i++;
    return &all[i];
}

static kp_problem problem_of(const struct expected *row, int d, int k, size_t b)
{
    kp_problem p = {.operation = row->operation, .n = 1 << d, .k = k, .b = b};
    p.algorithm = kp_algorithm_find(row->operation, row->name);
    assert_non_null(p.algorithm);
    return p;
}

/* Returns the next k to try. For small d the test tries all k up to 40, then 120, 360 and so on.
 * For large d it tries 1, d, 3 d, 9 d and so on. The last k is always n - 1. */
static int next_k(const struct expected *row, int k, int d)
{
    int last = most_ports(1 << d), all_to = row->large && most_d > 8 ? 8 : most_d;
    int next = d <= all_to && k < 40 ? k + 1 : k < d ? d : 3 * k;
    return k < last && next > last ? last : next;
}

static void compare_cost(const struct expected *row, const kp_problem *p, int d,
                         const kp_schedule *schedule)
{
    kp_cost counted = kp_schedule_cost(schedule, p->b);
    struct cost stated, expected = row->cost(d, p->k);
    p->algorithm->stated_cost(p, &stated.c1, &stated.c2);
    if (counted.c1 != stated.c1 || counted.c2 != stated.c2 || counted.c1 != expected.c1 ||
        counted.c2 != expected.c2 * p->b)
        fail_msg("%s: counted (%llu, %llu), stated (%llu, %llu), expected (%llu, %llu)", text_of(p),
                 (unsigned long long)counted.c1, (unsigned long long)counted.c2,
                 (unsigned long long)stated.c1, (unsigned long long)stated.c2,
                 (unsigned long long)expected.c1, (unsigned long long)(expected.c2 * p->b));
}

static void require_neighbours(const kp_problem *p, const kp_schedule *schedule)
{
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        for (int rank = 0; rank < p->n; rank++) {
            for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
                int peer = kp_schedule_send(schedule, rank, round, i).peer;
                if (weight_of(rank ^ peer) != 1)
                    fail_msg("%s: round %d: %d sends to %d, which is no neighbour", text_of(p),
                             round, rank, peer);
            }
        }
    }
}

/* Compares the costs for every k that is tried. The checker is slow, so for large d it checks only
 * k = 1, k = d and k = n - 1. */
static void try_algorithm(const struct expected *row, int d)
{
    for (int k = 1; k <= most_ports(1 << d); k = next_k(row, k, d)) {
        kp_error_record error;
        kp_problem p = problem_of(row, d, k, 3);
        kp_schedule *schedule = build(&p);
        compare_cost(row, &p, d, schedule);
        if (d <= 5 || k == 1 || k == d || k == most_ports(1 << d)) {
            if (kp_schedule_check(schedule, &error) != KP_OK)
                fail_msg("%s: %s", text_of(&p), error.sentence);
            if (row->links_only)
                require_neighbours(&p, schedule);
        }
        kp_schedule_free(schedule);
    }
}

static void every_dimension(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALGORITHMS; i++) {
        for (int d = 0; d <= (all[i].large ? largest_of_large : largest); d++)
            try_algorithm(&all[i], d);
    }
}

/* --- The numbers in the papers --- */

static kp_cost cost_of(const char *name, kp_operation operation, int d, int k)
{
    kp_problem p = {.operation = operation, .n = 1 << d, .k = k, .b = 1};
    p.algorithm = kp_algorithm_find(operation, name);
    kp_schedule *schedule = build(&p);
    kp_cost cost = kp_schedule_cost(schedule, 1);
    kp_schedule_free(schedule);
    return cost;
}

static void tea2_table(void **state)
{
    (void)state;
    static const uint64_t blocks[] = {0, 1, 2, 3, 5, 7, 13, 19, 34, 59, 105};
    for (int d = 1; d <= 10; d++) {
        kp_cost once = cost_of("tea2", KP_CONCAT, d, d);
        kp_cost grouped = cost_of("tea2-grouped", KP_CONCAT, d, d);
        assert_int_equal(once.c1, d);
        assert_int_equal(once.c2, blocks[d]);
        assert_int_equal(grouped.c1, d + 1);
        assert_int_equal(grouped.c2, 2 * blocks[d]);
        /* With one port each block is sent alone, over one link after the other. */
        once = cost_of("tea2", KP_CONCAT, d, 1);
        assert_int_equal(once.c1, d * (d - 1) + 1);
        assert_int_equal(once.c2, (1 << d) - 1);
    }
}

/* Bruck et al. 1997 have lower bounds for an index in d rounds (Theorem 2.5) and for any
 * concatenation (Proposition 2.4). The one-port algorithms must reach these bounds. No other
 * algorithm may be below them. */
static void lower_bounds(void **state)
{
    (void)state;
    for (int d = 1; d <= 10; d++) {
        uint64_t c2;
        int n = 1 << d;
        kp_cost index = cost_of("alternate-direction", KP_INDEX, d, 1);
        assert_int_equal(kp_bound_index_c2_at_least_rounds(n, 1, 1, &c2), 1);
        assert_int_equal(index.c1, kp_bound_c1(KP_INDEX, n, 1));
        assert_int_equal(index.c2, c2);
        assert_int_equal(index.c2, d * n / 2);
        kp_cost concat = cost_of("alternate-direction", KP_CONCAT, d, 1);
        assert_int_equal(concat.c1, kp_bound_c1(KP_CONCAT, n, 1));
        assert_int_equal(concat.c2, kp_bound_c2(KP_CONCAT, n, 1, 1));
        for (size_t i = 0; i < ALGORITHMS; i++) {
            for (int k = 1; k <= most_ports(n); k = next_k(&all[i], k, d)) {
                struct cost cost = all[i].cost(d, k);
                assert_true(cost.c1 >= kp_bound_c1(all[i].operation, n, k));
                assert_true(cost.c2 >= kp_bound_c2(all[i].operation, n, k, 1));
            }
        }
    }
}

/* --- Total exchange --- */

/* Each label in which i bits are set is given to one link, at a bit that is set in the label. No
 * link may get more than ceil(C(d, i) / d) labels. If the numbers differ, the first links get more
 * than the last links. */
static void labels_are_shared_out(void **state)
{
    (void)state;
    for (int d = 1; d <= 17; d++) {
        struct kp_shares shares;
        char *seen = calloc((size_t)1 << d, 1);
        assert_true(kp_shares_make(&shares, d) && seen);
        for (int weight = 1; weight <= d; weight++) {
            uint64_t labels_in_all = count_labels(d, weight, 0), total = 0;
            uint64_t each = labels_in_all / (uint64_t)d, more = labels_in_all % (uint64_t)d;
            for (int link = 0; link < d; link++) {
                int count;
                const int *labels = kp_share(&shares, weight, link, &count);
                assert_int_equal(count, each + ((uint64_t)link < more));
                total += (uint64_t)count;
                for (int i = 0; i < count; i++) {
                    assert_int_equal(weight_of(labels[i]), weight);
                    assert_true(labels[i] >> link & 1);
                    assert_int_equal(seen[labels[i]]++, 0);
                }
            }
            assert_int_equal(total, labels_in_all);
        }
        free(seen);
        kp_shares_free(&shares);
    }
}

/* With TEA2, n - 1 blocks must enter a processor, each once. With TEA1 a block at distance i enters
 * i processors, so d n / 2 blocks must enter a processor. */
static void blocks_in_all(void **state)
{
    (void)state;
    for (int d = 0; d <= 10; d++) {
        uint64_t n = (uint64_t)1 << d;
        for (int k = 1; k <= 3 && k <= most_ports((int)n); k++) {
            assert_int_equal(cost_of("tea1", KP_CONCAT, d, k).bytes, n * (n / 2) * (uint64_t)d);
            assert_int_equal(cost_of("tea2", KP_CONCAT, d, k).bytes, n * (n - 1));
            assert_int_equal(cost_of("tea2-grouped", KP_CONCAT, d, k).bytes, n * (n - 1));
        }
    }
}

/* In the grouped form a processor that receives in a round must not send in it. */
static void one_direction_at_a_time(void **state)
{
    (void)state;
    for (int d = 1; d <= 8; d++) {
        long sending = 0;
        kp_problem p = problem_of(row_of("tea2-grouped"), d, d, 1);
        kp_schedule *schedule = build(&p);
        for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
            for (int rank = 0; rank < p.n; rank++) {
                int sends = kp_schedule_sends(schedule, rank, round);
                assert_true(sends == 0 || kp_schedule_receives(schedule, rank, round) == 0);
                assert_true(sends == 0 || weight_of(rank) % 2 == round % 2);
                sending += sends > 0;
            }
        }
        assert_int_equal(sending, (d + 1) * p.n / 2);
        kp_schedule_free(schedule);
    }
}

/* Each processor always sends to the same neighbour, and these links must form one ring through all
 * processors. */
static void the_ring_is_one(void **state)
{
    (void)state;
    for (int d = 1; d <= 8; d++) {
        kp_problem p = problem_of(row_of("gray-ring"), d, 1, 1);
        kp_schedule *schedule = build(&p);
        int at = 0, length = 0;
        do {
            int next = kp_schedule_send(schedule, at, 0, 0).peer;
            for (int round = 1; round < kp_schedule_rounds(schedule); round++)
                assert_int_equal(kp_schedule_send(schedule, at, round, 0).peer, next);
            at = next;
            length++;
        } while (at != 0 && length <= p.n);
        assert_int_equal(length, p.n);
        kp_schedule_free(schedule);
    }
}

/* --- These algorithms among the others of the table --- */

static void only_powers_of_two(void **state)
{
    (void)state;
    for (size_t i = 0; i < ALGORITHMS; i++) {
        for (int n = 1; n <= 70; n++) {
            kp_schedule *schedule = NULL;
            kp_problem p = problem_of(&all[i], 0, 1, 1);
            p.n = n;
            int served = weight_of(n) == 1;
            assert_int_equal(kp_schedule_build(&p, &schedule), served ? KP_OK : KP_EUNSERVED);
            if (!served)
                assert_non_null(strstr(kp_last_error()->sentence, "power of 2"));
            kp_schedule_free(schedule);
        }
    }
}

/* If the caller names no algorithm, the choice must be the same as without these algorithms,
 * because no algorithm here is faster. */
static void defaults_stay(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 8, 100, 4096, 1000000};
    for (int d = 0; d <= 10; d++) {
        for (int k = 1; k <= most_ports(1 << d); k = k < 12 ? k + 1 : k * 5) {
            for (size_t i = 0; i < ALGORITHMS * 6; i++) {
                const struct expected *row = &all[i / 6];
                kp_problem p = problem_of(row, d, k, sizes[i % 6]);
                const kp_algorithm *not_this = p.algorithm;
                p.algorithm = NULL;
                assert_int_equal(kp_tune(&p, NULL), KP_OK);
                assert_ptr_not_equal(p.algorithm, not_this);
            }
        }
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dimension), cmocka_unit_test(tea2_table),
        cmocka_unit_test(lower_bounds),    cmocka_unit_test(labels_are_shared_out),
        cmocka_unit_test(blocks_in_all),   cmocka_unit_test(one_direction_at_a_time),
        cmocka_unit_test(the_ring_is_one), cmocka_unit_test(only_powers_of_two),
        cmocka_unit_test(defaults_stay),
    };
    int extent = extent_of(count, arguments);
    if (extent > 0)
        most_d = largest = extent == 1 ? 7 : 10;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
