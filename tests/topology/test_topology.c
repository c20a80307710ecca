/* Tests the architectures: their links, their rules and the costs of schedules there. Each rule
 * must refuse exactly the schedules that violate it, with a sentence. */
#include "tests/common/schedule_common.h"

#include <kport/topology.h>

#include "lib/problem/problem.h"

#include <stdbool.h>

#define MOST_PLANTED 6

/* --- Links --- */

static bool linked_on_ring(int n, int a, int b)
{
    return a != b && ((a + 1) % n == b || (b + 1) % n == a);
}

/* Returns the smaller one of the two factors of n that are closest to each other. */
static int rows_of(int n)
{
    int rows = n;
    for (int i = 1; i <= n; i++) {
        if (n % i == 0 && i <= n / i)
            rows = i;
    }
    return rows;
}

static bool linked_on_torus(int n, int a, int b)
{
    int rows = rows_of(n), columns = n / rows;
    int ar = a / columns, ac = a % columns, br = b / columns, bc = b % columns;
    return (ar == br && linked_on_ring(columns, ac, bc)) ||
           (ac == bc && linked_on_ring(rows, ar, br));
}

static bool linked_on_hypercube(int n, int a, int b)
{
    for (int bit = 1; bit < n; bit *= 2) {
        if ((a ^ b) == bit)
            return true;
    }
    return false;
}

static bool linked_to_all(int n, int a, int b)
{
    (void)n;
    return a != b;
}

static void links(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool (*linked)(int n, int a, int b);
    } rows[] = {{"bus", linked_to_all},     {"shared-memory", linked_to_all},
                {"ring", linked_on_ring},   {"torus", linked_on_torus},
                {"switch", linked_to_all},  {"hypercube", linked_on_hypercube},
                {"optical", linked_to_all}, {"butterfly", linked_to_all}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const kp_topology *t = kp_topology_find(rows[i].name);
        assert_non_null(t);
        for (int n = 1; n <= 66; n++) {
            if (t->serves && t->serves(t, n)) {
                bool powers =
                    rows[i].linked == linked_on_hypercube || strcmp(t->name, "butterfly") == 0;
                assert_true(powers && (n & (n - 1)) != 0);
                continue;
            }
            for (int a = -1; a <= n; a++) {
                for (int b = -1; b <= n; b++) {
                    bool there = a >= 0 && b >= 0 && a < n && b < n;
                    if (kp_topology_linked(t, n, a, b) != (there && rows[i].linked(n, a, b)))
                        fail_msg("%s, n=%d: %d-%d", t->name, n, a, b);
                }
            }
        }
    }
    int count = 0;
    while (kp_topology_at(count))
        count++;
    assert_int_equal(count, sizeof rows / sizeof rows[0]);
    assert_null(kp_topology_at(-1));
    assert_null(kp_topology_find("rings"));
}

/* --- Added messages: a concatenation that is right on the architecture, then one more round in
 * which some processors send blocks into scratch --- */

static struct plant {
    const char *base;
    long value;     /* the value of the parameter of `base` */
    bool different; /* whether the added messages are different blocks */
    int count;
    int from[MOST_PLANTED], to[MOST_PLANTED];
} plant;

static int build_planted(kp_builder *b, const kp_problem *p)
{
    kp_problem base = *p;
    base.values[0] = plant.value;
    base.algorithm = kp_algorithm_find(KP_CONCAT, plant.base);
    base.k = 1; /* with one port the algorithm sends in one direction only */
    if (base.algorithm->serves && base.algorithm->serves(&base))
        base.k = p->k;
    int status = base.algorithm->build(b, &base), sends = 0, receives = 0;
    kp_build_round(b);
    for (int i = 0; i < plant.count; i++) {
        kp_piece block = kp_run_of(KP_IN, plant.different ? i : 0, 1);
        if (plant.from[i] == p->rank) {
            kp_build_send(b, sends++, plant.to[i]);
            kp_build_piece(b, block);
        }
        if (plant.to[i] == p->rank) {
            kp_build_scratch(b, MOST_PLANTED);
            kp_build_receive(b, receives++, plant.from[i]);
            kp_build_piece(b, kp_run_of(KP_SCRATCH, i, 1));
        }
    }
    return status;
}

