/* Draws in SVG how the data of one processor, the root, spread as a tree. There is a picture of the
 * tree after every round, as in Bruck et al. 1997, Figs. 7 and 8. Each processor stands below the
 * processor that first sent it data of the root. An arrow is dashed if its receiver had data of the
 * root already. */
#include "lib/draw/svg.h"

#include <stdlib.h>
#include <string.h>

#define RADIUS 13
#define LEVEL  56   /* the distance between two levels of the tree; larger for wide trees */
#define STAGES 8    /* if more rounds add edges, only the last tree is drawn */
#define WRAP   1000 /* the greatest width of all trees that stand side by side */

/* An edge of the tree: all messages from one processor to another. */
struct edge {
    int from, to, port;
    int first, last; /* the rounds of the edge's first and last message */
    int64_t bytes;   /* the bytes of all its messages */
    bool grows;      /* true: the edge's receiver had no data of the root before */
};

struct node {
    bool reached;
    /* `depth` is the processor's depth in the tree. `leaves` is the number of leaves below it, at
     * least 1. */
    int depth, leaves;
    int left; /* the number of leaves to the left of the processor's leaves */
    int used; /* how many of the processor's leaves lie below those of its children that already
                 have a position */
};

struct tree {
    struct kp_svg *svg;
    const struct kp_diagram *diagram;
    struct node *nodes;
    struct edge *edges;
    int *edge_of; /* edge_of[from * n + to] is the edge's index + 1, or 0 if there is no edge */
    int edge_count, spacing, level;
    bool grown; /* true: only the last tree is drawn */
    struct kp_svg_scale scale;
    int x, y; /* the upper left corner of the current tree */
};

static void add_edges(struct tree *t)
{
    const struct kp_arrow *arrows = t->svg->arrows.items;
    t->nodes[t->diagram->root].reached = true;
    for (size_t i = 0; i < t->svg->arrows.count; i++) {
        const struct kp_arrow *a = &arrows[i];
        int *number = &t->edge_of[a->from * t->diagram->n + a->to];
        if (*number > 0) {
            t->edges[*number - 1].last = a->round;
            t->edges[*number - 1].bytes += a->bytes;
            continue;
        }
        t->edges[t->edge_count++] = (struct edge){
            a->from, a->to, a->port, a->round, a->round, a->bytes, !t->nodes[a->to].reached};
        *number = t->edge_count;
        t->nodes[a->to].reached = true;
    }
}

/* Computes the position of each node. The edges are in the order of their rounds. A processor must
 * receive the root's data before it can send the data on. So the edge to a parent comes before the
 * edges to the parent's children. */
static void place_nodes(struct tree *t)
{
    t->nodes[t->diagram->root].leaves = 0;
    for (int i = t->edge_count - 1; i >= 0; i--) {
        const struct edge *e = &t->edges[i];
        struct node *child = &t->nodes[e->to];
        if (!e->grows)
            continue;
        child->leaves += child->leaves == 0;
        t->nodes[e->from].leaves += child->leaves;
    }
    for (int i = 0; i < t->edge_count; i++) {
        const struct edge *e = &t->edges[i];
        struct node *parent = &t->nodes[e->from], *child = &t->nodes[e->to];
        if (!e->grows)
            continue;
        child->depth = parent->depth + 1;
        child->left = parent->left + parent->used;
        parent->used += child->leaves;
    }
}

static int leaves_of(const struct tree *t, int rank)
{
    return t->nodes[rank].leaves > 0 ? t->nodes[rank].leaves : 1;
}

/* Returns the centre of a processor's circle, in tenths of a pixel. */
static struct kp_svg_point point_of(const struct tree *t, int rank)
{
    const struct node *node = &t->nodes[rank];
    int half_leaves = 2 * node->left + leaves_of(t, rank);
    return (struct kp_svg_point){10 * t->x + 5 * half_leaves * t->spacing,
                                 10 * (t->y + RADIUS + 2 + node->depth * t->level)};
}

/* Draws an edge of the tree as it is after a round. The edge is pale unless its first or its last
 * message was sent in this round. */
static void draw_edge(const struct tree *t, const struct edge *e, int round)
{
    struct kp_svg *svg = t->svg;
    char port[16], rounds[32];
    bool old = !t->grown && e->first < round && e->last != round;
    struct kp_svg_point from = point_of(t, e->from), to = point_of(t, e->to);
    struct kp_svg_point start = kp_svg_before(to, from, 10 * RADIUS);
    struct kp_svg_point end = kp_svg_before(from, to, 10 * RADIUS + 10);
    int used = snprintf(rounds, sizeof rounds, "%d", e->first);
    if (e->first < e->last && e->last <= round)
        snprintf(rounds + used, sizeof rounds - (size_t)used, "-%d", e->last);
    kp_svg_put(svg, "<g class=\"arrow %s%s\"><title>", old ? "old" : kp_svg_port(e->port, port),
               e->grows ? "" : " again");
    kp_svg_put(svg, "round %s: %d to %d, port %d, %lld bytes%s</title>", rounds, e->from, e->to,
               e->port, (long long)e->bytes, e->first < e->last ? " in all" : "");
    kp_svg_arrow(svg, start, end, kp_svg_thickness(&t->scale, e->bytes));
    kp_svg_text(svg, (int)(from.x + to.x) / 20 + 5, (int)(from.y + to.y) / 20 + 4, "", rounds);
    kp_svg_put(svg, "</g>\n");
}

