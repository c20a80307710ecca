/* Tests one to one. The checker checks every root and target. The counted cost must equal the
 * stated cost, and a cost that this test finds by trying. The test reads the paths of the packets
 * from the schedule, byte by byte: their links, their lengths, and where they meet. */
#include "tests/common/schedule_common.h"

#include <stdbool.h>

#define MOST 1024 /* the most processors */

static int extent;

struct cost {
    uint64_t c1, c2;
};

static kp_problem one_to_one(const char *name, int n, int k, size_t b, int root, int target)
{
    kp_problem p = {.operation = KP_ONE_TO_ONE, .n = n, .k = k, .b = b};
    p.algorithm = kp_algorithm_find(KP_ONE_TO_ONE, name);
    p.root = root;
    p.target = target;
    assert_non_null(p.algorithm);
    return p;
}

static bool served(const kp_problem *p)
{
    return !p->algorithm->serves || !p->algorithm->serves(p);
}

static void require(const kp_problem *p, struct cost cost, struct cost expected)
{
    if (cost.c1 != expected.c1 || cost.c2 != expected.c2)
        fail_msg("%s: costs (%llu, %llu), expected (%llu, %llu)", text_of(p),
                 (unsigned long long)cost.c1, (unsigned long long)cost.c2,
                 (unsigned long long)expected.c1, (unsigned long long)expected.c2);
}

/* Returns the cost that is counted on the schedule, and asserts that it is the stated cost. */
static struct cost compare_cost(const kp_problem *p, const kp_schedule *schedule)
{
    kp_cost counted = kp_schedule_cost(schedule, p->b);
    struct cost stated, found = {counted.c1, counted.c2};
    const kp_problem *exact = kp_schedule_problem(schedule);
    exact->algorithm->stated_cost(exact, &stated.c1, &stated.c2);
    require(p, stated, found);
    return found;
}

static void check(const kp_problem *p)
{
    kp_error_record error;
    kp_schedule *schedule = build(p);
    if (kp_schedule_check(schedule, &error) != KP_OK)
        fail_msg("%s: %s", text_of(p), error.sentence);
    compare_cost(p, schedule);
    kp_schedule_free(schedule);
}

/* --- Every schedule --- */

static long check_packets(kp_problem p)
{
    static const long some[] = {1, 2, 3, 4, 5, 7, 11, 16, 40};
    long high = p.algorithm->parameters[0].name ? p.algorithm->parameters[0].high(&p) : 0,
         tried = 0;
    for (size_t i = 0; i < sizeof some / sizeof some[0] && some[i] <= high; i++, tried++) {
        p.values[0] = some[i];
        check(&p);
    }
    if (high == 0)
        check(&p);
    return tried + (high == 0);
}

static const char *const names[] = {"direct", "hypercube-path", "hypercube-paths", "torus", "ring"};
#define NAMES (sizeof names / sizeof names[0])

static void every_root_and_target(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 7, 40};
    static const int strides[] = {5, 3, 1};
    long checked = 0;
    for (size_t i = 0; i < NAMES; i++) {
        for (int n = 1; n <= 12 + 4 * extent; n++) {
            for (int k = 1; k <= most_ports(n) && k <= 5; k++) {
                for (int pair = 0; pair < n * n; pair += n < 6 ? 1 : strides[extent]) {
                    kp_problem p =
                        one_to_one(names[i], n, k, lengths[pair % 4], pair / n, pair % n);
                    checked += served(&p) ? check_packets(p) : 0;
                }
            }
        }
    }
    assert_true(checked > 3000);
}

/* Compares stated and counted costs for n up to 130, and for hypercubes of up to 10 dimensions. */
static void costs_are_stated(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        for (int n = 1; n <= 1024; n = n < 130 ? n + 1 : n < 256 ? 256 : n * 2) {
            for (int k = 1; k <= most_ports(n) && k <= 40; k = k < 4 ? k + 1 : k * 3) {
                kp_problem p = one_to_one(names[i], n, k, 61, n / 3, (n / 3 + n / 2 + k) % n);
                if (!served(&p))
                    continue;
                p.values[0] = p.algorithm->parameters[0].name ? (n == 1 ? 1 : 1 + (n + k) % 23) : 0;
                kp_schedule *schedule = build(&p);
                compare_cost(&p, schedule);
                kp_schedule_free(schedule);
            }
        }
    }
}

