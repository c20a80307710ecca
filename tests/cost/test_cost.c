/* Tests C1 and C2. Three costs must be equal: the cost counted on the schedule, the cost that the
 * algorithm states, and the cost that this test counts by the papers' definitions. The test does
 * not use the library's arithmetic. No cost may be below a lower bound, and where the theorems say
 * so, the bound must be reached. */
#include "tests/common/schedule_common.h"

#include "lib/algorithms/concat_circulant.h"

static int most_n = 20;   /* all n up to this are tried */
static int samples = 500; /* number of further samples, with n up to 1000 */

struct cost {
    uint64_t c1, c2;
};

/* Returns the counted cost of a problem, which must equal the stated cost. */
static struct cost cost_of(const kp_problem *problem)
{
    kp_schedule *schedule = build(problem);
    kp_cost counted = kp_schedule_cost(schedule, problem->b);
    const kp_problem *exact = kp_schedule_problem(schedule);
    struct cost stated;
    exact->algorithm->stated_cost(exact, &stated.c1, &stated.c2);
    if (counted.c1 != stated.c1 || counted.c2 != stated.c2)
        fail_msg("%s: counted (%llu, %llu), stated (%llu, %llu)", text_of(problem),
                 (unsigned long long)counted.c1, (unsigned long long)counted.c2,
                 (unsigned long long)stated.c1, (unsigned long long)stated.c2);
    kp_schedule_free(schedule);
    return stated;
}

static void require(const kp_problem *problem, uint64_t c1, uint64_t c2)
{
    struct cost cost = cost_of(problem);
    if (cost.c1 != c1 || cost.c2 != c2)
        fail_msg("%s: costs (%llu, %llu), expected (%llu, %llu)", text_of(problem),
                 (unsigned long long)cost.c1, (unsigned long long)cost.c2, (unsigned long long)c1,
                 (unsigned long long)c2);
}

static void require_string(const char *text, uint64_t c1, uint64_t c2)
{
    kp_problem problem = parse(text);
    require(&problem, c1, c2);
}

/* --- Index --- */

/* Counts the cost of an index as section 3.2 of Bruck et al. defines it, block by block. */
static struct cost count_index(int n, int k, int r, uint64_t b)
{
    struct cost cost = {0, 0};
    for (int64_t weight = 1; weight < n; weight *= r) {
        int in_group = 0;
        uint64_t largest = 0;
        for (int z = 1; z < r; z++) {
            uint64_t ids = 0;
            for (int id = 0; id < n; id++)
                ids += id / weight % r == z;
            if (ids == 0)
                break;
            largest = in_group == 0 || ids > largest ? ids : largest;
            if (in_group == 0)
                cost.c1++;
            if (++in_group == k) {
                cost.c2 += b * largest;
                in_group = 0;
            }
        }
        if (in_group > 0)
            cost.c2 += b * largest;
    }
    return cost;
}

static void compare_index(int n, int k, int r, size_t b)
{
    static const char *const names[] = {"radix", "literal"};
    struct cost reference = count_index(n, k, r, b);
    for (int i = 0; i < 2; i++) {
        kp_problem p = {.operation = KP_INDEX, .n = n, .k = k, .b = b, .values = {r}};
        p.algorithm = kp_algorithm_find(KP_INDEX, names[i]);
        assert_non_null(p.algorithm);
        require(&p, reference.c1, reference.c2);
    }
    assert_true(reference.c1 >= kp_bound_c1(KP_INDEX, n, k));
    assert_true(reference.c2 >= kp_bound_c2(KP_INDEX, n, k, b));
}

static void index_exhaustively(void **state)
{
    (void)state;
    long compared = 0;
    for (int n = 1; n <= most_n; n++) {
        for (int k = 1; k <= most_ports(n); k++) {
            for (int r = 2; r <= (n > 2 ? n : 2); r++, compared++)
                compare_index(n, k, r, 3);
        }
    }
    assert_true(compared > 2000);
}

static void index_samples(void **state)
{
    (void)state;
    uint64_t seed = 1997;
    for (int i = 0; i < samples; i++) {
        int n = draw_between(&seed, most_n + 1, 1000);
        int k = i % 2 ? draw_between(&seed, 1, 8) : draw_between(&seed, 1, n - 1);
        int r = i % 3 ? draw_between(&seed, 2, 16) : draw_between(&seed, 2, n);
        compare_index(n, k, r, (size_t)draw_between(&seed, 0, 1 << 20));
    }
}

