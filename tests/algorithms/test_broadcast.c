/* Tests the broadcasts that split the block into packets or parts. Every schedule is checked by the
 * checker. Every counted cost must equal the cost that the algorithm states, and a cost that this
 * test computes itself, round by round and byte by byte. */
#include "tests/common/schedule_common.h"

static int most_n = 14;     /* every k is tried for n up to this */
static int most_root_n = 6; /* every root is tried for n up to this */

static const size_t lengths[] = {1, 2, 3, 7, 8, 100};

#define LENGTHS (sizeof lengths / sizeof lengths[0])

struct cost {
    uint64_t c1, c2;
};

static kp_problem broadcast(const char *name, int n, int k, size_t b)
{
    kp_problem p = {.operation = KP_BROADCAST, .n = n, .k = k, .b = b};
    p.algorithm = kp_algorithm_find(KP_BROADCAST, name);
    assert_non_null(p.algorithm);
    return p;
}

static void require(const kp_problem *p, struct cost cost, struct cost expected)
{
    if (cost.c1 != expected.c1 || cost.c2 != expected.c2)
        fail_msg("%s: costs (%llu, %llu), expected (%llu, %llu)", text_of(p),
                 (unsigned long long)cost.c1, (unsigned long long)cost.c2,
                 (unsigned long long)expected.c1, (unsigned long long)expected.c2);
}

/* Returns the cost that is counted on the schedule, and asserts that it is the stated cost. */
static struct cost cost_of(const kp_problem *p)
{
    kp_schedule *schedule = build(p);
    kp_cost counted = kp_schedule_cost(schedule, p->b);
    const kp_problem *exact = kp_schedule_problem(schedule);
    struct cost stated;
    exact->algorithm->stated_cost(exact, &stated.c1, &stated.c2);
    require(p, stated, (struct cost){counted.c1, counted.c2});
    kp_schedule_free(schedule);
    return stated;
}

static void check(const kp_problem *p)
{
    kp_error_record error;
    kp_schedule *schedule = build(p);
    if (kp_schedule_check(schedule, &error) != KP_OK)
        fail_msg("%s: %s", text_of(p), error.sentence);
    kp_schedule_free(schedule);
}

static int rounds_needed(int64_t n, int64_t base)
{
    int rounds = 0;
    for (int64_t reached = 1; reached < n; reached *= base)
        rounds++;
    return rounds;
}

/* Stores the numbers of packets to try: small ones, larger ones, and the largest possible one.
 * Returns how many numbers it stored. */
static int packet_counts(const kp_problem *p, long counts[8])
{
    static const long some[] = {1, 2, 3, 5, 8, 13, 64};
    long high = p->algorithm->parameters[0].high(p);
    int count = 0;
    for (int i = 0; i < 7; i++) {
        if (some[i] < high)
            counts[count++] = some[i];
    }
    counts[count++] = high;
    return count;
}

/* --- Every schedule --- */

static long check_roots(kp_problem p)
{
    int step = p.n <= most_root_n ? 1 : p.n / 2;
    long count = 0;
    for (p.root = 0; p.root < p.n; p.root += step, count++)
        check(&p);
    return count;
}

static long check_packets(kp_problem p)
{
    long counts[8], checked = 0;
    int count = packet_counts(&p, counts);
    for (int i = 0; i < count; i++) {
        p.values[0] = counts[i];
        checked += check_roots(p);
    }
    return checked;
}

static void every_schedule_is_right(void **state)
{
    (void)state;
    long checked = 0;
    for (int n = 1; n <= most_n; n++) {
        for (int k = 1; k <= most_ports(n); k++) {
            for (size_t i = 0; i < LENGTHS; i++) {
                checked += check_packets(broadcast("pipelined", n, k, lengths[i]));
                checked += check_roots(broadcast("scatter-concat", n, k, lengths[i]));
                if (k <= 2 || n <= 12)
                    checked += check_packets(broadcast("circulant", n, k, lengths[i]));
            }
        }
    }
    assert_true(checked > 5000);
}

/* --- Packets that follow each other. Each packet takes `depth` rounds to reach all processors
 * --- */

