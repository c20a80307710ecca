/* Trees of operands. A tree says in which order a reduction combines the operands of processors.
 *
 * A tree is a number. The numbers below KP_TREE_NODES stand for the operand of one processor, the
 * others for two trees that are combined. Equal trees of one table have equal numbers, also if they
 * come from different schedules. */
#ifndef KPORT_LIB_TREES_H
#define KPORT_LIB_TREES_H

#include "lib/schedule/vector.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t kp_tree;

#define KP_TREE_NODES ((kp_tree)1 << 20) /* greater than the number of any processor */
#define KP_NO_TREE    UINT32_MAX

/* A tree "left op right". Its `count` operands come from processors first ... end - 1. */
struct kp_tree_node {
    kp_tree left, right;
    int first, end, count;
};

struct kp_trees {
    struct kp_vector nodes; /* a node stands after its parts */
    kp_tree *slots;         /* a hash table with open addressing of the nodes; KP_NO_TREE: free */
    size_t slot_count;      /* a power of two, or 0 */
    /* true: "a op b" and "b op a" are one tree, because the operator commutes. The part with
     * more operands is the left one, or, if both have as many, the part with the least processor.
     */
    bool commutes;
};

void kp_trees_begin(struct kp_trees *trees, bool commutes);
void kp_trees_end(struct kp_trees *trees);

/* Returns the node of a tree. For the operand of one processor, `left` and `right` are
 * KP_NO_TREE. */
struct kp_tree_node kp_tree_node(const struct kp_trees *trees, kp_tree tree);

/* Returns the tree "left op right". Returns KP_NO_TREE if there is no memory. */
kp_tree kp_trees_join(struct kp_trees *trees, kp_tree left, kp_tree right);

/* Returns a new array that has, for each node of the table in order, what is left of its tree
 * without the operands of processors n and above, or KP_NO_TREE if nothing is left. Returns NULL
 * if there is no memory. kp_tree_kept reads the array. */
kp_tree *kp_trees_below(struct kp_trees *trees, int n);
static inline kp_tree kp_tree_kept(const kp_tree *below, int n, kp_tree tree)
{
    if (tree >= KP_TREE_NODES)
        return tree == KP_NO_TREE ? KP_NO_TREE : below[tree - KP_TREE_NODES];
    return tree < (kp_tree)n ? tree : KP_NO_TREE;
}

/* Writes a tree as an expression of at most KP_TREE_WIDTH characters into `text`. Operands without
 * brackets are combined from left to right. n is the number of processors. What is too long is
 * folded: "0+1+...+63" goes on in equal steps, modulo n; "[8-15]" is a tree of the operands of
 * processors 8 ... 15, "[3 of 8-15]" a tree of three operands among these. Returns whether there is
 * such a bracket in the text. */
#define KP_TREE_WIDTH 160
bool kp_tree_write(const struct kp_trees *trees, kp_tree tree, int n, char text[KP_TREE_WIDTH + 1]);

#endif
