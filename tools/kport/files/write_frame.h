/* What the forms in which a schedule is written have in common: the version, the words, and what
 * stands before the steps. */
#ifndef KPORT_TOOLS_WRITE_FRAME_H
#define KPORT_TOOLS_WRITE_FRAME_H

#include "kport.h"
#include "tools/kport/files/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The version of both forms. A reader refuses any other. */
#define WRITE_VERSION 1

extern const char *const write_spaces[KP_SPACES]; /* the words for kp_space */
extern const char *const write_sides[];           /* the words for KP_LEFT and KP_RIGHT */

/* Writes the schedule's problem without its algorithm to `text`. */
void write_problem(const kp_schedule *schedule, char *text, size_t size);

/* Returns what the positions of the schedule count: "blocks", "bytes" or "elements". */
const char *write_units(const kp_schedule *schedule);

/* Writes up to `most` pieces as text, each behind a space: "in[3]", "in[3..6]" or "in[3..6 by 8 x
 * 2]", from place 3 to 6, and again 8 places on. If there are more pieces, "..." follows. */
void write_pieces(FILE *out, const struct view_pieces *pieces, size_t most);

/* If a file cannot have this schedule, prints why on stderr and returns true. */
bool write_refuses(const kp_schedule *schedule);

/* Says on stderr that there is no memory. Returns EXIT_IMPOSSIBLE. */
int write_no_memory(void);

#endif