/* Computes the cost. Packet i has the bytes i, i + m, i + 2 m, ..., so it has floor(b / m) bytes or
 * one more. The root sends the short packets first. So the longest message of a round is the packet
 * that the root sent last. */
static struct cost count_packets(const kp_problem *p, int depth)
{
    uint64_t m = (uint64_t)p->values[0];
    struct cost cost = {0, 0};
    for (uint64_t t = 0; t < m - 1 + (uint64_t)depth; t++) {
        uint64_t newest = t < m ? t : m - 1, bytes = 0;
        for (uint64_t byte = m - 1 - newest; byte < p->b; byte += m)
            bytes++;
        cost.c1++;
        cost.c2 += bytes;
    }
    return cost;
}

/* Returns the number of levels below the root in a tree in which processor v has the children k v +
 * 1 ... k v + k. */
static int levels_below(int n, int k)
{
    int levels = 0;
    for (int64_t reached = 1, level = 1; reached < n; levels++) {
        level *= k;
        reached += level;
    }
    return levels;
}

static void require_packets(kp_problem p, int depth)
{
    long counts[8];
    int count = packet_counts(&p, counts);
    for (int i = 0; i < count; i++) {
        p.values[0] = counts[i];
        require(&p, cost_of(&p), count_packets(&p, depth));
    }
}

static void packets_cost_what_is_stated(void **state)
{
    (void)state;
    for (int n = 1; n <= 130; n += n < most_n || most_n > 20 ? 1 : 3) {
        int most_k = most_ports(n) < 40 ? most_ports(n) : 40;
        for (int k = 1; k <= most_k; k += k < 5 || most_n > 20 ? 1 : 7) {
            for (size_t i = 0; i < LENGTHS; i++)
                require_packets(broadcast("pipelined", n, k, lengths[i]), levels_below(n, k));
        }
        for (size_t i = 0; i < LENGTHS; i++)
            require_packets(broadcast("circulant", n, 1, lengths[i]), rounds_needed(n, 2));
    }
}

/* Every processor but the root must receive every packet once, and nothing else may be sent. */
static void no_packet_is_sent_twice(void **state)
{
    (void)state;
    static const char *const names[] = {"pipelined", "circulant"};
    for (int n = 1; n <= 70; n++) {
        for (int i = 0; i < 2; i++) {
            kp_problem p = broadcast(names[i], n, 1, 101);
            p.values[0] = n == 1 ? 1 : 1 + n % 17;
            kp_schedule *schedule = build(&p);
            kp_cost cost = kp_schedule_cost(schedule, p.b);
            assert_int_equal(cost.messages, (uint64_t)p.values[0] * (uint64_t)(n - 1));
            assert_int_equal(cost.bytes, 101 * (uint64_t)(n - 1));
            kp_schedule_free(schedule);
        }
    }
}

static void large_circulants(void **state)
{
    (void)state;
    static const int sizes[] = {127, 128, 129, 333, 1000, 1023, 1025, 2047};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        kp_problem p = broadcast("circulant", sizes[i], 1, 50);
        for (p.values[0] = 1; p.values[0] < 20; p.values[0] += 9)
            check(&p);
    }
}