static void index_by_hand(void **state)
{
    (void)state;
    require_string("index:n=5,k=1,b=1,alg=radix,r=2", 3, 5);
    require_string("index:n=5,k=1,b=7,alg=literal,r=2", 3, 35);
    require_string("index:n=64,k=1,b=1,alg=radix,r=2", 6, 192);
    require_string("index:n=64,k=1,b=10,alg=radix,r=8", 14, 1120);
    require_string("index:n=64,k=1,b=1,alg=radix,r=64", 63, 63);
    require_string("index:n=64,k=63,b=8,alg=radix,r=64", 1, 8);
    /* A message may have more than the paper's ceil(n / r) = 2 blocks. Here the first round has the
     * messages 1, 4 and 2, 5; the second round has the message 3, 4, 5. */
    require_string("index:n=6,k=2,b=1,alg=radix,r=3", 2, 5);
    require_string("index:n=1,k=1,b=8,alg=radix,r=2", 0, 0);
    require_string("index:n=2,k=1,b=8,alg=radix,r=2", 1, 8);
    require_string("index:n=64,k=1,b=0,alg=radix,r=2", 6, 0);
}

/* r = k + 1 must need the fewest rounds, and r = n the fewest bytes that are possible without
 * splitting blocks. */
static void index_extremes(void **state)
{
    (void)state;
    for (int n = 2; n <= most_n; n++) {
        for (int k = 1; k < n; k++) {
            kp_problem p = {.operation = KP_INDEX, .n = n, .k = k, .b = 5, .values = {k + 1}};
            p.algorithm = kp_algorithm_find(KP_INDEX, "radix");
            assert_int_equal(cost_of(&p).c1, kp_bound_c1(KP_INDEX, n, k));
            p.values[0] = n;
            uint64_t groups = (uint64_t)((n - 1 + k - 1) / k);
            require(&p, groups, 5 * groups);
            assert_int_equal(kp_bound_index_c1_at_least_bytes(n, k), groups);
        }
    }
}

/* --- The circulant concatenation --- */

static int rounds_needed(int n, int k)
{
    int rounds = 0;
    for (int64_t reached = 1; reached < n; reached *= k + 1)
        rounds++;
    return rounds;
}

static uint64_t least_bytes(int n, int k, uint64_t b)
{
    uint64_t total = b * (uint64_t)(n - 1);
    return total / (uint64_t)k + (total % (uint64_t)k > 0);
}

/* Returns whether a problem is in the paper's range of exceptions. These are b >= 3, k >= 3 and (k
 * + 1)^d - k < n < (k + 1)^d. */
static int is_exceptional(int n, int k, size_t b)
{
    int64_t power = 1;
    while (power < n)
        power *= k + 1;
    return b >= 3 && k >= 3 && power - k < n && n < power;
}

/* Returns whether k areas of `length` entries in column-major order cover the table, if no area may
 * be wider than `span` columns. */
static int covers(int b, int columns, int span, int k, int64_t length)
{
    int areas = 0, leftmost = 0;
    int64_t in_area = 0;
    for (int column = 0; column < columns; column++) {
        for (int row = 0; row < b; row++) {
            if (areas == 0 || in_area == length || column - leftmost >= span) {
                areas++;
                leftmost = column;
                in_area = 0;
            }
            in_area++;
        }
    }
    return areas <= k;
}

static void require_circulant(int n, int k, size_t b)
{
    kp_problem p = {.operation = KP_CONCAT, .n = n, .k = k, .b = b};
    p.algorithm = kp_algorithm_find(KP_CONCAT, "circulant");
    int d = rounds_needed(n, k), n1 = 1;
    for (int i = 1; i < d; i++)
        n1 *= k + 1;
    uint64_t least = least_bytes(n, k, b), last = least - b * (uint64_t)((n1 - 1) / k), more = last;
    while (is_exceptional(n, k, b) && !covers((int)b, n - n1, n1, k, (int64_t)more))
        more++;
    assert_true(more - last <= (b > 0 ? b - 1 : 0));
    p.values[0] = 1;
    require(&p, (uint64_t)d, least + (more - last));
    p.values[0] = 2;
    require(&p, (uint64_t)d + (more > last), least);
    /* If the caller leaves `prefer` open, the tuner may spend another round only if it saves enough
     * bytes. */
    kp_model model = {.beta_us = 2.0, .tau_us = 1.0};
    p.values[0] = 0;
    assert_int_equal(kp_tune(&p, &model), KP_OK);
    assert_int_equal(p.values[0], more - last <= 2 ? 1 : 2);
}

