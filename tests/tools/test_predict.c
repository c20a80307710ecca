/* Tests the closed model of `kport predict` (loggp.h). Each expected time is computed here by a
 * formula that follows from the rules on paper: of a ring, a tree, an index in one round, a gather.
 * With the constants of the linear model and a barrier after every round, the model must give C1
 * beta + C2 tau for every algorithm. */
#include "tests/common/schedule_common.h"

#include "tools/kport/predict/loggp.h"

#include <math.h>

/* The networks of the tests: constants of which none is a sum of others. */
#define CONSTANTS    "L=1.7,o=0.31,g=0.11,G=0.0013,startup=0.53"
#define LARGE_GAP    "L=1.7,o=0.31,g=7.9,G=0.0013"
#define NO_GAP       "L=1.7,o=0.31,g=0,G=0.0013"
#define NO_STARTUP   "L=1.7,o=0.31,g=0.11,G=0.0013"
#define ALL_EAGER    "S=1M,L=1.7,o=0.31,g=0.47,G=0.0013"
#define LATENCY      1.7
#define OVERHEAD     0.31
#define BYTE         0.0013
#define STARTUP      0.53
#define LONGEST_TEXT 200

/* What a message of m bytes takes between two processors that are ready, over one link. */
static double message_us(double m)
{
    return 2 * OVERHEAD + LATENCY + (m - 1) * BYTE;
}

static struct network network_of(const char *text, int n)
{
    struct network network;
    assert_int_equal(network_read(text, &network), 0);
    assert_int_equal(network_complete(&network, n), 0);
    return network;
}

static double predict(const char *text, const char *network_text, bool barrier)
{
    kp_problem problem = parse(text);
    struct network network = network_of(network_text, problem.n);
    kp_schedule *schedule = build(&problem);
    double us = -1;
    assert_int_equal(loggp_time(schedule, problem.b, &network, barrier, &us), 0);
    kp_schedule_free(schedule);
    return us;
}

static void require(const char *text, const char *network, double expected)
{
    double us = predict(text, network, false);
    if (fabs(us - expected) > 1e-9 * expected)
        fail_msg("%s on %s: %.12g us, expected %.12g us", text, network, us, expected);
}

/* n - 1 rounds, each of one message; by two ports half as many. */
static void test_ring(void **state)
{
    char text[LONGEST_TEXT];
    (void)state;
    for (int n = 2; n <= 12; n++) {
        snprintf(text, sizeof text, "concat:n=%d,k=1,b=96,alg=ring", n);
        require(text, "flat," CONSTANTS, (n - 1) * (STARTUP + message_us(96)));
        require(text, "ring," CONSTANTS, (n - 1) * (STARTUP + message_us(96)));
        /* A gap above what a message takes holds back every send but the first. */
        require(text, "flat," LARGE_GAP, (n - 2) * (7.9 + 95 * BYTE) + message_us(96));
    }
    require("concat:n=9,k=2,b=1000,alg=ring", "flat," CONSTANTS, 4 * (STARTUP + message_us(1000)));
}

/* As many rounds as the tree has levels; the last leaf waits for all of them. */
static void test_tree(void **state)
{
    char text[LONGEST_TEXT];
    (void)state;
    for (int k = 1; k <= 3; k++) {
        int n = 1;
        for (int rounds = 1; rounds <= 4; rounds++) {
            n *= k + 1;
            snprintf(text, sizeof text, "broadcast:n=%d,k=%d,b=500,alg=tree", n, k);
            require(text, "flat," CONSTANTS, rounds * (STARTUP + message_us(500)));
            require(text, "flat," LARGE_GAP, (rounds - 1) * (7.9 + 499 * BYTE) + message_us(500));
        }
    }
}

/* All ports at the same time, so n - 1 messages take as long as one. */
static void test_index_in_one_round(void **state)
{
    char text[LONGEST_TEXT];
    (void)state;
    for (int n = 2; n <= 9; n++) {
        snprintf(text, sizeof text, "index:n=%d,k=%d,b=77,alg=radix,r=%d", n, n - 1, n);
        require(text, "flat," CONSTANTS, STARTUP + message_us(77));
        require(text, "flat," LARGE_GAP, message_us(77));
    }
}

/* All to one on one port. Messages that wait are taken one by one: their senders have spent o, and
 * begin when the root comes to their round. Messages that do not wait are all there at o + L, and
 * the root's port takes one after the other. */
static void test_gather(void **state)
{
    char text[LONGEST_TEXT];
    (void)state;
    for (int n = 2; n <= 9; n++) {
        snprintf(text, sizeof text, "gather:n=%d,k=1,b=300,alg=direct", n);
        require(text, "flat," NO_STARTUP,
                message_us(300) + (n - 2) * (LATENCY + 299 * BYTE + OVERHEAD));
        require(text, "flat," ALL_EAGER, message_us(300) + (n - 2) * (299 * BYTE + 0.47));
        require(text, "flat,S=300," NO_GAP, message_us(300) + (n - 2) * (299 * BYTE + OVERHEAD));
        require(text, "flat,S=299," NO_GAP,
                message_us(300) + (n - 2) * (LATENCY + 299 * BYTE + OVERHEAD));
        /* One to all: messages that wait for their receiver are sent one after the other has
         * arrived, others one after the other has left. */
        snprintf(text, sizeof text, "scatter:n=%d,k=1,b=300,alg=direct", n);
        require(text, "flat," NO_STARTUP,
                message_us(300) + (n - 2) * (OVERHEAD + LATENCY + 299 * BYTE));
        require(text, "flat," ALL_EAGER, message_us(300) + (n - 2) * (299 * BYTE + 0.47));
    }
}