static void draw_node(const struct tree *t, int rank)
{
    struct kp_svg_point middle = point_of(t, rank);
    int x = (int)middle.x / 10, y = (int)middle.y / 10;
    char text[16];
    snprintf(text, sizeof text, "%d", rank);
    kp_svg_put(t->svg, "<circle class=\"rank%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n",
               rank == t->diagram->root ? " root" : "", x, y, RADIUS);
    kp_svg_text(t->svg, x, y + 4, "mid", text);
}

/* Draws the tree as it is after a round. */
static void draw_stage(const struct tree *t, int round)
{
    char title[32];
    kp_svg_put(t->svg, "<g class=\"tree\">\n");
    snprintf(title, sizeof title, "after round %d", round);
    kp_svg_text(t->svg, t->x, t->y - 10, "soft", title);
    for (int i = 0; i < t->edge_count; i++) {
        if (t->edges[i].first <= round)
            draw_edge(t, &t->edges[i], round);
    }
    draw_node(t, t->diagram->root);
    for (int i = 0; i < t->edge_count; i++) {
        if (t->edges[i].grows && t->edges[i].first <= round)
            draw_node(t, t->edges[i].to);
    }
    kp_svg_put(t->svg, "</g>\n");
}

/* Returns the number of rounds that add edges to the tree. */
static int count_stages(const struct tree *t)
{
    int count = 0, last = -1;
    for (int i = 0; i < t->edge_count; i++) {
        count += t->edges[i].first != last;
        last = t->edges[i].first;
    }
    return count;
}

/* Returns the height in pixels of the tree as it is after a round. */
static int height_after(const struct tree *t, int round)
{
    int depth = 0;
    for (int i = 0; i < t->edge_count; i++) {
        if (t->edges[i].first <= round && t->nodes[t->edges[i].to].depth > depth)
            depth = t->nodes[t->edges[i].to].depth;
    }
    return depth * t->level + 2 * RADIUS + 4;
}

static void draw_stages(struct tree *t)
{
    int width = leaves_of(t, t->diagram->root) * t->spacing, bottom = 0;
    width = width < 100 ? 100 : width;
    t->y = t->svg->height + 24;
    if (t->edge_count == 0) {
        draw_node(t, t->diagram->root);
        kp_svg_reach(t->svg, width, t->y + 2 * RADIUS + 4);
    }
    for (int i = 0; i < t->edge_count; i++) {
        int round = t->edges[i].first;
        if (i + 1 < t->edge_count && (t->grown || t->edges[i + 1].first == round))
            continue;
        if (t->x > 0 && t->x + width > WRAP) {
            t->x = 0;
            t->y = bottom + 48;
        }
        draw_stage(t, t->grown ? t->diagram->rounds - 1 : round);
        bottom = t->y + height_after(t, round);
        kp_svg_reach(t->svg, t->x + width, bottom);
        t->x += width + 48;
    }
}

/* Computes the scale of thickness, in which an edge has the bytes of all its messages. */
static void scale_edges(struct tree *t)
{
    t->svg->arrows.count = 0;
    for (int i = 0; i < t->edge_count; i++) {
        const struct edge *e = &t->edges[i];
        struct kp_arrow *kept = kp_vector_add(&t->svg->arrows, sizeof *kept);
        if (kept)
            *kept = (struct kp_arrow){e->first, e->port, e->from, e->to, e->bytes};
    }
    t->scale = kp_svg_scale_of(t->svg, 40);
}

void kp_svg_tree(struct kp_svg *svg)
{
    size_t n = (size_t)svg->diagram.n;
    struct tree t = {.svg = svg,
                     .diagram = &svg->diagram,
                     .nodes = calloc(n, sizeof *t.nodes),
                     .edges = calloc(svg->arrows.count + 1, sizeof *t.edges),
                     .edge_of = calloc(n * n, sizeof *t.edge_of)};
    svg->failed |= !t.nodes || !t.edges || !t.edge_of;
    if (!svg->failed) {
        add_edges(&t);
        scale_edges(&t);
        place_nodes(&t);
        t.spacing = leaves_of(&t, svg->diagram.root) > 32 ? 30 : 42;
        t.level = LEVEL + leaves_of(&t, svg->diagram.root) * t.spacing / 24;
        t.grown = count_stages(&t) > STAGES;
        draw_stages(&t);
        kp_svg_legend(svg, &t.scale);
    }
    free(t.nodes);
    free(t.edges);
    free(t.edge_of);
}
