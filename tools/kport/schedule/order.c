#include "tools/kport/schedule/order.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/schedule/elements.h"
#include "tools/kport/command.h"

#include <stdlib.h>
#include <string.h>

#define TREES 8 /* the most trees that are printed */

/* --- Who combines by a tree --- */

/* The cells of a processor that are combined by a tree. */
struct who {
    const struct kp_order *order;
    kp_tree tree;
    int rank; /* the processor whose cells are asked for */
};

static bool has_cell(const struct who *w, int64_t cell)
{
    return w->order->trees[w->rank * w->order->cells + cell] == w->tree;
}

/* Returns whether `rank` combines exactly the same cells by the tree. */
static bool same_cells(const struct who *w, int rank)
{
    const struct who other = {w->order, w->tree, rank};
    for (int64_t cell = 0; cell < w->order->cells; cell++) {
        if (has_cell(w, cell) != has_cell(&other, cell))
            return false;
    }
    return true;
}

static bool has_any(const struct who *w)
{
    for (int64_t cell = 0; cell < w->order->cells; cell++) {
        if (has_cell(w, cell))
            return true;
    }
    return false;
}

static void put_range(FILE *out, bool *begun, int64_t first, int64_t last)
{
    fprintf(out, "%s%lld", *begun ? "," : "", (long long)first);
    if (last > first)
        fprintf(out, "-%lld", (long long)last);
    *begun = true;
}

static void put_elements(const struct who *w, FILE *out)
{
    const struct kp_order *o = w->order;
    bool begun = false;
    if (o->elements == 1) {
        fprintf(out, "every element");
        return;
    }
    fprintf(out, "elements ");
    for (int64_t cell = 0; cell < o->cells; cell++) {
        int64_t first = cell;
        while (cell < o->cells && has_cell(w, cell))
            cell++;
        if (cell > first)
            put_range(out, &begun, o->begin[first],
                      (cell < o->cells ? o->begin[cell] : o->elements) - 1);
    }
}

static void put_processors(const struct who *w, FILE *out)
{
    int n = w->order->problem->n;
    bool begun = false, alone = true;
    for (int rank = w->rank + 1; rank < n && alone; rank++)
        alone = !same_cells(w, rank);
    fprintf(out, alone ? " at processor " : " at processors ");
    for (int rank = w->rank; rank < n; rank++) {
        int first = rank;
        while (rank < n && same_cells(w, rank))
            rank++;
        if (rank > first)
            put_range(out, &begun, first, rank - 1);
    }
}

/* Prints a line for each group of processors that combine the same elements by the tree. */
static void put_who(const struct kp_order *order, kp_tree tree, FILE *out)
{
    for (int rank = 0; rank < order->problem->n; rank++) {
        struct who w = {order, tree, rank};
        bool earlier = !has_any(&w);
        for (int other = 0; other < rank && !earlier; other++)
            earlier = same_cells(&w, other);
        if (earlier)
            continue;
        fprintf(out, "      ");
        put_elements(&w, out);
        put_processors(&w, out);
        fprintf(out, "\n");
    }
}

/* --- The trees --- */

static bool was_there(const kp_tree *trees, int64_t count, kp_tree tree)
{
    for (int64_t i = 0; i < count; i++) {
        if (trees[i] == tree)
            return true;
    }
    return false;
}

static void put_trees(const struct kp_order *order, const struct kp_trees *trees, FILE *out)
{
    const kp_problem *p = order->problem;
    char text[KP_TREE_WIDTH + 1];
    bool folded = false;
    kp_tree shown[TREES];
    int64_t count = 0, cells = p->n * order->cells;
    for (int64_t i = 0; i < cells && count < TREES; i++) {
        kp_tree tree = order->trees[i];
        if (tree == KP_NO_TREE || was_there(shown, count, tree))
            continue;
        shown[count++] = tree;
        folded |= kp_tree_write(trees, tree, p->n, text);
        fprintf(out, "    %s\n", text);
        put_who(order, tree, out);
    }
    bool more = false;
    for (int64_t i = 0; i < cells && !more; i++)
        more = order->trees[i] != KP_NO_TREE && !was_there(shown, count, order->trees[i]);
    if (more)
        fprintf(out, "    ... (more trees than %d)\n", TREES);
    if (folded)
        fprintf(out, "    [a-b] is a tree of the operands a ... b that is not written out, [m of "
                     "a-b] one of m of them\n");
}

/* --- The answers --- */

static void put_same(const struct kp_order *order, FILE *out)
{
    struct kp_order_difference d;
    if (!kp_operation_shares_result(order->problem->operation))
        fprintf(out, "  same order: yes, each element is combined at one processor alone\n");
    else if (kp_order_is_same(order, &d))
        fprintf(out, "  same order: yes, all processors get the same bits\n");
    else
        fprintf(out, "  same order: no, processors %d and %d differ in element %lld\n", d.one,
                d.other, (long long)d.element);
}

int order_compare(const kp_schedule *schedule, bool *same, char *sentence, size_t size)
{
    const kp_problem *p = kp_schedule_problem(schedule);
    struct kp_order order;
    struct kp_order_difference d;
    struct kp_trees trees;
    *same = true;
    if (!kp_operation_shares_result(p->operation))
        return KP_OK;
    kp_trees_begin(&trees, !kp_is_ordered(p));
    int status = kp_order_find(schedule, &trees, &order);
    *same = status || kp_order_is_same(&order, &d);
    if (!*same)
        snprintf(sentence, size, "processors %d and %d combine element %lld in different orders",
                 d.one, d.other, (long long)d.element);
    kp_order_end(&order);
    kp_trees_end(&trees);
    return status;
}

int order_print(const kp_schedule *schedule, FILE *out)
{
    const kp_problem *p = kp_schedule_problem(schedule);
    struct kp_order order;
    struct kp_trees trees;
    kp_trees_begin(&trees, !kp_is_ordered(p));
    int status = kp_order_find(schedule, &trees, &order);
    if (!status) {
        fprintf(out, "  order, by processors; + is %s, from left to right without brackets%s:\n",
                kp_operator_name(p->op ? p->op : KP_SUM), trees.commutes ? "; a+b is b+a" : "");
        put_trees(&order, &trees, out);
        put_same(&order, out);
        fprintf(out, "  does the order depend on\n");
        status = order_print_factors(schedule, &trees, &order, out);
    }
    if (status)
        fprintf(stderr, "kport: there is no memory for the order of the reduction\n");
    kp_order_end(&order);
    kp_trees_end(&trees);
    return status ? EXIT_IMPOSSIBLE : EXIT_DONE;
}
