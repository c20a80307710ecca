#include "lib/check/trees.h"

void kp_trees_begin(struct kp_trees *trees, bool commutes)
{
    *trees = (struct kp_trees){.commutes = commutes};
}

void kp_trees_end(struct kp_trees *trees)
{
    kp_vector_free(&trees->nodes);
    free(trees->slots);
}

struct kp_tree_node kp_tree_node(const struct kp_trees *trees, kp_tree tree)
{
    if (tree >= KP_TREE_NODES)
        return ((const struct kp_tree_node *)trees->nodes.items)[tree - KP_TREE_NODES];
    return (struct kp_tree_node){.left = KP_NO_TREE,
                                 .right = KP_NO_TREE,
                                 .first = (int)tree,
                                 .end = (int)tree + 1,
                                 .count = 1};
}

/* Returns the slot of the node with these parts, or the free slot where it belongs. */
static kp_tree *slot_of(const struct kp_trees *trees, kp_tree left, kp_tree right)
{
    uint64_t hash = ((uint64_t)left << 32 | right) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t at = hash >> 32;; at++) {
        kp_tree *slot = &trees->slots[at & (trees->slot_count - 1)];
        if (*slot == KP_NO_TREE)
            return slot;
        struct kp_tree_node node = kp_tree_node(trees, *slot);
        if (node.left == left && node.right == right)
            return slot;
    }
}

/* Keeps at least half of the slots free. */
static bool make_room(struct kp_trees *trees)
{
    const struct kp_tree_node *nodes = trees->nodes.items;
    if (2 * (trees->nodes.count + 1) <= trees->slot_count)
        return true;
    size_t count = trees->slot_count ? 2 * trees->slot_count : 64;
    kp_tree *slots = malloc(count * sizeof *slots);
    if (!slots)
        return false;
    free(trees->slots);
    trees->slots = slots;
    trees->slot_count = count;
    for (size_t i = 0; i < count; i++)
        slots[i] = KP_NO_TREE;
    for (size_t i = 0; i < trees->nodes.count; i++)
        *slot_of(trees, nodes[i].left, nodes[i].right) = KP_TREE_NODES + (kp_tree)i;
    return true;
}

kp_tree kp_trees_join(struct kp_trees *trees, kp_tree left, kp_tree right)
{
    struct kp_tree_node l = kp_tree_node(trees, left), r = kp_tree_node(trees, right);
    bool turned = l.count != r.count ? l.count < r.count : r.first < l.first;
    if (trees->commutes && turned) {
        kp_tree other = left;
        left = right;
        right = other;
    }
    if (!make_room(trees))
        return KP_NO_TREE;
    kp_tree *slot = slot_of(trees, left, right);
    if (*slot != KP_NO_TREE)
        return *slot;
    struct kp_tree_node *node = kp_vector_add(&trees->nodes, sizeof *node);
    if (!node)
        return KP_NO_TREE;
    *node = (struct kp_tree_node){.left = left,
                                  .right = right,
                                  .first = l.first < r.first ? l.first : r.first,
                                  .end = l.end > r.end ? l.end : r.end,
                                  .count = l.count + r.count};
    return *slot = KP_TREE_NODES + (kp_tree)(trees->nodes.count - 1);
}

kp_tree *kp_trees_below(struct kp_trees *trees, int n)
{
    size_t count = trees->nodes.count;
    kp_tree *below = malloc((count + 1) * sizeof *below);
    for (size_t i = 0; below && i < count; i++) {
        struct kp_tree_node node = kp_tree_node(trees, KP_TREE_NODES + (kp_tree)i);
        kp_tree left = kp_tree_kept(below, n, node.left);
        kp_tree right = kp_tree_kept(below, n, node.right);
        below[i] = left == KP_NO_TREE ? right : left;
        if (left == KP_NO_TREE || right == KP_NO_TREE)
            continue;
        below[i] = kp_trees_join(trees, left, right);
        if (below[i] == KP_NO_TREE) {
            free(below);
            return NULL;
        }
    }
    return below;
}