static const kp_algorithm planted = {
    .operation = KP_CONCAT, .name = "planted", .build = build_planted};

static kp_schedule *build_plain(const kp_algorithm *algorithm, int n)
{
    kp_schedule *schedule = NULL;
    kp_problem p = {.operation = algorithm->operation, .n = n, .k = most_ports(n), .b = 3};
    static kp_algorithm with_cost;
    with_cost = *algorithm;
    with_cost.stated_cost = kp_algorithm_find(KP_CONCAT, "ring")->stated_cost;
    p.algorithm = &with_cost;
    assert_int_equal(kp_schedule_build(&p, &schedule), KP_OK);
    return schedule;
}

/* Builds a schedule that is right without an architecture. The architecture `on` must refuse the
 * schedule with `sentence`, or accept it if `sentence` is NULL. */
static void try_planted(const char *on, int n, const struct plant *what, const char *sentence)
{
    kp_topology topology;
    kp_error_record error;
    plant = *what;
    assert_int_equal(kp_topology_parse(on, &topology), KP_OK);
    kp_schedule *schedule = build_plain(&planted, n);
    if (kp_schedule_check_on(schedule, NULL, &error) != KP_OK)
        fail_msg("%s: %s", on, error.sentence);
    int status = kp_schedule_check_on(schedule, &topology, &error);
    if (!sentence && status)
        fail_msg("%s: %s", on, error.sentence);
    if (sentence && (status != KP_ESCHEDULE || !strstr(error.sentence, sentence)))
        fail_msg("%s: %s", on, status ? error.sentence : "not refused");
    if (sentence) {
        int last = kp_schedule_rounds(schedule) - 1;
        assert_int_equal(error.round, last);
        assert_true(error.processor >= 0 && error.processor < n);
        assert_true(error.peer >= 0 && error.peer < n);
        char begins[64];
        snprintf(begins, sizeof begins, "round %d: processor %d ", last, error.processor);
        assert_ptr_equal(strstr(error.sentence, begins), error.sentence);
    }
    kp_schedule_free(schedule);
}

