/* Tests in which order reductions combine: the certificates of the library's algorithms, the
 * property same_order of rows, and the hint and the key that ask for it. */
#include "tests/common/machine_common.h"
#include "tests/common/schedule_common.h"

#include <kport.h>

#include "lib/check/order.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"
#include "lib/tune/candidates.h"

#define N 4

/* --- Certificates --- */

/* A schedule with its certificate. */
struct certified {
    kp_schedule *schedule;
    struct kp_trees trees;
    struct kp_order order;
};

static void certify(struct certified *c, const kp_problem *problem)
{
    c->schedule = build(problem);
    kp_trees_begin(&c->trees, !kp_is_ordered(problem));
    assert_int_equal(kp_order_find(c->schedule, &c->trees, &c->order), KP_OK);
}

static void discard(struct certified *c)
{
    kp_order_end(&c->order);
    kp_trees_end(&c->trees);
    kp_schedule_free(c->schedule);
}

static void expect_counted(const struct certified *c, int rank, const kp_problem *p)
{
    struct kp_ranks wanted = kp_operation_row(p->operation)->operands(p->n, rank);
    for (int64_t cell = 0; cell < c->order.cells; cell++) {
        kp_tree tree = c->order.trees[rank * c->order.cells + cell];
        if (wanted.first == wanted.end || !kp_operation_holds(p, rank, KP_IN)) {
            assert_int_equal(tree, KP_NO_TREE);
            continue;
        }
        struct kp_tree_node node = kp_tree_node(&c->trees, tree);
        assert_int_equal(node.count, wanted.end - wanted.first);
        assert_int_equal(node.first, wanted.first);
        assert_int_equal(node.end, wanted.end);
    }
}

static long certified;

/* Every tree must have each wanted operand once. The certificate must show exactly the property
 * that the algorithm's row states. */
static void row_is_right(const kp_problem *problem)
{
    for (int ordered = 0; ordered < 2; ordered++) {
        struct certified c;
        kp_problem p = *problem;
        p.type = KP_FLOAT64;
        p.op = ordered ? KP_COMPOSE : KP_SUM;
        p.b *= kp_element_bytes(&p);
        if (!kp_operation_reduces(p.operation) || kp_problem_check(&p))
            return;
        certify(&c, &p);
        for (int rank = 0; rank < p.n; rank++)
            expect_counted(&c, rank, &p);
        if (kp_order_is_same(&c.order, NULL) != kp_algorithm_has_same_order(p.algorithm))
            fail_msg("%s: the row's same_order is wrong", text_of(&p));
        discard(&c);
        certified++;
    }
}

static void rows(void **state)
{
    (void)state;
    for (int n = 1; n <= 9; n++) {
        for (size_t b = 1; b <= 7; b += 3)
            for_all_problems(n, b, row_is_right);
    }
    assert_true(certified > 3000);
}

static kp_tree join3(struct kp_trees *trees, kp_tree a, kp_tree b, kp_tree c)
{
    return kp_trees_join(trees, kp_trees_join(trees, a, b), c);
}

static void known_trees(void **state)
{
    (void)state;
    struct certified c;
    kp_problem p = parse("allreduce:n=6,k=1,count=1,alg=recursive-doubling,op=compose");
    certify(&c, &p);
    kp_tree first =
        kp_trees_join(&c.trees, kp_trees_join(&c.trees, 0, 1), kp_trees_join(&c.trees, 2, 3));
    assert_int_equal(kp_order_tree(&c.order, 5, 0),
                     kp_trees_join(&c.trees, first, kp_trees_join(&c.trees, 4, 5)));
    kp_tree *below = kp_trees_below(&c.trees, 3);
    assert_int_equal(kp_tree_kept(below, 3, kp_order_tree(&c.order, 0, 0)),
                     join3(&c.trees, 0, 1, 2));
    assert_int_equal(kp_tree_kept(below, 3, 5), KP_NO_TREE);
    free(below);
    discard(&c);
}

