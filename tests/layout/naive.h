/* Layouts as a plain list of elements, computed without the library. A tree describes a layout.
 * From the tree a test makes both the list and the library's layout. */
#ifndef KPORT_TESTS_NAIVE_H
#define KPORT_TESTS_NAIVE_H

#include "tests/common/machine_common.h"

#include "kport.h"

#define MOST_CHILDREN 3
#define MOST_ELEMENTS 400

enum node_kind {
    A_BYTE,
    A_TYPE,
    CONTIGUOUS,
    VECTOR,
    INDEXED,
    STRUCT,
    RESIZED,
    NODE_KINDS
};

/* A layout. Contiguous, vector, indexed and resized layouts have child[0]; a struct has `count`
 * children. */
struct node {
    enum node_kind kind;
    kp_type type;
    size_t count, length;
    ptrdiff_t stride; /* of a vector; of a resized layout, the lower bound */
    size_t extent;    /* of a resized layout */
    size_t lengths[MOST_CHILDREN];
    ptrdiff_t displacements[MOST_CHILDREN];
    struct node *child[MOST_CHILDREN];
};

struct element {
    ptrdiff_t offset;
    int type; /* -1: a byte */
};

struct naive {
    size_t count;
    struct element elements[MOST_ELEMENTS];
    ptrdiff_t lower, upper;
    bool bounded, too_many;
};

static inline size_t element_bytes(struct element e)
{
    return e.type < 0 ? 1 : kp_type_bytes((kp_type)e.type);
}

static inline size_t naive_bytes(const struct naive *n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n->count; i++)
        bytes += element_bytes(n->elements[i]);
    return bytes;
}

/* Adds the elements of `child`, shifted by `offset`. */
static inline void naive_add(struct naive *n, const struct naive *child, ptrdiff_t offset)
{
    n->too_many = n->too_many || n->count + child->count > MOST_ELEMENTS;
    for (size_t i = 0; i < child->count && !n->too_many; i++) {
        n->elements[n->count] = child->elements[i];
        n->elements[n->count++].offset += offset;
    }
    if (!n->bounded || child->lower + offset < n->lower)
        n->lower = child->lower + offset;
    if (!n->bounded || child->upper + offset > n->upper)
        n->upper = child->upper + offset;
    n->bounded = true;
}

static inline void naive_of(const struct node *node, struct naive *n);

static inline void naive_groups(const struct node *node, struct naive *n)
{
    struct naive *child = malloc(sizeof *child);
    for (size_t i = 0; i < node->count; i++) {
        if (i == 0 || node->kind == STRUCT)
            naive_of(node->child[i], child);
        const ptrdiff_t extent = child->upper - child->lower;
        const size_t length = node->kind == CONTIGUOUS ? 1
                              : node->kind == VECTOR   ? node->length
                                                       : node->lengths[i];
        const ptrdiff_t at = node->kind == CONTIGUOUS ? (ptrdiff_t)i * extent
                             : node->kind == VECTOR   ? (ptrdiff_t)i * node->stride * extent
                             : node->kind == INDEXED  ? node->displacements[i] * extent
                                                      : node->displacements[i];
        for (size_t j = 0; j < length; j++)
            naive_add(n, child, at + (ptrdiff_t)j * extent);
        n->too_many = n->too_many || child->too_many;
    }
    free(child);
}

static inline void naive_of(const struct node *node, struct naive *n)
{
    memset(n, 0, sizeof *n);
    if (node->kind == A_BYTE || node->kind == A_TYPE) {
        n->elements[n->count++] = (struct element){0, node->kind == A_BYTE ? -1 : (int)node->type};
        n->upper = (ptrdiff_t)element_bytes(n->elements[0]);
    } else if (node->kind == RESIZED) {
        naive_of(node->child[0], n);
        n->lower = node->stride;
        n->upper = node->stride + (ptrdiff_t)node->extent;
    } else {
        naive_groups(node, n);
    }
}

/* Makes the library's layout of a tree. Basic layouts are not freed, so freeing them must be
 * harmless. */
