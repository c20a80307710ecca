/* These functions draw pictures of schedules. draw.c, tree.c and memory.c decide what a picture
 * shows, and a pen writes it in one format. A pen is a set of callbacks. text.c has the pen for
 * text, svg.c the pen for SVG. */
#ifndef KPORT_LIB_DRAW_H
#define KPORT_LIB_DRAW_H

#include "kport/schedule.h"
#include "lib/check/account.h"

#include <stdbool.h>
#include <stdio.h>

#define KP_DRAW_MEMORY_N 16 /* the most processors whose memory is drawn */
/* The most processors of a schedule in which kp_draw follows the data of one processor. */
#define KP_DRAW_TREE_N 1024
#define KP_DRAW_SVG_N  128  /* the most processors of an SVG picture */
#define KP_DRAW_ROUNDS 64   /* the most rounds of an SVG picture */
#define KP_DRAW_ARROWS 4096 /* the most messages of an SVG picture */
/* If a symmetric schedule has more messages than this in a round, only the messages that processor
 * 0 sends are drawn. */
#define KP_DRAW_CROWD   512
#define KP_DRAW_NO_TREE (-1)

/* A diagram is a set of arrows, one for each message. It has either all messages, or only the
 * messages that carry data of one processor, the root. In the second case, the arrows form a
 * spanning tree if each block goes to all processors. */
struct kp_diagram {
    int n, k;
    int rounds; /* the number of rounds that are drawn */
    /* The processor whose data are followed; KP_DRAW_NO_TREE: the diagram has all messages. */
    int root;
    const struct kp_mark *mark; /* what is wrong with the schedule; NULL: nothing */
};

struct kp_arrow {
    int round, port, from, to;
    int64_t bytes; /* the bytes of the message; if the diagram has a root, only the bytes of the
                      root's data */
};

/* What a cell of a table is marked as. Both can be. */
enum {
    KP_CELL_SENT = 1,  /* its contents are sent in the next round */
    KP_CELL_WRONG = 2, /* it is the place that is wrong */
};

struct kp_pen {
    void *to; /* the first argument of every callback */
    /* What a cell that is sent is called, as the subject of a sentence ("a shaded block"). */
    const char *marked;
    /* Begins a section of the picture. The title may be empty. The first section is the head of the
     * picture. */
    void (*section)(void *to, const char *title);
    /* Writes a line of text. */
    void (*line)(void *to, const char *text);
    /* These functions draw a table of cells, row by row. All rows have the same number of cells,
     * and the first row has the headings. An empty text gives an empty cell. */
    void (*begin_grid)(void *to);
    void (*cell)(void *to, const char *text, unsigned marks);
    void (*end_row)(void *to);
    void (*end_grid)(void *to);
    /* These functions draw arrows, in the order of their rounds. The numbers of processors, rounds
     * and arrows stay within the limits above. If these three fields are NULL, kp_draw draws tables
     * instead, to which the limits do not apply. */
    void (*begin_arrows)(void *to, const struct kp_diagram *diagram);
    void (*arrow)(void *to, const struct kp_arrow *arrow);
    void (*end_arrows)(void *to);
};

/* Draws a schedule. The caller has checked it (kp_schedule_check); `mark` says where it is wrong,
 * or is NULL. The picture has up to three parts:
 * - the rounds, with the sender, receiver, port and length of each message;
 * - the messages that carry data of processor `tree`, unless `tree` is KP_DRAW_NO_TREE;
 * - for n <= KP_DRAW_MEMORY_N, every processor's memory before the first round and after each.
 *
 * Errors: KP_EMEMORY; KP_EARGUMENT if processor `tree` has no data; KP_EPROBLEM if the picture
 * would exceed a limit above. */
int kp_draw(const kp_schedule *schedule, int tree, const struct kp_mark *mark,
            const struct kp_pen *pen);

/* `kp_draw_text` writes a picture as text, and `kp_draw_svg` as SVG. `kp_draw_svg` returns
 * KP_EPROBLEM for n > KP_DRAW_SVG_N. */
int kp_draw_text(const kp_schedule *schedule, int tree, FILE *file);
int kp_draw_svg(const kp_schedule *schedule, int tree, FILE *file);

/* Does the same as kp_draw_svg. If `mark` is not NULL, the schedule is wrong there: the message or
 * the processor is marked by colour and by an exclamation mark, the sentence of the mark stands
 * below the head, and the memory is drawn up to the round before, with the wrong place marked. */
int kp_draw_svg_marked(const kp_schedule *schedule, int tree, const struct kp_mark *mark,
                       FILE *file);

#endif