/* A swap is the same tree only if the operator commutes. Another grouping never is. */
static void swaps(void **state)
{
    (void)state;
    for (int commutes = 0; commutes < 2; commutes++) {
        struct kp_trees trees;
        kp_trees_begin(&trees, commutes);
        kp_tree a = join3(&trees, 0, 1, 2), b = join3(&trees, 1, 0, 2);
        assert_int_equal(a == b, commutes);
        assert_int_not_equal(a, kp_trees_join(&trees, 0, kp_trees_join(&trees, 1, 2)));
        for (kp_tree i = 3; i < 1000; i++)
            a = kp_trees_join(&trees, a, i);
        for (kp_tree i = 3; i < 1000; i++)
            b = kp_trees_join(&trees, b, i);
        assert_int_equal(a == b, commutes);
        assert_int_equal(kp_tree_node(&trees, a).count, 1000);
        kp_trees_end(&trees);
    }
}

/* --- An allreduce in which every processor adds the blocks in the order of their arrival --- */

static int build_each_its_own(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int distance = 1; distance < p->n; distance++) {
        kp_build_round(b);
        kp_build_send(b, 0, (p->rank + distance) % p->n);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
        kp_build_combine(b, 0, (p->rank + p->n - distance) % p->n, KP_LEFT);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    }
    return KP_OK;
}

static const char *serves_commutative(const kp_problem *p)
{
    return kp_is_ordered(p) ? "a commutative operator" : NULL;
}

static void stated_each_its_own(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n - 1;
    *c2 = *c1 * p->b;
}

static const kp_algorithm each_its_own = {.operation = KP_ALLREDUCE,
                                          .name = "each-its-own",
                                          .serves = serves_commutative,
                                          .build = build_each_its_own,
                                          .stated_cost = stated_each_its_own};
static kp_algorithm boaster;

static kp_problem problem_by(const kp_algorithm *algorithm, int n)
{
    kp_problem p = parse("allreduce:n=4,k=1,count=2");
    p.n = n;
    p.algorithm = algorithm;
    return p;
}

static void a_wrong_row_is_found(void **state)
{
    (void)state;
    kp_error_record error;
    struct kp_order_difference d;
    struct certified c;
    kp_problem p = problem_by(&each_its_own, N);
    certify(&c, &p);
    assert_int_equal(kp_schedule_check(c.schedule, NULL), KP_OK);
    assert_false(kp_order_is_same(&c.order, &d));
    assert_true(d.one == 0 && d.other == 1 && d.element == 0);
    discard(&c);
    boaster = each_its_own;
    boaster.same_order = 1;
    p = problem_by(&boaster, N);
    kp_schedule *schedule = build(&p);
    assert_int_equal(kp_schedule_check(schedule, &error), KP_ESCHEDULE);
    assert_string_equal(error.sentence, "at the end processors 0 and 1 have combined element 0 in "
                                        "different orders, but algorithm each-its-own says "
                                        "same_order");
    kp_schedule_free(schedule);
    p = problem_by(&boaster, 2); /* a + b and b + a */
    schedule = build(&p);
    assert_int_equal(kp_schedule_check(schedule, &error), KP_OK);
    kp_schedule_free(schedule);
}

/* --- Asking for the property --- */

static void candidates(void **state)
{
    (void)state;
    kp_problem p = problem_by(&each_its_own, N);
    assert_true(kp_candidate_serves(&p));
    p.same_order = 1;
    assert_false(kp_candidate_serves(&p));
    p.algorithm = kp_algorithm_find(KP_ALLREDUCE, "tree");
    assert_true(kp_candidate_serves(&p));
    p = problem_by(&each_its_own, N);
    p.same_order = 1;
    assert_int_equal(kp_tune(&p, NULL), KP_EUNSERVED);
    assert_non_null(strstr(kp_last_error()->sentence, "algorithm each-its-own does not say"));
    p.algorithm = NULL;
    assert_int_equal(kp_tune(&p, NULL), KP_OK);
    assert_int_equal(p.same_order, 1);
}