static const struct {
    const char *on;
    int n;
    const char *sentence; /* NULL: allowed */
    struct plant plant;
} link_rules[] = {
    {"ring", 6, NULL, {"ring", 0, true, 1, {0}, {1}}},
    {"ring",
     6,
     "sends to 2 on port 0, but on a ring of 6 processors there is no link 0-2",
     {"ring", 0, true, 1, {0}, {2}}},
    {"ring", 6, NULL, {"ring", 0, true, 2, {0, 0}, {1, 5}}},
    {"ring", 6, NULL, {"ring", 0, true, 2, {1, 5}, {0, 0}}},
    {"ring", 6, NULL, {"ring", 0, true, 2, {5, 0}, {0, 1}}},
    {"ring",
     6,
     "the link 0-1 carries one direction at a time",
     {"ring", 0, true, 2, {0, 1}, {1, 0}}},
    {"ring",
     6,
     "the link 0-5 carries one direction at a time",
     {"ring", 0, true, 3, {0, 0, 5}, {1, 5, 0}}},
    {"ring", 2, NULL, {"ring", 0, true, 2, {0, 1}, {1, 0}}},
    {"torus", 16, NULL, {"torus", 0, true, 4, {5, 5, 5, 5}, {4, 6, 1, 9}}},
    {"torus", 16, NULL, {"torus", 0, true, 4, {4, 6, 1, 5}, {5, 5, 5, 9}}},
    {"torus", 16, NULL, {"torus", 0, true, 2, {0, 15}, {12, 12}}},
    {"torus", 16, "no link 0-5", {"torus", 0, true, 1, {0}, {5}}},
    {"torus", 16, "no link 3-4", {"torus", 0, true, 1, {3}, {4}}},
    {"torus", 16, "the link 5-6 carries one direction", {"torus", 0, true, 2, {5, 6}, {6, 5}}},
    {"torus,rows=1", 6, "no link 0-3", {"ring", 0, true, 1, {0}, {3}}},
    {"torus,rows=6", 6, NULL, {"ring", 0, true, 1, {5}, {0}}},
    {"hypercube", 8, NULL, {"gray-ring", 0, true, 3, {0, 0, 4}, {1, 2, 0}}},
    {"hypercube", 8, "no link 0-3", {"gray-ring", 0, true, 1, {0}, {3}}},
    {"hypercube",
     8,
     "the link 0-4 carries one direction",
     {"gray-ring", 0, true, 2, {0, 4}, {4, 0}}},
    {"switch", 6, NULL, {"ring", 0, true, 4, {0, 1, 2, 5}, {1, 0, 5, 2}}},
    {"switch",
     6,
     "sends to 1 and to 2, but its link to the switch carries one message out",
     {"ring", 0, true, 2, {0, 0}, {1, 2}}},
    {"switch",
     6,
     "receives from 1 and from 2, but its link from the switch carries one message in",
     {"ring", 0, true, 2, {1, 2}, {0, 0}}},
    {"optical", 6, NULL, {"ring", 0, true, 4, {0, 1, 2, 5}, {1, 0, 5, 2}}},
    {"optical",
     6,
     "sends to 1 and to 2, but it has one beam",
     {"ring", 0, true, 2, {0, 0}, {1, 2}}},
    {"optical",
     6,
     "is sent to by 1 and by 2, and neither message arrives",
     {"ring", 0, true, 2, {1, 2}, {0, 0}}},
    {"butterfly", 8, NULL, {"recursive-doubling", 0, true, 2, {0, 1}, {1, 0}}},
    {"butterfly", 8, NULL, {"recursive-doubling", 0, true, 3, {0, 0, 1}, {1, 6, 3}}},
    {"butterfly",
     8,
     "sends to 5 through the edge of level 1 from row 1 to row 1, which the path of processor "
     "0",
     {"recursive-doubling", 0, true, 2, {0, 1}, {1, 5}}},
    {"butterfly",
     8,
     "through the edge of level 0 from row 0 to row 0",
     {"recursive-doubling", 0, true, 2, {0, 0}, {2, 4}}},
    {"butterfly",
     8,
     "sends to 7 through the edge of level 2 from row 3 to row 7, which the path of processor "
     "0",
     {"recursive-doubling", 0, true, 2, {0, 2}, {7, 7}}},
    {"bus", 6, NULL, {"in-turn", 0, false, 3, {2, 2, 2}, {0, 1, 5}}},
    {"bus",
     6,
     "sends 2 different messages, the second to 1, but its link to the bus",
     {"in-turn", 0, true, 2, {2, 2}, {0, 1}}},
    {"bus",
     6,
     "transfer 2 of the round, but the bus carries at most 1 at once",
     {"in-turn", 0, true, 2, {2, 3}, {0, 1}}},
    {"bus,at_once=2", 6, NULL, {"in-turn", 0, true, 2, {2, 3}, {0, 1}}},
    {"bus,at_once=2",
     6,
     "transfer 3 of the round, but the bus carries at most 2",
     {"in-turn", 0, true, 3, {2, 3, 4}, {0, 1, 5}}},
    {"bus,at_once=2",
     6,
     "receives from 2 and from 3, but its link to the bus",
     {"in-turn", 0, true, 2, {2, 3}, {0, 0}}},
    {"shared-memory",
     6,
     "sends to 1 what it has not written to the memory",
     {"shared-memory", 1, true, 1, {0}, {1}}},
};

static void links_and_port_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof link_rules / sizeof link_rules[0]; i++)
        try_planted(link_rules[i].on, link_rules[i].n, &link_rules[i].plant,
                    link_rules[i].sentence);
}

/* --- Faults with a shared memory: rounds with a fault, and then a right concatenation --- */