static inline int layout_of(const struct node *node, kp_layout **made)
{
    kp_layout *of[MOST_CHILDREN] = {NULL};
    const kp_layout *fields[MOST_CHILDREN];
    const size_t children = node->kind == STRUCT ? node->count : node->kind >= CONTIGUOUS;
    int status = 0;
    for (size_t i = 0; i < children && !status; i++) {
        status = layout_of(node->child[i], &of[i]);
        fields[i] = of[i];
    }
    if (status)
        return status;
    switch (node->kind) {
    case A_BYTE:
        *made = NULL;
        break;
    case A_TYPE:
        *made = (kp_layout *)kp_layout_of(node->type);
        break;
    case CONTIGUOUS:
        status = kp_layout_contiguous(node->count, of[0], made);
        break;
    case VECTOR:
        status = kp_layout_vector(node->count, node->length, node->stride, of[0], made);
        break;
    case INDEXED:
        status = kp_layout_indexed(node->count, node->lengths, node->displacements, of[0], made);
        break;
    case STRUCT:
        status = kp_layout_struct(node->count, node->lengths, node->displacements, fields, made);
        break;
    default:
        status = kp_layout_resized(of[0], node->stride, node->extent, made);
    }
    for (size_t i = 0; i < children; i++)
        kp_layout_free(of[i]);
    return status;
}

/* --- Random trees --- */

static inline struct node *random_node(uint64_t *seed, int depth)
{
    static const kp_type types[] = {KP_UINT8, KP_INT16, KP_FLOAT32, KP_FLOAT64};
    struct node *node = calloc(1, sizeof *node);
    node->kind = (enum node_kind)random_below(seed, depth > 0 ? NODE_KINDS : CONTIGUOUS);
    node->type = types[random_below(seed, 4)];
    node->count = (size_t)random_below(seed, MOST_CHILDREN + 1);
    node->length = (size_t)random_below(seed, 4);
    node->stride = random_below(seed, 13) - 6;
    node->extent = (size_t)random_below(seed, 40);
    for (int i = 0; i < MOST_CHILDREN; i++) {
        node->lengths[i] = (size_t)random_below(seed, 3);
        node->displacements[i] =
            node->kind == INDEXED ? random_below(seed, 15) - 7 : random_below(seed, 61) - 30;
    }
    const size_t children = node->kind == STRUCT ? node->count : node->kind >= CONTIGUOUS;
    for (size_t i = 0; i < children; i++)
        node->child[i] = random_node(seed, depth - 1);
    return node;
}

static inline void node_free(struct node *node)
{
    for (int i = 0; i < MOST_CHILDREN && node; i++)
        node_free(node->child[i]);
    free(node);
}

static inline void node_print(const struct node *node, int indent)
{
    static const char *const kinds[] = {"byte",    "type",   "contiguous", "vector",
                                        "indexed", "struct", "resized"};
    print_message("%*s%s type %d, count %zu, length %zu, stride %td, extent %zu", indent, "",
                  kinds[node->kind], (int)node->type, node->count, node->length, node->stride,
                  node->extent);
    for (int i = 0; i < MOST_CHILDREN; i++)
        print_message(", [%zu at %td]", node->lengths[i], node->displacements[i]);
    print_message("\n");
    for (int i = 0; i < MOST_CHILDREN; i++) {
        if (node->child[i])
            node_print(node->child[i], indent + 2);
    }
}

/* --- Shrinking --- */

typedef bool node_fails(const struct node *root, void *context);

/* Tries to make the number at `field` smaller while the test fails. */
static inline bool shrink_number(struct node *root, size_t *field, node_fails *fails, void *context)
{
    const size_t before = *field;
    for (*field = 0; *field < before; ++*field) {
        if (fails(root, context))
            return true;
    }
    return false;
}

static inline bool shrink_node(struct node *root, struct node *node, node_fails *fails,
                               void *context)
{
    const struct node before = *node;
    bool smaller = false;
    for (int i = 0; i < MOST_CHILDREN; i++) {
        if (!before.child[i])
            continue;
        *node = *before.child[i];
        if (fails(root, context))
            return true; /* the rest of the old node is left to the end of the program */
        *node = before;
    }
    if (node->kind >= CONTIGUOUS && node->kind != RESIZED)
        smaller = shrink_number(root, &node->count, fails, context) || smaller;
    smaller = shrink_number(root, &node->length, fails, context) || smaller;
    for (int i = 0; i < MOST_CHILDREN; i++)
        smaller = shrink_number(root, &node->lengths[i], fails, context) || smaller;
    for (int i = 0; i < MOST_CHILDREN && node->child[i]; i++)
        smaller = shrink_node(root, node->child[i], fails, context) || smaller;
    return smaller;
}

/* Prints the smallest tree that was found for which the test fails. */
static inline void node_shrink(struct node *root, node_fails *fails, void *context)
{
    while (shrink_node(root, root, fails, context))
        continue;
    node_print(root, 0);
}

#endif