/* --- The paths of a schedule. All packets that leave the root on the same link follow the same
 * path --- */

struct paths {
    int count;
    int length[20];
    int next[20][MOST]; /* the processor that follows on the path; -1: none */
};

/* Follows every packet of a schedule. Packets that leave the root on the same link must take the
 * same path. */
static void read_paths(const kp_problem *p, const kp_schedule *schedule, struct paths *paths)
{
    int first_of[MOST];
    memset(paths, 0, sizeof *paths);
    memset(paths->next, -1, sizeof paths->next);
    memset(first_of, -1, sizeof first_of);
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        for (int i = 0; i < kp_schedule_sends(schedule, p->root, round); i++) {
            kp_message sent = kp_schedule_send(schedule, p->root, round, i);
            if (first_of[sent.peer] < 0)
                first_of[sent.peer] = paths->count++;
        }
        for (int rank = 0; rank < p->n; rank++) {
            for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
                kp_message sent = kp_schedule_send(schedule, rank, round, i);
                int *next = &paths->next[sent.port][rank];
                assert_true(*next < 0 || *next == sent.peer);
                *next = sent.peer;
            }
        }
    }
}

static void measure_paths(const kp_problem *p, struct paths *paths)
{
    for (int path = 0; path < paths->count; path++) {
        int at = p->root;
        while (at != p->target && paths->length[path] <= p->n) {
            at = paths->next[path][at];
            assert_true(at >= 0);
            paths->length[path]++;
        }
        assert_true(paths->length[path] <= p->n);
    }
}

/* Returns the paths of a problem with so many packets that every path carries some. */
static struct paths paths_of(kp_problem p)
{
    struct paths paths;
    p.b = 4096;
    p.values[0] = 300 < p.algorithm->parameters[0].high(&p) ? 300 : 100;
    kp_schedule *schedule = build(&p);
    read_paths(&p, schedule, &paths);
    measure_paths(&p, &paths);
    kp_schedule_free(schedule);
    return paths;
}

/* Asserts that no two paths use the same link, in either direction. */
static void require_disjoint_links(const kp_problem *p, const struct paths *paths)
{
    static char used[MOST][MOST];
    memset(used, 0, sizeof used);
    for (int path = 0; path < paths->count; path++) {
        for (int at = p->root; at != p->target; at = paths->next[path][at]) {
            int to = paths->next[path][at];
            if (used[at][to]++ || used[to][at]++)
                fail_msg("%s: two paths use the link %d-%d", text_of(p), at, to);
        }
    }
}

static void require_disjoint_nodes(const kp_problem *p, const struct paths *paths)
{
    char met[MOST] = {0};
    for (int path = 0; path < paths->count; path++) {
        for (int at = paths->next[path][p->root]; at != p->target; at = paths->next[path][at]) {
            if (met[at]++)
                fail_msg("%s: two paths meet at %d", text_of(p), at);
        }
    }
}

static int bits_of(int label)
{
    int bits = 0;
    for (; label; label >>= 1)
        bits += label & 1;
    return bits;
}

static void hypercube_paths_meet_nowhere(void **state)
{
    (void)state;
    for (int d = 1; d <= (extent ? 7 : 6); d++) {
        int n = 1 << d;
        for (int pair = 0; pair < n * n; pair += d < 5 ? 1 : 37) {
            kp_problem p = one_to_one("hypercube-paths", n, most_ports(n), 1, pair / n, pair % n);
            int i = bits_of(p.root ^ p.target), short_ones = 0;
            if (i == 0)
                continue;
            struct paths paths = paths_of(p);
            assert_int_equal(paths.count, d);
            require_disjoint_nodes(&p, &paths);
            for (int path = 0; path < d; path++) {
                short_ones += paths.length[path] == i;
                assert_true(paths.length[path] == i || paths.length[path] == i + 2);
                for (int at = p.root; at != p.target; at = paths.next[path][at])
                    assert_int_equal(bits_of(at ^ paths.next[path][at]), 1);
            }
            assert_int_equal(short_ones, i);
        }
    }
}