static enum fault {
    NONE,
    TOO_MANY_READ,
    TOO_MANY_WRITE,
    INTO_MEMORY,
    READ_AND_WRITE,
    BEFORE_THE_FIRST,
    WITHIN_MEMORY,
    FAULTS
} fault;

static const char *const memory_sentences[FAULTS] = {
    [TOO_MANY_READ] =
        "reads from the memory, access 2 of the round over a link to it, but it serves "
        "at most 1 at once",
    [TOO_MANY_WRITE] = "writes to the memory, access 2 of the round",
    [INTO_MEMORY] = "receives from 0 into scratch, which is the memory",
    [READ_AND_WRITE] = "writes to the memory and reads from it",
    [BEFORE_THE_FIRST] = "writes to the memory before the first round",
    [WITHIN_MEMORY] = "copies within the memory",
};

static void move_to_memory(kp_builder *b)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_SCRATCH, 0, 1));
}

static void build_reader(kp_builder *b, const kp_problem *p)
{
    bool reads = p->rank == 1 || (fault == TOO_MANY_READ && p->rank == 2);
    if (reads) {
        kp_build_receive(b, 0, 0);
        kp_build_piece(
            b, kp_run_of(fault == INTO_MEMORY ? KP_SCRATCH : KP_IN, fault == INTO_MEMORY, 1));
        if (fault == READ_AND_WRITE)
            move_to_memory(b);
    }
    for (int peer = 1; p->rank == 0 && peer <= 1 + (fault == TOO_MANY_READ); peer++) {
        kp_build_send(b, peer - 1, peer);
        kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, 1));
    }
    if (fault == WITHIN_MEMORY && p->rank == 0)
        kp_build_move(b, kp_run_of(KP_SCRATCH, 0, 1), kp_run_of(KP_SCRATCH, 1, 1));
}

/* Processor 0's block goes to processor 1 through the memory. Then a right algorithm makes the
 * whole concatenation, so only the first rounds can be wrong. */
static int build_memory(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, 2);
    if (fault == BEFORE_THE_FIRST && p->rank == 2)
        move_to_memory(b);
    kp_build_round(b);
    if (p->rank == 0 || (fault == TOO_MANY_WRITE && p->rank == 3))
        move_to_memory(b);
    kp_build_round(b);
    build_reader(b, p);
    kp_problem base = *p;
    base.values[0] = 1;
    return kp_algorithm_find(KP_CONCAT, "shared-memory")->build(b, &base);
}

static const kp_algorithm memory = {
    .operation = KP_CONCAT, .name = "memory", .build = build_memory};

static void memory_faults(void **state)
{
    (void)state;
    const kp_topology *t = kp_topology_find("shared-memory");
    for (int i = 0; i < FAULTS; i++) {
        kp_error_record error;
        fault = (enum fault)i;
        kp_schedule *schedule = build_plain(&memory, 4);
        if (kp_schedule_check(schedule, &error) != KP_OK)
            fail_msg("fault %d: %s", i, error.sentence);
        int status = kp_schedule_check_on(schedule, t, &error);
        if (fault == NONE && status)
            fail_msg("no fault: %s", error.sentence);
        if (fault != NONE &&
            (status != KP_ESCHEDULE || !strstr(error.sentence, memory_sentences[i])))
            fail_msg("fault %d: %s", i, status ? error.sentence : "not refused");
        kp_schedule_free(schedule);
    }
}

/* --- Schedules of the library, and their costs --- */

struct right {
    const char *problem, *on;
    uint64_t startups, words;
};

