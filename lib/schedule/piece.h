/* Lists of pieces in as few pieces as is easy. */
#ifndef KPORT_LIB_PIECE_H
#define KPORT_LIB_PIECE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdint.h>

static inline int64_t kp_piece_units(const kp_piece *piece)
{
    return piece->count * piece->run;
}

/* Brings a piece into its one form: in a space with a place for every processor, `first` and
 * `stride` in 0 ... size - 1; a single run has stride 0; runs without gaps are one run. `size` is
 * that of such a space, else 0. The piece holds at least one unit. */
void kp_piece_normalise(kp_piece *piece, int64_t size);

/* Makes `last` mean last and then `next`, if one piece can; both in their one form. */
bool kp_piece_merge(kp_piece *last, const kp_piece *next, int64_t size);

#endif