static void circulant_exhaustively(void **state)
{
    (void)state;
    int exceptional = 0;
    for (int n = 1; n <= most_n; n++) {
        for (int k = 1; k <= most_ports(n); k++) {
            for (size_t b = 0; b <= 40; b++) {
                require_circulant(n, k, b);
                exceptional += is_exceptional(n, k, b);
            }
        }
    }
    assert_true(exceptional > (most_n == 40 ? 300 : 50));
}

/* Tries more problems in the range of exceptions, with larger numbers. */
static void circulant_exceptions(void **state)
{
    (void)state;
    int found = 0;
    for (int k = 3; k <= 11; k++) {
        for (int n = k + 2; n <= (most_n > 20 ? 150 : 64); n++) {
            for (size_t b = 3; b <= 40; b++) {
                if (!is_exceptional(n, k, b))
                    continue;
                require_circulant(n, k, b);
                found++;
            }
        }
    }
    assert_true(found > 500);
}

static void circulant_samples(void **state)
{
    (void)state;
    uint64_t seed = 41;
    for (int i = 0; i < samples; i++) {
        int n = draw_between(&seed, most_n + 1, 1000);
        int k = i % 2 ? draw_between(&seed, 1, 8) : draw_between(&seed, 1, n - 1);
        size_t longest = SIZE_MAX / 4 / (size_t)n < 1u << 30 ? SIZE_MAX / 4 / (size_t)n : 1u << 30;
        size_t b =
            (size_t)(i % 3 ? (uint64_t)draw_between(&seed, 0, 64) : draw_number(&seed) % longest);
        kp_problem p = {.operation = KP_CONCAT, .n = n, .k = k, .b = b, .values = {1}};
        p.algorithm = kp_algorithm_find(KP_CONCAT, "circulant");
        struct cost c1 = cost_of(&p);
        p.values[0] = 2;
        struct cost c2 = cost_of(&p);
        uint64_t rounds = (uint64_t)rounds_needed(n, k), least = least_bytes(n, k, b);
        int exact = !is_exceptional(n, k, b);
        assert_int_equal(c1.c1, rounds);
        assert_true(exact ? c1.c2 == least : c1.c2 >= least && c1.c2 <= least + b - 1);
        assert_true(exact ? c2.c1 == rounds : c2.c1 >= rounds && c2.c1 <= rounds + 1);
        assert_int_equal(c2.c2, least);
    }
}

/* In about two of five problems in the range of exceptions, both C1 and C2 can be optimal
 * nevertheless. */
static void circulant_wider_partition(void **state)
{
    (void)state;
    int inside = 0, both = 0;
    for (int n = 2; n <= 40; n++) {
        for (int k = 3; k < n; k++) {
            for (size_t b = 3; b <= 16; b++) {
                if (!is_exceptional(n, k, b))
                    continue;
                kp_problem p = {.operation = KP_CONCAT, .n = n, .k = k, .b = b, .values = {1}};
                p.algorithm = kp_algorithm_find(KP_CONCAT, "circulant");
                inside++;
                both += cost_of(&p).c2 == least_bytes(n, k, b);
            }
        }
    }
    assert_in_range(both * 100 / inside, 30, 50);
}

/* Table 1 of the paper: n1 = 3, n2 = 7, b = 3, k = 3. */
static void table_1(void **state)
{
    (void)state;
    static const char *const paper[3] = {"1112233", "1122233", "1122333"};
    struct kp_table table = {.b = 3, .columns = 7, .span = 3, .length = 7};
    struct kp_area areas[3];
    char drawn[3][8] = {"", "", ""};
    assert_true(kp_table_fits(&table, 3));
    assert_int_equal(kp_table_cut(&table, 0, areas), 3);
    for (int a = 0; a < 3; a++) {
        for (int64_t entry = areas[a].first; entry < areas[a].end; entry++)
            drawn[entry % 3][entry / 3] = (char)('1' + a);
    }
    for (int row = 0; row < 3; row++)
        assert_string_equal(drawn[row], paper[row]);
    assert_int_equal(areas[0].offset, 3);
    assert_int_equal(areas[1].offset, 5);
    assert_int_equal(areas[2].offset, 7);
}

