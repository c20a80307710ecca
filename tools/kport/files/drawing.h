/* What the drawings of a schedule have in common. In a drawing time goes downwards, a processor is
 * a column, and a message is an arrow from the round's beginning to its end. */
#ifndef KPORT_TOOLS_DRAWING_H
#define KPORT_TOOLS_DRAWING_H

#include "tools/kport/files/view.h"

#include <stdbool.h>
#include <stdio.h>

#define DRAWING_N        128
#define DRAWING_ROUNDS   64
#define DRAWING_MESSAGES 4096
#define DRAWING_COLOURS  8

/* The colours of the sender's ports, as RRGGBB. A port beyond the last has the first again. */
extern const char *const drawing_colours[DRAWING_COLOURS];

/* If the schedule is too large to be legible, prints why on stderr and returns true. */
bool drawing_refuses(const kp_schedule *schedule);

/* Writes what stands beside an arrow: the places of the units at the sender, the first two pieces,
 * and "+" before them if the receiver combines them. */
void drawing_label(FILE *out, const struct view_step *step);

/* Writes the schedule's problem string. A file's name may have characters that mean something to
 * Graphviz or TeX, or that are not ASCII; a question mark stands for them. */
void drawing_title(FILE *out, const kp_schedule *schedule);

#endif
