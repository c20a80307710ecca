/* Shortens lists of pieces, as far as that is easy. */
#ifndef KPORT_LIB_PIECE_H
#define KPORT_LIB_PIECE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdint.h>

static inline int64_t kp_piece_units(const kp_piece *piece)
{
    return piece->count * piece->run;
}

/* Brings a piece into its normal form. A single run has stride 0, and runs without gaps become one
 * run. In a space with a place for every processor, `first` and `stride` are in 0 ... size - 1.
 * `size` is the size of such a space, 0 for other spaces. The piece has at least one unit. */
void kp_piece_normalise(kp_piece *piece, int64_t size);

/* Extends `last` by `next` if one piece can describe both. Returns whether it can. Both pieces are
 * in normal form. */
bool kp_piece_merge(kp_piece *last, const kp_piece *next, int64_t size);

#endif
