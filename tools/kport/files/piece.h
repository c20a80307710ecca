/* The pieces of a schedule that is read from a file. */
#ifndef KPORT_TOOLS_PIECE_H
#define KPORT_TOOLS_PIECE_H

#include "tools/kport/files/file.h"

/* Returns whether the piece lies in its space, and names no place twice. If so, sets the end of the
 * places; otherwise sets file->why. */
bool piece_check(struct schedule_file *file, const kp_piece *piece, int64_t *end);

#endif
