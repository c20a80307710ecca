/* Pictures of schedules. What is drawn stands in draw.c, draw_tree.c and draw_memory.c, once; a
 * format is a pen, a handful of callbacks (draw_text.c, draw_svg.c). */
#ifndef KPORT_LIB_DRAW_H
#define KPORT_LIB_DRAW_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdio.h>

#define KP_DRAW_MEMORY_N 16   /* memory is drawn up to so many processors */
#define KP_DRAW_TREE_N   1024 /* where data go is followed among so many */
#define KP_DRAW_SVG_N    128  /* an SVG has columns for so many processors, */
#define KP_DRAW_ROUNDS   64   /* shows so many rounds, */
#define KP_DRAW_ARROWS   4096 /* and so many messages in all; */
#define KP_DRAW_CROWD    512  /* of a symmetric round with more than so many, one processor's */
#define KP_DRAW_NO_TREE  (-1)

/* Arrows between processors: all messages; or those that carry data of one processor, which for a
 * block that goes to all are a spanning tree. */
struct kp_diagram {
    int n, k;
    int rounds; /* of the schedule that are drawn */
    int root;   /* whose data; KP_DRAW_NO_TREE for all messages */
};

struct kp_arrow {
    int round, port, from, to;
    int64_t bytes; /* in a tree: those of the root's */
};

struct kp_pen {
    void *to;           /* handed to every call */
    const char *marked; /* what the pen's marked cells look like, as the subject of a sentence */
    /* Begins a part of the picture; a title may be empty. The first part is the head. */
    void (*section)(void *to, const char *title);
    /* A line of text. */
    void (*line)(void *to, const char *text);
    /* A grid of cells: rows of the same length, the first one headings. An empty text is an empty
     * cell. A marked cell is one whose contents will be sent in the next round. */
    void (*begin_grid)(void *to);
    void (*cell)(void *to, const char *text, bool marked);
    void (*end_row)(void *to);
    void (*end_grid)(void *to);
    /* Arrows, in the order of their rounds, within the limits above. A pen that has none of the
     * three gets grids instead, without limits. */
    void (*begin_arrows)(void *to, const struct kp_diagram *diagram);
    void (*arrow)(void *to, const struct kp_arrow *arrow);
    void (*end_arrows)(void *to);
};

/* The rounds, who sends how much to whom on which port; where the data of processor `tree` go,
 * unless it is KP_DRAW_NO_TREE; and for small n what lies where in every processor's memory before
 * the first round and after each. The schedule has passed the checker. KP_OK, KP_EMEMORY,
 * KP_EARGUMENT (`tree` has no data), KP_EPROBLEM (more arrows in the first round than there may be
 * in all). */
int kp_draw(const kp_schedule *schedule, int tree, const struct kp_pen *pen);

/* The same as text, and as SVG; KP_EPROBLEM where n is beyond KP_DRAW_SVG_N. */
int kp_draw_text(const kp_schedule *schedule, int tree, FILE *file);
int kp_draw_svg(const kp_schedule *schedule, int tree, FILE *file);

#endif