static const struct right all_right[] = {
    {"one-to-one:n=6,k=1,b=10,alg=direct", "bus", 1, 10},
    {"broadcast:n=6,k=5,b=10,alg=tree", "bus", 1, 10},
    {"concat:n=6,k=5,b=10,alg=in-turn", "bus", 6, 60},
    {"scatter:n=6,k=1,b=10,alg=direct", "bus", 5, 50},
    {"index:n=6,k=5,b=10,alg=in-turn", "bus", 6, 300},
    /* The block is written once, and read three times by at most two processors. */
    {"broadcast:n=6,k=5,b=10,alg=shared-memory,at_once=2", "shared-memory,at_once=2", 4, 40},
    {"one-to-one:n=6,k=1,b=10,alg=shared-memory", "shared-memory", 2, 20},
    /* Five blocks are written at once. Then at most two are read at a time. */
    {"scatter:n=6,k=5,b=10,alg=shared-memory,at_once=2", "shared-memory,at_once=2", 4, 80},
    {"concat:n=6,k=5,b=10,alg=shared-memory,at_once=4", "shared-memory,at_once=4", 4,
     2 * 10 + 2 * 50},
    {"index:n=6,k=5,b=10,alg=shared-memory,at_once=6", "shared-memory,at_once=6", 2, 100},
    {"one-to-one:n=8,k=2,b=60,to=4,alg=ring,packets=6", "ring", 6, 60},
    {"broadcast:n=7,k=2,b=60,alg=ring,packets=6", "ring", 8, 80},
    {"concat:n=7,k=1,b=10,alg=ring", "ring", 6, 60},
    {"scatter:n=7,k=2,b=10,alg=ring", "ring", 3, 30},
    {"scatter:n=8,k=2,b=10,root=3,alg=ring", "ring", 4, 40},
    {"index:n=7,k=1,b=10,alg=ring", "ring", 6, 210},
    {"one-to-one:n=16,k=4,b=60,root=3,to=9,alg=torus,packets=4", "torus", 4, 60},
    /* Two halves of 30 bytes, packets of 10 bytes, paths of at most 5 links: 5 + 2 rounds. */
    {"broadcast:n=16,k=4,b=60,alg=torus,packets=3", "torus", 7, 70},
    {"broadcast:n=20,k=4,b=60,root=13,alg=torus,packets=3", "torus", 8, 80},
    {"concat:n=12,k=1,b=10,alg=torus", "torus", 5, 110},
    /* Two messages of three blocks along the row, then one block to each side. */
    {"scatter:n=12,k=2,b=10,root=7,alg=torus", "torus", 3, 2 * 30 + 10},
    {"index:n=12,k=1,b=10,alg=torus", "torus", 5, 10 * (3 * 6 + 4 * 3)},
    {"one-to-one:n=16,k=4,b=60,root=3,to=12,alg=hypercube-paths,packets=4", "hypercube", 4, 60},
    {"one-to-one:n=16,k=1,b=60,root=5,to=10,alg=hypercube-path,packets=6", "hypercube", 9, 90},
    {"broadcast:n=16,k=4,b=60,root=11,alg=hypercube,packets=6", "hypercube", 9, 90},
    {"concat:n=16,k=4,b=10,alg=tea2-grouped", "hypercube", 5, 100},
    {"concat:n=16,k=1,b=10,alg=gray-ring", "hypercube", 15, 150},
    {"scatter:n=16,k=1,b=10,alg=tree", "hypercube", 4, 150},
    {"index:n=16,k=1,b=10,alg=alternate-halves", "hypercube", 8, 640},
    {"one-to-one:n=6,k=1,b=10,alg=direct", "switch", 1, 10},
    {"broadcast:n=6,k=1,b=10,alg=circulant,packets=5", "switch", 7, 14},
    {"concat:n=6,k=1,b=10,alg=circulant", "switch", 3, 50},
    {"scatter:n=6,k=1,b=10,alg=tree", "switch", 3, 50},
    {"index:n=16,k=1,b=10,alg=radix,r=2", "switch", 4, 320},
    {"index:n=16,k=1,b=10,alg=phases", "optical", 15, 150},
    {"index:n=16,k=2,b=10,alg=butterfly", "butterfly", 8, 80},
};

