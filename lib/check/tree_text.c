#include "lib/check/trees.h"

#include <stdio.h>

#include <stdlib.h>
#include <string.h>

#define LONG_RUN 5 /* as many equal steps, one after the other, are folded */

struct pencil {
    const struct kp_trees *trees;
    int n;
    int folds; /* trees of at most this many operands are folded; 0: none */
    bool folded;
    char text[KP_TREE_WIDTH + 1];
    size_t length; /* the length of the whole text, also if it is longer than `text` */
};

static void put(struct pencil *p, const char *text)
{
    size_t length = strlen(text);
    if (p->length + length < sizeof p->text)
        memcpy(p->text + p->length, text, length + 1);
    p->length += length;
}

static void put_number(struct pencil *p, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    put(p, text);
}

static void put_folded(struct pencil *p, const struct kp_tree_node *node)
{
    char text[64];
    if (node->count == node->end - node->first)
        snprintf(text, sizeof text, "[%d-%d]", node->first, node->end - 1);
    else
        snprintf(text, sizeof text, "[%d of %d-%d]", node->count, node->first, node->end - 1);
    put(p, text);
    p->folded = true;
}

/* Returns whether the tree is a chain: its operands are combined one by one from left to right. */
static bool is_chain(const struct pencil *p, kp_tree tree)
{
    struct kp_tree_node node = kp_tree_node(p->trees, tree);
    while (node.count > 1 && node.right < KP_TREE_NODES)
        node = kp_tree_node(p->trees, node.left);
    return node.count == 1;
}

/* Returns the last index of the longest run of equal steps, modulo n, that begins at index `i`. */
static int end_of_run(const struct pencil *p, const int *operands, int i, int count)
{
    int end = i + 1 < count ? i + 1 : i;
    while (end + 1 < count &&
           (operands[end + 1] - 2 * operands[end] + operands[end - 1]) % p->n == 0)
        end++;
    return end;
}

/* Writes the operands of a chain from index `i` on. Folds long runs of equal steps. */
static void put_operands(struct pencil *p, const int *operands, int i, int count)
{
    for (; i < count && p->length < sizeof p->text; i++) {
        int end = end_of_run(p, operands, i, count);
        put(p, p->length > 0 && p->text[p->length - 1] != '(' ? "+" : "");
        put_number(p, operands[i]);
        if (end - i < LONG_RUN)
            continue;
        put(p, "+");
        put_number(p, operands[i + 1]);
        put(p, "+...");
        i = end - 1;
    }
}

/* Writes a chain. Its first operands become one bracket if there are others and trees are folded.
 */
static void put_chain(struct pencil *p, kp_tree tree, int count)
{
    struct kp_tree_node node = kp_tree_node(p->trees, tree);
    int *operands = calloc((size_t)count, sizeof *operands);
    for (int i = count - 1; i > 0 && operands; i--) {
        operands[i] = (int)node.right;
        node = kp_tree_node(p->trees, node.left);
        operands[0] = node.first;
        if (i == p->folds)
            put_folded(p, &node);
    }
    if (operands)
        put_operands(p, operands, p->folds, count);
    free(operands);
}

static void put_tree(struct pencil *p, kp_tree tree);

static void put_part(struct pencil *p, kp_tree tree)
{
    bool brackets = tree >= KP_TREE_NODES && kp_tree_node(p->trees, tree).count > p->folds;
    put(p, brackets ? "(" : "");
    put_tree(p, tree);
    put(p, brackets ? ")" : "");
}

static void put_tree(struct pencil *p, kp_tree tree)
{
    struct kp_tree_node node = kp_tree_node(p->trees, tree);
    if (p->length >= sizeof p->text)
        return;
    if (node.count == 1) {
        put_number(p, node.first);
    } else if (node.count <= p->folds) {
        put_folded(p, &node);
    } else if (is_chain(p, tree)) {
        put_chain(p, tree, node.count);
    } else {
        put_part(p, node.left);
        put(p, "+");
        put_part(p, node.right);
    }
}

bool kp_tree_write(const struct kp_trees *trees, kp_tree tree, int n, char text[KP_TREE_WIDTH + 1])
{
    struct pencil p = {.trees = trees, .n = n};
    put_tree(&p, tree);
    for (int folds = 2; p.length >= sizeof p.text; folds *= 2) {
        p = (struct pencil){.trees = trees, .n = n, .folds = folds};
        put_tree(&p, tree);
    }
    memcpy(text, p.text, sizeof p.text);
    return p.folded;
}