/* --- The torus --- */

static int apart(int a, int b, int side)
{
    int steps = (a - b + side) % side;
    return steps < side - steps ? steps : side - steps;
}

/* Returns the number of rows of the torus: the largest divisor of n up to the square root of n. */
static int rows_of(int n)
{
    int rows = 1;
    for (int i = 1; i * i <= n; i++)
        rows = n % i == 0 ? i : rows;
    return rows;
}

static int between(int n, int a, int b)
{
    int columns = n / rows_of(n);
    return apart(a / columns, b / columns, rows_of(n)) + apart(a % columns, b % columns, columns);
}

/* Returns the length of the longest path that Proposition 3.1 allows. With 3 rows only three links
 * lead from a column to the next column, so one of the four paths must go around the torus in the
 * opposite direction. */
static int longest_allowed(const kp_problem *p)
{
    int rows = rows_of(p->n), columns = p->n / rows, distance = between(p->n, p->root, p->target);
    int dy = apart(p->root / columns, p->target / columns, rows);
    int dx = apart(p->root % columns, p->target % columns, columns);
    int most = dx > 0 && dy > 0 ? distance + 2 : distance == 1 ? 7 : distance + 4;
    int around = (rows == 3 && dx > 0) ? columns - dx + dy : 0;
    return around > most ? around : most;
}

static void torus_paths_share_no_link(void **state)
{
    (void)state;
    static const int sizes[] = {9, 12, 15, 16, 20, 21, 24, 25, 28, 30, 36, 42, 49, 64, 77, 121};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int n = sizes[s], stride = extent == 2 || n <= 16 ? 1 : n <= 36 ? 5 - 4 * extent : 13;
        for (int pair = 0; pair < n * n; pair += stride) {
            kp_problem p = one_to_one("torus", n, most_ports(n), 1, pair / n, pair % n);
            if (p.root == p.target)
                continue;
            struct paths paths = paths_of(p);
            int longest = 0, shortest = n;
            assert_int_equal(paths.count, 4);
            require_disjoint_links(&p, &paths);
            for (int path = 0; path < 4; path++) {
                longest = paths.length[path] > longest ? paths.length[path] : longest;
                shortest = paths.length[path] < shortest ? paths.length[path] : shortest;
                for (int at = p.root; at != p.target; at = paths.next[path][at])
                    assert_int_equal(between(n, at, paths.next[path][at]), 1);
            }
            if (longest > longest_allowed(&p))
                fail_msg("%s: a path of %d links, at most %d are wanted", text_of(&p), longest,
                         longest_allowed(&p));
            assert_true(shortest <= between(n, p.root, p.target) + 4);
        }
    }
}

/* On this torus of 11 rows and 11 columns a path around the torus has more than 7 links. So the
 * four paths between neighbours have 1, 3, 5 and 7 links. */
static void torus_neighbours(void **state)
{
    (void)state;
    kp_problem p = one_to_one("torus", 121, 4, 1, 60, 61);
    struct paths paths = paths_of(p);
    for (int path = 0; path < 4; path++)
        assert_int_equal(paths.length[path], 1 + 2 * path);
}

/* --- Packets: no other division among the paths may be faster --- */

/* Returns the rounds that m packets need if each takes the path on which it arrives first. */
static uint64_t least_rounds(const struct paths *paths, long m)
{
    int busy[20] = {0};
    uint64_t last = 0;
    for (long packet = 0; packet < m; packet++) {
        int best = 0;
        for (int path = 1; path < paths->count; path++)
            best =
                busy[path] + paths->length[path] < busy[best] + paths->length[best] ? path : best;
        uint64_t arrival = (uint64_t)(busy[best]++ + paths->length[best]);
        last = arrival > last ? arrival : last;
    }
    return last;
}