static void schedules_for_each(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all_right / sizeof all_right[0]; i++) {
        kp_topology topology;
        kp_error_record error;
        kp_problem p = parse(all_right[i].problem);
        kp_schedule *schedule = build(&p);
        assert_int_equal(kp_topology_parse(all_right[i].on, &topology), KP_OK);
        if (kp_schedule_check_on(schedule, &topology, &error) != KP_OK)
            fail_msg("%s on %s: %s", all_right[i].problem, all_right[i].on, error.sentence);
        kp_transfer_cost cost = kp_topology_cost(&topology, schedule, p.b);
        if (cost.startups != all_right[i].startups || cost.words != all_right[i].words)
            fail_msg("%s on %s: %llu start-ups, %llu words", all_right[i].problem, all_right[i].on,
                     (unsigned long long)cost.startups, (unsigned long long)cost.words);
        kp_schedule_free(schedule);
    }
}

/* Algorithms for an architecture must use only its links, for every n, root and target. */
static void every_root_keeps_to_the_links(void **state)
{
    (void)state;
    static const struct {
        kp_operation operation;
        const char *name, *on;
        int k;
    } rows[] = {
        {KP_ONE_TO_ONE, "ring", "ring", 2},
        {KP_ONE_TO_ONE, "torus", "torus", 4},
        {KP_ONE_TO_ONE, "hypercube-path", "hypercube", 1},
        {KP_ONE_TO_ONE, "hypercube-paths", "hypercube", 3},
        {KP_BROADCAST, "ring", "ring", 2},
        {KP_BROADCAST, "torus", "torus", 4},
        {KP_BROADCAST, "hypercube", "hypercube", 5},
        {KP_SCATTER, "ring", "ring", 2},
        {KP_SCATTER, "torus", "torus", 2},
        {KP_INDEX, "ring", "ring", 1},
        {KP_INDEX, "torus", "torus", 1},
        {KP_CONCAT, "torus", "torus", 1},
        {KP_GATHER, "ring", "ring", 2},
        {KP_GATHER, "torus", "torus", 2},
        {KP_INDEX, "alternate-halves", "hypercube", 1},
        {KP_INDEX, "phases", "optical", 1},
        {KP_INDEX, "butterfly", "butterfly", 2},
    };
    long checked = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const kp_topology *t = kp_topology_find(rows[i].on);
        for (int n = 1; n <= 32; n++) {
            kp_problem p = {.operation = rows[i].operation, .n = n, .b = 24};
            p.k = rows[i].k < most_ports(n) ? rows[i].k : most_ports(n);
            p.algorithm = kp_algorithm_find(p.operation, rows[i].name);
            p.values[0] = p.algorithm->parameters[0].name ? (n > 1 ? 7 : 1) : 0;
            if (p.algorithm->serves && p.algorithm->serves(&p))
                continue;
            int roots = p.operation == KP_INDEX || p.operation == KP_CONCAT ? 1 : n;
            for (p.root = 0; p.root < roots; p.root++, checked++) {
                kp_error_record error;
                p.target = p.operation == KP_ONE_TO_ONE ? (3 * p.root + n / 2) % n : 0;
                kp_schedule *schedule = build(&p);
                if (kp_schedule_check_on(schedule, t, &error) != KP_OK)
                    fail_msg("%s on %s: %s", text_of(&p), rows[i].on, error.sentence);
                kp_schedule_free(schedule);
            }
        }
    }
    assert_true(checked > 2000);
}

/* --- The stated costs of all algorithms from these papers --- */

static int most_n = 40, most_k = 6;

static void compare_cost(const kp_problem *p)
{
    uint64_t c1, c2;
    kp_schedule *schedule = build(p);
    const kp_problem *exact = kp_schedule_problem(schedule);
    kp_cost counted = kp_schedule_cost(schedule, p->b);
    exact->algorithm->stated_cost(exact, &c1, &c2);
    if (counted.c1 != c1 || counted.c2 != c2)
        fail_msg("%s: counted (%llu, %llu), stated (%llu, %llu)", text_of(p),
                 (unsigned long long)counted.c1, (unsigned long long)counted.c2,
                 (unsigned long long)c1, (unsigned long long)c2);
    kp_schedule_free(schedule);
}