static void texts(void **state)
{
    (void)state;
    kp_hints hints;
    kp_problem p = parse("allreduce:n=4,k=1,count=2,same_order=1");
    assert_int_equal(p.same_order, 1);
    assert_string_equal(text_of(&p), "allreduce:n=4,k=1,count=2,type=float64,op=sum,same_order=1");
    assert_int_equal(parse("allreduce:n=4,k=1,count=2,same_order=0").same_order, 0);
    assert_int_equal(kp_problem_parse("index:n=4,k=1,b=2,same_order=1", &p), KP_EPROBLEM);
    assert_string_equal(kp_last_error()->sentence, "same_order is given, but index combines "
                                                   "nothing");
    assert_int_equal(kp_problem_parse("scan:n=4,k=1,count=2,same_order=2", &p), KP_EPROBLEM);
    assert_int_equal(kp_hints_parse(KP_ALLREDUCE, "tree,same_order=1", &hints), KP_OK);
    assert_int_equal(hints.flags, KP_HINT_SAME_ORDER);
    assert_string_equal(hints.algorithm->name, "tree");
    assert_int_equal(kp_hints_parse(KP_ALLREDUCE, "same_order=1", &hints), KP_OK);
    assert_int_equal(hints.flags, KP_HINT_SAME_ORDER);
    assert_null(hints.algorithm);
    assert_int_equal(kp_hints_parse(KP_ALLREDUCE, "same_order=2", &hints), KP_EALGORITHM);
    assert_int_equal(kp_hints_parse(KP_ALLREDUCE, "tree", &hints), KP_OK);
    assert_int_equal(hints.flags, 0);
}

/* --- Calls --- */

static int sum(kp_group *group, const kp_hints *hints)
{
    double mine[2] = {1 + kp_rank(group), 10}, all[2] = {0};
    int status = kp_allreduce(group, mine, all, 2, KP_FLOAT64, KP_SUM, hints);
    return status || (all[0] == 10 && all[1] == 40) ? status : KP_EFAILED;
}

static int plan(kp_group *group, const kp_hints *hints)
{
    double mine[2] = {1 + kp_rank(group), 10}, all[2] = {0};
    kp_plan *plan = NULL;
    kp_arguments arguments = {.operation = KP_ALLREDUCE,
                              .out = mine,
                              .in = all,
                              .count = 2,
                              .type = KP_FLOAT64,
                              .op = KP_SUM,
                              .hints = hints};
    int status = kp_plan_make(group, &arguments, &plan);
    if (status)
        return status;
    status = kp_plan_execute(plan);
    int freed = kp_plan_free(plan);
    return status ? status : all[0] == 10 ? freed : KP_EFAILED;
}

static int program(kp_proc *self, void *argument)
{
    static const kp_hints open = {.flags = KP_HINT_SAME_ORDER}, own = {.algorithm = &each_its_own},
                          own_same = {.algorithm = &each_its_own, .flags = KP_HINT_SAME_ORDER},
                          boasts = {.algorithm = &boaster}, other_flag = {.flags = 4};
    kp_group *world = kp_world(self);
    (void)argument;
    for (int times = 0; times < 2; times++) {
        NEED(self, sum(world, &open) == KP_OK && plan(world, &open) == KP_OK);
        NEED(self, sum(world, NULL) == KP_OK);
        NEED(self, sum(world, &own) == KP_OK && plan(world, &own) == KP_OK);
        NEED(self, sum(world, &own_same) == KP_EUNSERVED);
        NEED(self, strstr(kp_error(self)->sentence, "does not say that it combines in the same"));
        NEED(self, plan(world, &own_same) == KP_EUNSERVED);
        NEED(self, sum(world, &boasts) == KP_ESCHEDULE);
        NEED(self, strstr(kp_error(self)->sentence, "says same_order"));
        NEED(self, sum(world, &other_flag) == KP_EARGUMENT);
        NEED(self, sum(world, &own) == KP_OK);
    }
    int one = 7, all[N];
    NEED(self, kp_concat(world, &one, all, sizeof one, &open) == KP_OK && all[N - 1] == 7);
    return 0;
}

static void calls(void **state)
{
    (void)state;
    kp_report report;
    boaster = each_its_own;
    boaster.same_order = 1;
    if (kp_run(&(kp_config){.processors = N, .ports = 1}, program, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(rows),       TEST(known_trees), TEST(swaps), TEST(a_wrong_row_is_found),
        TEST(candidates), TEST(texts),       TEST(calls),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
