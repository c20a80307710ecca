/* Pictures of schedules. What is drawn stands in draw.c, once; a format is a pen, a handful of
 * callbacks (draw_text.c). */
#ifndef KPORT_LIB_DRAW_H
#define KPORT_LIB_DRAW_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdio.h>

#define KP_DRAW_MEMORY_N 16 /* memory is drawn up to so many processors */

struct kp_pen {
    void *to; /* handed to every call */
    /* A line of text. */
    void (*line)(void *to, const char *text);
    /* A grid of cells: rows of the same length, the first one headings. A marked cell is one whose
     * contents will be sent in the next round. */
    void (*begin_grid)(void *to);
    void (*cell)(void *to, const char *text, bool marked);
    void (*end_row)(void *to);
    void (*end_grid)(void *to);
};

/* The rounds as a table, who sends how much to whom on which port; and for small n what lies where
 * in every processor's memory before the first round and after each. The schedule has passed the
 * checker. KP_OK or KP_EMEMORY. */
int kp_draw(const kp_schedule *schedule, const struct kp_pen *pen);

/* The same as text. */
int kp_draw_text(const kp_schedule *schedule, FILE *file);

#endif