static void packets_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct cost cost;
    } rows[] = {
        /* A chain of four processors: 3 rounds, and one more for each further packet. */
        {"broadcast:n=4,k=1,b=12,alg=pipelined,packets=1", {3, 36}},
        {"broadcast:n=4,k=1,b=12,alg=pipelined,packets=4", {6, 18}},
        /* Packets of 2, 3 and 3 bytes. Packets of 3 bytes are sent in the rounds 1 ... 4. */
        {"broadcast:n=4,k=1,b=8,alg=pipelined,packets=3", {5, 14}},
        /* Seven processors in a binary tree, four in a star. */
        {"broadcast:n=7,k=2,b=10,alg=pipelined,packets=5", {6, 12}},
        {"broadcast:n=4,k=3,b=10,alg=pipelined,packets=1", {1, 10}},
        /* C1 = m - 1 + ceil(log2 n) for m packets. */
        {"broadcast:n=9,k=1,b=10,alg=circulant,packets=1", {4, 40}},
        {"broadcast:n=9,k=1,b=10,alg=circulant,packets=5", {8, 16}},
        {"broadcast:n=64,k=1,b=3000,alg=circulant,packets=1000", {1005, 3015}},
        {"broadcast:n=64,k=1,b=7,alg=circulant,packets=3", {8, 16 + 6}},
        {"broadcast:n=1,k=1,b=10,alg=circulant", {0, 0}},
        {"broadcast:n=5,k=1,b=0,alg=circulant", {3, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem p = parse(rows[i].text);
        require(&p, cost_of(&p), rows[i].cost);
    }
}

/* --- A broadcast by scatter and concatenation --- */

/* Returns the most bytes in `count` successive parts (part n - 1 is followed by part 0). Byte x is
 * in part floor(x n / b). */
static uint64_t longest_of_parts(const kp_problem *p, int64_t count)
{
    uint64_t bytes[130] = {0}, longest = 0;
    for (uint64_t x = 0; x < p->b; x++)
        bytes[x * (uint64_t)p->n / p->b]++;
    for (int64_t first = 0; first < p->n; first++) {
        uint64_t sum = 0;
        for (int64_t i = 0; i < count; i++)
            sum += bytes[(first + i) % p->n];
        longest = sum > longest ? sum : longest;
    }
    return longest;
}

/* Computes the cost of the concatenation. In each round the longest message has the successive
 * parts with most bytes. */
static struct cost count_concat(const kp_problem *p)
{
    struct cost cost = {0, 0};
    int64_t held = 1, n = p->n, k = p->k;
    for (; held * (k + 1) < n; held *= k + 1, cost.c1++)
        cost.c2 += longest_of_parts(p, held);
    cost.c2 += longest_of_parts(p, (n - held + k - 1) / k);
    cost.c1++;
    return cost;
}

/* Checks the cost of the scatter of n parts, whose lengths differ by at most one byte. The longest
 * messages of all rounds together have ceil((n - 1) / k) parts. If no message is empty, the scatter
 * has ceil(log_{k+1} n) rounds. */
static void require_scatter_concat(int n, int k, size_t b)
{
    kp_problem p = broadcast("scatter-concat", n, k, b);
    struct cost cost = cost_of(&p), concat = count_concat(&p);
    uint64_t d = (uint64_t)rounds_needed(n, k + 1);
    uint64_t parts = (uint64_t)((n - 1 + k - 1) / k);
    assert_true(cost.c1 >= concat.c1 && cost.c1 <= concat.c1 + d);
    assert_true(cost.c2 >= concat.c2 &&
                (cost.c2 - concat.c2) * (uint64_t)n < parts * b + d * (uint64_t)n);
    if (b >= (size_t)n) {
        assert_int_equal(cost.c1, 2 * d);
        assert_true((cost.c2 - concat.c2) * (uint64_t)n + d * (uint64_t)n > parts * b);
    }
    if (b % (size_t)n == 0)
        assert_int_equal(cost.c2 - concat.c2, b / (size_t)n * parts);
}

static void scatter_concat_costs_what_is_stated(void **state)
{
    (void)state;
    for (int n = 2; n <= 130; n += n < most_n || most_n > 20 ? 1 : 5) {
        int most_k = most_ports(n) < 40 ? most_ports(n) : 40;
        for (int k = 1; k <= most_k; k += k < 5 || most_n > 20 ? 1 : 7) {
            for (size_t i = 0; i < LENGTHS; i++)
                require_scatter_concat(n, k, lengths[i]);
            require_scatter_concat(n, k, (size_t)(3 * n));
        }
    }
}

static void scatter_concat_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct cost cost;
    } rows[] = {
        {"broadcast:n=8,k=1,b=80,alg=scatter-concat", {6, 140}},
        {"broadcast:n=9,k=2,b=90,alg=scatter-concat", {4, 80}},
        {"broadcast:n=5,k=4,b=50,alg=scatter-concat", {2, 20}},
        /* The parts have 2, 1, 1 and 1 bytes. The scatter sends the parts 2 and 3, then 1 or 3. The
         * concatenation sends 2 bytes, then the parts 0 and 1 or the parts 3 and 0. */
        {"broadcast:n=4,k=1,b=5,alg=scatter-concat", {4, 2 + 1 + 2 + 3}},
        /* A single byte is the root's own part, so the scatter sends nothing. */
        {"broadcast:n=8,k=1,b=1,alg=scatter-concat", {3, 3}},
        {"broadcast:n=1,k=1,b=9,alg=scatter-concat", {0, 0}},
        {"broadcast:n=8,k=1,b=0,alg=scatter-concat", {3, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem p = parse(rows[i].text);
        require(&p, cost_of(&p), rows[i].cost);
    }
}

/* --- The choice of the algorithm --- */

/* Saad and Schultz 1985: if the number of packets may be any real number, the time with the best
 * number is the square of a sum of two square roots. Whole packets and whole bytes may cost little
 * more. */
static void packets_of_the_best_size(void **state)
{
    (void)state;
    static const kp_model models[] = {{29, 0.12, 0}, {64, 0.0064, 0}, {1, 1, 0}};
    for (size_t i = 0; i < 3; i++) {
        const kp_model *model = &models[i];
        kp_problem p = broadcast("circulant", 64, 1, 100000);
        assert_int_equal(kp_tune(&p, model), KP_OK);
        double m = (double)p.values[0], square = 5 * 100000 * model->tau_us / model->beta_us;
        if (square > 4096.0 * 4096.0)
            square = 4096.0 * 4096.0;
        assert_true(m * m > 0.8 * square && m * m < 1.25 * square + 4);
        uint64_t c1, c2;
        p.algorithm->stated_cost(&p, &c1, &c2);
        double whole = kp_model_time(model, 6, 600000);
        assert_true(kp_model_time(model, c1, c2) < whole);
    }
}

/* Each of the broadcast algorithms must be the fastest for some problem. */
static void each_has_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        kp_model model;
        const char *name;
    } rows[] = {
        {"broadcast:n=64,k=1,b=8", {29, 0.12, 0}, "tree"},
        {"broadcast:n=64,k=1,b=1000000", {29, 0.12, 0}, "circulant"},
        {"broadcast:n=64,k=3,b=1000000", {29, 0.12, 0}, "scatter-concat"},
        {"broadcast:n=3,k=1,b=1000000", {29, 0.12, 0}, "pipelined"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem p = parse(rows[i].text);
        assert_int_equal(kp_tune(&p, &rows[i].model), KP_OK);
        assert_string_equal(p.algorithm->name, rows[i].name);
    }
}