/* Tries the least and the greatest value of the parameter, and some between. */
static long compare_values(kp_problem p)
{
    const kp_parameter *parameter = &p.algorithm->parameters[0];
    long low = parameter->name ? kp_parameter_low(parameter, &p) : 0;
    long high = parameter->name ? kp_parameter_high(parameter, &p) : 0, compared = 0;
    for (long value = low; value <= high;
         value = value < high && 3 * value > high ? high : 3 * value + 1) {
        p.values[0] = value;
        compare_cost(&p);
        compared++;
    }
    return compared;
}

/* Returns the next k to try: 1 ... most_k, the number of dimensions, and all ports. */
static int next_k(int k, int n)
{
    int dimensions = 0, all = most_ports(n);
    while (1 << dimensions < n)
        dimensions++;
    return k < most_k ? k + 1 : k < dimensions ? dimensions : k < all ? all : all + 1;
}

static void stated_costs_are_counted(void **state)
{
    (void)state;
    long compared = 0;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *a = kp_algorithm_at(i);
        if (!strstr(a->source, "Saad and Schultz"))
            continue;
        /* Large hypercubes are tried only for operations whose schedules stay small. */
        int sparse = a->operation == KP_BROADCAST || a->operation == KP_ONE_TO_ONE;
        int last = sparse && most_n > 40 ? 1024 : most_n;
        for (int n = 1; n <= last; n = n < most_n ? n + 1 : n < 256 ? 256 : 2 * n) {
            for (int k = 1; k <= most_ports(n); k = next_k(k, n)) {
                kp_problem p = {.operation = a->operation, .n = n, .k = k, .b = 23, .algorithm = a};
                p.target = a->operation == KP_ONE_TO_ONE ? n / 2 : 0;
                if (!a->serves || !a->serves(&p))
                    compared += compare_values(p);
            }
        }
    }
    assert_true(compared > 5000);
}

/* --- Names --- */

static void names(void **state)
{
    (void)state;
    kp_topology t;
    assert_int_equal(kp_topology_parse("torus,rows=4", &t), KP_OK);
    assert_int_equal(t.rows, 4);
    assert_int_equal(kp_topology_parse("shared-memory,at_once=3", &t), KP_OK);
    assert_int_equal(t.at_once, 3);
    static const char *const refused[][2] = {
        {"", "it may be bus, shared-memory, ring, torus, hypercube, switch, "
             "optical, butterfly"},
        {"rin", "the architecture is 'rin'"},
        {"rings", "the architecture is 'rings'"},
        {"ring,at_once=2", "ring has no at_once"},
        {"bus,rows=2", "bus has no rows"},
        {"bus,at_once=0", "at_once is '0'; it may be a number 1"},
        {"bus,at_once", "'at_once' is no field"},
        {"bus,", "nothing between two commas"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(kp_topology_parse(refused[i][0], &t), KP_EARGUMENT);
        if (!strstr(kp_last_error()->sentence, refused[i][1]))
            fail_msg("'%s': %s", refused[i][0], kp_last_error()->sentence);
    }
    assert_int_equal(kp_topology_parse(NULL, &t), KP_EARGUMENT);
    kp_problem p = parse("concat:n=6,k=1,b=1,alg=ring");
    kp_schedule *schedule = build(&p);
    kp_error_record error;
    assert_int_equal(kp_schedule_check_on(schedule, kp_topology_find("hypercube"), &error),
                     KP_EUNSERVED);
    assert_non_null(strstr(error.sentence, "no hypercube of n=6 processors"));
    assert_int_equal(kp_topology_parse("torus,rows=4", &t), KP_OK);
    assert_int_equal(kp_schedule_check_on(schedule, &t, NULL), KP_EUNSERVED);
    kp_schedule_free(schedule);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links),
        cmocka_unit_test(links_and_port_rules),
        cmocka_unit_test(memory_faults),
        cmocka_unit_test(schedules_for_each),
        cmocka_unit_test(every_root_keeps_to_the_links),
        cmocka_unit_test(stated_costs_are_counted),
        cmocka_unit_test(names),
    };
    if (extent_of(count, arguments) > 0) {
        most_n = 130;
        most_k = extent_of(count, arguments) > 1 ? 40 : 4;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
