/* The order certificate of a reduction: for each element of each result, the tree in which the
 * operands are combined. Two results whose elements have equal trees have the same bits, also where
 * the operator rounds, as the sum of floating-point numbers does. */
#ifndef KPORT_LIB_ORDER_H
#define KPORT_LIB_ORDER_H

#include "kport/schedule.h"
#include "lib/check/replay.h"
#include "lib/check/trees.h"

struct kp_order {
    const kp_problem *problem; /* that of the schedule */
    int64_t elements; /* the elements of a block; 1 if the schedule does not split blocks */
    int64_t cells;    /* how many cells (replay.h) a block has */
    int64_t *begin;   /* the elements at which the cells begin */
    kp_tree *trees;   /* for each processor its cells; KP_NO_TREE where it has no result */
};

/* Finds the trees of a schedule, which must be right (kp_schedule_check). The trees come into the
 * table `trees`. The schedule must stay as long as the certificate. The caller must call
 * kp_order_end later, even after an error. Returns KP_OK or KP_EMEMORY. */
int kp_order_find(const kp_schedule *schedule, struct kp_trees *trees, struct kp_order *order);
void kp_order_end(struct kp_order *order);

/* Does the same for a replay that has carried out all rounds. */
int kp_order_of_replay(struct kp_replay *replay, struct kp_trees *trees, struct kp_order *order);

/* Returns the tree of an element of the result of `rank`. */
kp_tree kp_order_tree(const struct kp_order *order, int rank, int64_t element);

/* An element whose results at two processors are combined by different trees. */
struct kp_order_difference {
    int one, other;
    int64_t element;
};

/* If the replay's algorithm says that it has the property same_order (kp_algorithm), or the problem
 * asks for it, checks the results of a replay that has carried out all rounds. Returns KP_OK, or
 * sets KP_EMEMORY or KP_ESCHEDULE. */
int kp_order_check(struct kp_replay *replay);

/* Returns whether each element that several processors get is combined by the same tree at all of
 * them. Otherwise fills in `difference`, which may be NULL. */
bool kp_order_is_same(const struct kp_order *order, struct kp_order_difference *difference);

#endif
