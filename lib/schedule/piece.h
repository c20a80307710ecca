/* These functions shorten lists of pieces if this is easy: neighbouring pieces become one piece. */
#ifndef KPORT_LIB_PIECE_H
#define KPORT_LIB_PIECE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdint.h>

static inline int64_t kp_piece_units(const kp_piece *piece)
{
    return piece->count * piece->run;
}

/* Normalises a piece, which has at least one unit. A single run gets stride 0, and runs without
 * gaps become a single run. If positions in the piece's space are taken modulo the size of this
 * space, `size` is this size; else `size` is 0. If `size` is not 0, `first` and `stride` become
 * numbers in 0 ... size - 1. */
void kp_piece_normalise(kp_piece *piece, int64_t size);

/* If one piece can describe `last` followed by `next`, makes `last` this piece and returns true.
 * Otherwise returns false. Both pieces must be normalised, with the same `size`. */
bool kp_piece_merge(kp_piece *last, const kp_piece *next, int64_t size);

#endif