/* --- The other algorithms for the concatenation --- */

static void other_concatenations(void **state)
{
    (void)state;
    for (int n = 1; n <= most_n; n++) {
        for (int k = 1; k <= most_ports(n); k++) {
            uint64_t d = (uint64_t)rounds_needed(n, k), others = (uint64_t)n - 1;
            kp_problem p = {.operation = KP_CONCAT, .n = n, .k = k, .b = 7};
            p.algorithm = kp_algorithm_find(KP_CONCAT, "ring");
            uint64_t ring = k == 1 ? others : (others + 1) / 2;
            require(&p, ring, 7 * ring);
            p.algorithm = kp_algorithm_find(KP_CONCAT, "gather-broadcast");
            uint64_t pieces = (others + (uint64_t)k - 1) / (uint64_t)k;
            require(&p, 2 * d, 7 * pieces + 7 * (uint64_t)n * d);
            p.algorithm = kp_algorithm_find(KP_CONCAT, "recursive-doubling");
            int64_t power = 1;
            while (power < n)
                power *= k + 1;
            kp_schedule *none = NULL;
            if (power == n)
                require(&p, d, 7 * others / (uint64_t)k);
            else
                assert_int_equal(kp_schedule_build(&p, &none), KP_EUNSERVED);
        }
    }
    require_string("concat:n=16,k=1,b=2,alg=gather-broadcast", 8, 30 + 2 * 16 * 4);
    require_string("concat:n=27,k=2,b=2,alg=recursive-doubling", 3, 26);
    /* A cost that is too large for a number must become the largest number. */
    if (sizeof(size_t) > 4) /* only with 64 bits a block can be so long */
        require_string("concat:n=1024,k=1,b=2251799813685247,alg=gather-broadcast", 20, UINT64_MAX);
}

/* The messages and bytes of all processors together, computed by hand. */
static void totals(void **state)
{
    (void)state;
    static const struct {
        const char *problem;
        uint64_t messages, bytes;
    } rows[] = {
        {"index:n=8,k=7,b=3,alg=radix,r=8", 56, 168},
        {"index:n=5,k=1,b=2,alg=radix,r=2", 15, 50},
        {"concat:n=8,k=1,b=3,alg=recursive-doubling", 24, 168},
        {"concat:n=8,k=1,b=3,alg=ring", 56, 168},
        {"concat:n=4,k=1,b=1,alg=gather-broadcast", 6, 4 + 12},
        {"concat:n=10,k=3,b=3,alg=circulant", 60, 270},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem problem = parse(rows[i].problem);
        kp_schedule *schedule = build(&problem);
        kp_cost cost = kp_schedule_cost(schedule, problem.b);
        assert_int_equal(cost.messages, rows[i].messages);
        assert_int_equal(cost.bytes, rows[i].bytes);
        kp_schedule_free(schedule);
    }
}

/* Counts the messages between processes one by one, for algorithms that know which processors share
 * a process and for others. */
