/* Pictures of schedules. draw.c, tree.c and memory.c decide what a picture shows. A format is a
 * pen, a set of callbacks: text.c and svg.c have one each. */
#ifndef KPORT_LIB_DRAW_H
#define KPORT_LIB_DRAW_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdio.h>

#define KP_DRAW_MEMORY_N 16   /* most processors whose memory is drawn */
#define KP_DRAW_TREE_N   1024 /* most processors among which data can be followed */
#define KP_DRAW_SVG_N    128  /* most processors of an SVG picture */
#define KP_DRAW_ROUNDS   64   /* most rounds of an SVG picture */
#define KP_DRAW_ARROWS   4096 /* most messages of an SVG picture */
#define KP_DRAW_CROWD    512  /* if a round has more, a symmetric schedule shows one sender */
#define KP_DRAW_NO_TREE  (-1)

/* A diagram: a set of arrows. The arrows are either all messages, or only those that carry data of
 * one processor, the root. If a block goes to all processors, its arrows are a spanning tree. */
struct kp_diagram {
    int n, k;
    int rounds; /* number of rounds that are drawn */
    int root;   /* the processor whose data are followed; KP_DRAW_NO_TREE: all messages */
};

struct kp_arrow {
    int round, port, from, to;
    int64_t bytes; /* bytes of the message; in a tree only the root's bytes */
};

struct kp_pen {
    void *to;           /* first argument of every callback */
    const char *marked; /* how a marked cell looks, as the subject of a sentence */
    /* Begins a section of the picture. The title may be empty. The first section is the head. */
    void (*section)(void *to, const char *title);
    /* Writes a line of text. */
    void (*line)(void *to, const char *text);
    /* Draw a grid of cells. All its lines have the same number of cells, and the first line has the
     * headings. An empty text is an empty cell. A marked cell's contents are sent in the next
     * round. */
    void (*begin_grid)(void *to);
    void (*cell)(void *to, const char *text, bool marked);
    void (*end_row)(void *to);
    void (*end_grid)(void *to);
    /* Draw arrows, in the order of their rounds. The limits above hold. A pen in which these three
     * are NULL gets grids instead, without limits. */
    void (*begin_arrows)(void *to, const struct kp_diagram *diagram);
    void (*arrow)(void *to, const struct kp_arrow *arrow);
    void (*end_arrows)(void *to);
};

/* Draws a schedule that has passed the checker. The picture has up to three parts. The first part
 * is the rounds, with sender, receiver, port and length of each message. The second is where the
 * data of processor `tree` go, unless `tree` is KP_DRAW_NO_TREE. The third, for
 * n <= KP_DRAW_MEMORY_N, is every processor's memory before the first round and after each. Errors:
 * KP_EMEMORY; KP_EARGUMENT if `tree` has no data; KP_EPROBLEM if a picture cannot have as many
 * processors or arrows. */
int kp_draw(const kp_schedule *schedule, int tree, const struct kp_pen *pen);

/* `kp_draw_text` draws as text, `kp_draw_svg` as SVG. `kp_draw_svg` returns KP_EPROBLEM for
 * n > KP_DRAW_SVG_N. */
int kp_draw_text(const kp_schedule *schedule, int tree, FILE *file);
int kp_draw_svg(const kp_schedule *schedule, int tree, FILE *file);

#endif
