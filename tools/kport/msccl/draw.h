/* Draws a schedule of MSCCL. */
#ifndef KPORT_TOOLS_MSCCL_DRAW_H
#define KPORT_TOOLS_MSCCL_DRAW_H

#include "tools/kport/msccl/graph.h"

#include <stdio.h>

/* The largest drawing: ranks, and steps one after the other. */
#define MSCCL_DRAWN_RANKS  128
#define MSCCL_DRAWN_LEVELS 256

/* Writes an SVG. Time goes downwards: a step lies one line below the last step that it waits for.
 * A rank is a column, a message an arrow, with the numbers of its chunks, a step within a rank a
 * dot. Returns false if there is no memory or the drawing would be too large; then `error` is a
 * sentence. */
bool msccl_draw(const struct msccl_graph *g, FILE *out, char error[MSCCL_ERROR]);

#endif