static void between(void **state)
{
    (void)state;
    static const struct {
        const char *problem;
        kp_cost cost;
    } rows[] = {
        /* Every process sends what its leader has, 16 and 16 blocks, 2 times. */
        {"index:n=8,k=1,b=3,per_process=4,alg=hierarchical,r=2", {1, 48, 2, 96}},
        {"index:n=8,k=1,b=3,per_process=4,alg=hierarchical-parallel,r=2", {1, 12, 8, 96}},
        /* In the rounds of the distances 1, 2 and 4 there are 2, 4 and 8 messages of 4 blocks. */
        {"index:n=8,k=1,b=3,per_process=4,alg=radix,r=2", {3, 36, 14, 168}},
        /* In 3 of 7 rounds the partners share a process. */
        {"index:n=8,k=1,b=3,per_process=4,alg=pairwise", {4, 12, 32, 96}},
        {"broadcast:n=8,k=1,b=3,root=5,per_process=2,alg=hierarchical", {2, 6, 3, 9}},
        {"concat:n=8,k=1,b=3,per_process=2,alg=recursive-doubling", {2, 18, 16, 144}},
        {"concat:n=8,k=1,b=3,per_process=8,alg=ring", {0, 0, 0, 0}},
        {"concat:n=8,k=1,b=3,per_process=1,alg=ring", {7, 21, 56, 168}},
        {"concat:n=8,k=1,b=3,alg=ring", {7, 21, 56, 168}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem problem = parse(rows[i].problem);
        kp_schedule *schedule = build(&problem);
        kp_cost cost = kp_schedule_cost_between(schedule, problem.b);
        if (memcmp(&cost, &rows[i].cost, sizeof cost) != 0)
            fail_msg("%s: %llu rounds, %llu bytes; %llu messages, %llu bytes", rows[i].problem,
                     (unsigned long long)cost.c1, (unsigned long long)cost.c2,
                     (unsigned long long)cost.messages, (unsigned long long)cost.bytes);
        kp_schedule_free(schedule);
    }
}

/* A round in which no message is sent must not count in C1. */
static void empty_rounds(void **state)
{
    (void)state;
    kp_problem p = {.operation = KP_CONCAT, .n = 2, .k = 1, .b = 8, .algorithm = &halves};
    kp_schedule *schedule = build(&p);
    assert_int_equal(kp_schedule_rounds(schedule), 3);
    kp_schedule_free(schedule);
    require(&p, 2, 8);
}

/* --- Lower bounds --- */

static void bounds(void **state)
{
    (void)state;
    uint64_t c2;
    for (int n = 1; n <= 200; n++) {
        for (int k = 1; k <= most_ports(n); k++) {
            assert_int_equal(kp_bound_c1(KP_INDEX, n, k), rounds_needed(n, k));
            assert_int_equal(kp_bound_c2(KP_CONCAT, n, k, 11), least_bytes(n, k, 11));
        }
    }
    assert_int_equal(kp_ceil_log(UINT64_MAX, 2), 64);
    assert_int_equal(kp_ceil_log(1, 2), 0);
    assert_int_equal(kp_ceil_log(UINT64_C(1) << 63, 2), 63);
    assert_int_equal(kp_bound_c2(KP_BARRIER, 8, 1, 8), 0); /* nothing moves */
    assert_int_equal(kp_bound_c2(KP_INDEX, 3, 2, SIZE_MAX), SIZE_MAX);
    assert_true(kp_bound_c2(KP_INDEX, 4, 1, SIZE_MAX) ==
                (SIZE_MAX > UINT32_MAX ? UINT64_MAX : (uint64_t)SIZE_MAX * 3));
    /* Theorem 2.5, and the radix that reaches its bound. */
    assert_int_equal(kp_bound_index_c2_at_least_rounds(64, 1, 5, &c2), 1);
    assert_int_equal(c2, 5 * 32 * 6);
    assert_int_equal(kp_bound_index_c2_at_least_rounds(81, 2, 1, &c2), 1);
    assert_int_equal(c2, 27 * 4);
    assert_int_equal(kp_bound_index_c2_at_least_rounds(63, 1, 5, &c2), 0);
    assert_int_equal(kp_bound_index_c2_at_least_rounds(1, 1, 5, &c2), 0);
    require_string("index:n=81,k=2,b=1,alg=radix,r=3", 4, 27 * 4);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_by_hand),
        cmocka_unit_test(index_exhaustively),
        cmocka_unit_test(index_samples),
        cmocka_unit_test(index_extremes),
        cmocka_unit_test(table_1),
        cmocka_unit_test(circulant_exhaustively),
        cmocka_unit_test(circulant_exceptions),
        cmocka_unit_test(circulant_samples),
        cmocka_unit_test(circulant_wider_partition),
        cmocka_unit_test(other_concatenations),
        cmocka_unit_test(totals),
        cmocka_unit_test(between),
        cmocka_unit_test(empty_rounds),
        cmocka_unit_test(bounds),
    };
    int extent = extent_of(count, arguments);
    if (extent > 0) {
        most_n = extent == 1 ? 22 : 40;
        samples = extent == 1 ? 1000 : 5000;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