static void values_out_of_range(void **state)
{
    (void)state;
    kp_problem p;
    assert_int_equal(kp_problem_parse("broadcast:n=4,k=1,b=3,alg=pipelined,packets=4", &p),
                     KP_EPROBLEM);
    assert_int_equal(kp_problem_parse("broadcast:n=4,k=1,b=0,alg=circulant,packets=2", &p),
                     KP_EPROBLEM);
    assert_int_equal(kp_problem_parse("broadcast:n=4,k=1,b=9999,alg=circulant,packets=4097", &p),
                     KP_EPROBLEM);
    assert_int_equal(kp_problem_parse("broadcast:n=4097,k=1,b=8,alg=pipelined", &p), KP_EUNSERVED);
    assert_int_equal(kp_problem_parse("broadcast:n=4097,k=2,b=8,alg=pipelined", &p), KP_OK);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_by_hand),
        cmocka_unit_test(scatter_concat_by_hand),
        cmocka_unit_test(every_schedule_is_right),
        cmocka_unit_test(packets_cost_what_is_stated),
        cmocka_unit_test(scatter_concat_costs_what_is_stated),
        cmocka_unit_test(no_packet_is_sent_twice),
        cmocka_unit_test(large_circulants),
        cmocka_unit_test(packets_of_the_best_size),
        cmocka_unit_test(each_has_its_place),
        cmocka_unit_test(values_out_of_range),
    };
    int extent = extent_of(count, arguments);
    if (extent > 0) {
        most_n = extent == 1 ? 18 : 24;
        most_root_n = extent == 1 ? 8 : 12;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