/* Round i of an index by radix 2 on a ring goes 2^i links far, and moves half of the blocks. */
static void test_links(void **state)
{
    double expected = 0;
    (void)state;
    for (int distance = 1; distance <= 8; distance *= 2)
        expected += message_us(8 * 10) + (distance - 1) * LATENCY;
    require("index:n=16,k=1,b=10,alg=radix,r=2", "ring," NO_STARTUP, expected);
}

/* With startup = beta, L = G = tau, o = g = 0 and a barrier a round takes beta + m tau, where m is
 * its longest message, whether messages wait for their receivers or not. */
static void test_linear(void **state)
{
    static const struct {
        int n, k;
    } machines[] = {{8, 1}, {8, 2}, {8, 7}, {9, 2}, {16, 4}, {5, 4}};
    const kp_algorithm *algorithm;
    struct network network = network_of("flat,L=0.25,o=0,g=0,G=0.25,startup=3", 16);
    int tried = 0, most = 0;
    (void)state;
    for (int i = 0; (algorithm = kp_algorithm_at(i)); i++) {
        bool served = false;
        for (size_t j = 0; j < sizeof machines / sizeof machines[0]; j++) {
            kp_problem problem = {.operation = algorithm->operation,
                                  .n = machines[j].n,
                                  .k = machines[j].k,
                                  .b = kp_block_bytes(algorithm->operation, 720),
                                  .algorithm = algorithm,
                                  .per_process = algorithm->stated_between ? 2 : 0,
                                  .target = machines[j].n - 1};
            double us;
            if (problem.per_process && problem.n % 2)
                continue;
            if (problem.operation != KP_ONE_TO_ONE)
                problem.target = 0;
            if (kp_tune(&problem, NULL))
                continue;
            kp_schedule *schedule = build(&problem);
            kp_cost cost = kp_schedule_cost(schedule, problem.b);
            /* A message of no bytes takes as long as one of a byte: L and G are equal. */
            const size_t bytes = problem.b > 0 ? cost.c2 : cost.c1;
            double expected = 3 * (double)cost.c1 + 0.25 * (double)bytes;
            for (int eager = 0; eager < 2; eager++) {
                network.eager_bytes = eager ? 1 << 20 : 0;
                assert_int_equal(loggp_time(schedule, problem.b, &network, true, &us), 0);
                if (fabs(us - expected) > 1e-9 * expected)
                    fail_msg("%s: %g us, C1 beta + C2 tau is %g us", text_of(&problem), us,
                             expected);
            }
            kp_schedule_free(schedule);
            served = true;
        }
        most++;
        tried += served;
    }
    assert_int_equal(tried, most);
}

/* The distance on an architecture is that of the shortest way over its links, found step by step.
 */
static void test_distances(void **state)
{
    static const struct {
        const char *text;
        int n;
    } networks[] = {
        {"ring", 7}, {"ring", 8}, {"torus", 12}, {"torus,rows=2", 10}, {"hypercube", 16}};
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        int n = networks[i].n, ways[16];
        struct network network = network_of(networks[i].text, n);
        for (int from = 0; from < n; from++) {
            for (int to = 0; to < n; to++)
                ways[to] = to == from ? 0 : n;
            for (int step = 0; step < n; step++) {
                for (int a = 0; a < n; a++) {
                    for (int b = 0; b < n; b++) {
                        if (kp_topology_linked(&network.topology, n, a, b) && ways[a] + 1 < ways[b])
                            ways[b] = ways[a] + 1;
                    }
                }
            }
            for (int to = 0; to < n; to++) {
                if (to != from)
                    assert_int_equal(network_distance(&network, from, to), ways[to]);
            }
        }
    }
    /* Four hosts at a leaf; three groups of three routers with two nodes each, where router j of
     * group i has the link to group j. */
    struct network tree = network_of("fat-tree,hosts=4,cores=2", 16);
    assert_int_equal(network_distance(&tree, 0, 3), 2);
    assert_int_equal(network_distance(&tree, 3, 4), 4);
    struct network dragonfly = network_of("dragonfly,groups=3,routers=3,nodes=2", 18);
    assert_int_equal(network_distance(&dragonfly, 0, 1), 2);
    assert_int_equal(network_distance(&dragonfly, 0, 2), 3);
    assert_int_equal(network_distance(&dragonfly, 2, 6), 3);
    assert_int_equal(network_distance(&dragonfly, 0, 6), 4);
    assert_int_equal(network_distance(&dragonfly, 0, 8), 5);
}

/* Of the linear model that goes with a network. On a ring of 5 the others are 1, 1, 2, 2 links
 * away. */
static void test_model(void **state)
{
    (void)state;
    struct network ring = network_of("ring," CONSTANTS, 5);
    kp_model model = network_model(&ring);
    assert_true(fabs(model.beta_us - (STARTUP + 2 * OVERHEAD + 1.5 * LATENCY)) < 1e-9);
    assert_true(fabs(model.tau_us - BYTE) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),   cmocka_unit_test(test_tree),
        cmocka_unit_test(test_gather), cmocka_unit_test(test_index_in_one_round),
        cmocka_unit_test(test_links),  cmocka_unit_test(test_linear),
        cmocka_unit_test(test_model),  cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