static void packets_arrive_as_soon_as_they_can(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int n, k;
    } rows[] = {{"ring", 9, 2},
                {"ring", 10, 1},
                {"torus", 121, 4},
                {"torus", 36, 4},
                {"torus", 21, 4},
                {"hypercube-paths", 32, 5},
                {"hypercube-paths", 32, 3},
                {"hypercube-path", 32, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int target = 1; target<rows[i].n; target += rows[i].n> 40 ? 7 : 1) {
            kp_problem p = one_to_one(rows[i].name, rows[i].n, rows[i].k, 50, 0, target);
            struct paths paths = paths_of(p);
            for (p.values[0] = 1; p.values[0] <= 50; p.values[0] += 7) {
                kp_schedule *schedule = build(&p);
                struct cost cost = compare_cost(&p, schedule);
                assert_int_equal(cost.c1, least_rounds(&paths, p.values[0]));
                assert_true(cost.c2 >= cost.c1 * (50 / (uint64_t)p.values[0]));
                kp_schedule_free(schedule);
            }
        }
    }
}

static void by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct cost cost;
    } rows[] = {
        {"one-to-one:n=5,k=1,b=9,alg=direct", {1, 9}},
        {"one-to-one:n=5,k=1,b=9,root=3,to=3,alg=direct", {0, 0}},
        {"one-to-one:n=8,k=2,b=9,to=4,alg=ring,packets=1", {4, 36}},
        /* Two paths of four links carry three packets each. */
        {"one-to-one:n=8,k=2,b=60,to=4,alg=ring,packets=6", {6, 60}},
        {"one-to-one:n=8,k=1,b=60,to=4,alg=ring,packets=6", {9, 90}},
        /* One path has one link, the other seven. All packets but one take the short path, in seven
         * rounds. */
        {"one-to-one:n=8,k=2,b=80,alg=ring,packets=8", {7, 70}},
        {"one-to-one:n=8,k=1,b=12,to=7,alg=hypercube-path,packets=4", {6, 18}},
        {"one-to-one:n=8,k=3,b=12,to=7,alg=hypercube-paths,packets=6", {4, 8}},
        {"one-to-one:n=8,k=3,b=12,root=1,to=0,alg=hypercube-paths,packets=3", {3, 12}},
        /* The last packet has one byte more, and leaves in the third round. */
        {"one-to-one:n=8,k=1,b=13,to=7,alg=hypercube-path,packets=3", {5, 23}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem p = parse(rows[i].text);
        kp_schedule *schedule = build(&p);
        require(&p, compare_cost(&p, schedule), rows[i].cost);
        kp_schedule_free(schedule);
    }
}

/* --- Problem strings --- */

static void strings(void **state)
{
    (void)state;
    char text[160];
    kp_problem p = parse("one-to-one:n=8,k=1,b=4");
    assert_int_equal(p.target, 7);
    kp_problem_format(&p, text, sizeof text);
    assert_string_equal(text, "one-to-one:n=8,k=1,b=4,to=7");
    p = parse("one-to-one:n=8,k=1,b=4,root=7,to=0");
    kp_problem_format(&p, text, sizeof text);
    assert_string_equal(text, "one-to-one:n=8,k=1,b=4,root=7,to=0");
    static const char *const refused[][2] = {
        {"one-to-one:n=8,k=1,b=4,to=8", "to is '8'; with n=8 it may be a number 0 ... 7"},
        {"one-to-one:n=8,k=1,b=4,in_place=1", "in_place is 1; with one-to-one it may be 0"},
        {"broadcast:n=8,k=1,b=4,to=1", "to is given, but broadcast has no target"},
        {"one-to-one:n=6,k=1,b=4,alg=torus", "at least 3"},
        {"one-to-one:n=6,k=1,b=4,alg=hypercube-path", "power of 2"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_not_equal(kp_problem_parse(refused[i][0], &p), KP_OK);
        assert_non_null(strstr(kp_last_error()->sentence, refused[i][1]));
    }
    p = (kp_problem){.operation = KP_INDEX, .n = 4, .k = 1, .b = 1, .target = 2};
    assert_int_equal(kp_tune(&p, NULL), KP_EPROBLEM);
    assert_non_null(strstr(kp_last_error()->sentence, "to is 2; with index"));
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_root_and_target),
        cmocka_unit_test(costs_are_stated),
        cmocka_unit_test(hypercube_paths_meet_nowhere),
        cmocka_unit_test(torus_paths_share_no_link),
        cmocka_unit_test(torus_neighbours),
        cmocka_unit_test(packets_arrive_as_soon_as_they_can),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(strings),
    };
    extent = extent_of(count, arguments);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
