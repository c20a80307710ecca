/* A schedule as data for a picture: its steps, the memory of all processors after each round, and
 * where it is wrong. `kport show --json` prints it, and the page of tools/page draws it. */
#ifndef KPORT_TOOLS_PICTURE_H
#define KPORT_TOOLS_PICTURE_H

#include "kport.h"

/* Builds the schedule of a problem, which names its algorithm and all parameters, and prints it as
 * JSON on stdout. A wrong schedule is printed too, with the place where it is wrong. Returns an
 * exit status: EXIT_FAILED if the schedule is wrong; if it is EXIT_IMPOSSIBLE, an error message is
 * on stderr. */
int picture_print_json(const kp_problem *problem);

/* Draws a wrong schedule into the file `path` as `kport check --svg` does, if it is known where it
 * is wrong. Returns EXIT_FAILED, or EXIT_IMPOSSIBLE with an error message on stderr. */
int picture_draw_wrong(const kp_problem *problem, const char *path);

/* Says on stderr that the picture for `path` was not drawn, as it is after an error of the build.
 */
void picture_say_none(const char *path);

#endif
