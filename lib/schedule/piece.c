#include "lib/schedule/piece.h"

#include "lib/schedule/arithmetic.h"

static int64_t reduce(int64_t position, int64_t size)
{
    return size > 0 ? kp_mod(position, size) : position;
}

void kp_piece_normalise(kp_piece *piece, int64_t size)
{
    piece->first = reduce(piece->first, size);
    piece->stride = piece->count > 1 ? reduce(piece->stride, size) : 0;
    if (piece->count > 1 && piece->stride == piece->run) {
        piece->run *= piece->count;
        piece->count = 1;
        piece->stride = 0;
    }
}

/* Suppose that the runs of `last` are `stride` apart and that `last` has one run more. Returns
 * whether `next` begins where this run would begin. */
static bool continues(const kp_piece *last, const kp_piece *next, int64_t stride, int64_t size)
{
    return reduce(last->first + last->count * stride, size) == next->first;
}

bool kp_piece_merge(kp_piece *last, const kp_piece *next, int64_t size)
{
    if (last->space != next->space ||
        (size > 0 && kp_piece_units(last) + kp_piece_units(next) > size))
        return false;
    if (last->count == 1 && next->count == 1 && continues(last, next, last->run, size)) {
        last->run += next->run;
        return true;
    }
    if (last->run != next->run)
        return false;
    int64_t stride = last->count > 1   ? last->stride
                     : next->count > 1 ? next->stride
                                       : reduce(next->first - last->first, size);
    if ((next->count > 1 && next->stride != stride) || !continues(last, next, stride, size))
        return false;
    last->stride = stride;
    last->count += next->count;
    return true;
}
