#include "lib/layout/overlap.h"

#include "lib/layout/runs.h"

#include <stdlib.h>

/* --- Without looking at every piece --- */

/* Returns whether the pieces of a run cannot overlap: the rows lie one after the other, or the
 * pieces of one row lie between those of the others. */
static bool run_is_apart(const struct kp_run *run)
{
    const size_t stride = (size_t)(run->stride < 0 ? -run->stride : run->stride);
    const size_t pitch = (size_t)(run->pitch < 0 ? -run->pitch : run->pitch);
    const size_t row = (run->count - 1) * stride + run->bytes;
    if (run->count > 1 && stride < run->bytes)
        return false;
    return run->rows == 1 || pitch >= row ||
           (pitch >= run->bytes && stride >= (run->rows - 1) * pitch + run->bytes);
}

static bool is_one_run(const struct kp_laid_data *data, struct kp_run *one)
{
    *one = data->layout->runs[0];
    return data->layout->run_count == 1 && kp_run_repeat(one, data->count, data->layout->extent);
}

/* --- Piece by piece --- */

struct piece {
    uintptr_t begin, end;
    bool in; /* whether it belongs to the incoming data */
};

struct pieces {
    struct piece *items;
    size_t count;
    bool sorted;
};

static size_t pieces_of(const struct kp_laid_data *data)
{
    size_t pieces = 0;
    for (size_t i = 0; i < data->layout->run_count; i++)
        pieces += data->layout->runs[i].count * data->layout->runs[i].rows;
    return pieces * data->count;
}

static void add_run(struct pieces *pieces, uintptr_t origin, const struct kp_run *run, bool in)
{
    for (size_t row = 0; row < run->rows; row++) {
        uintptr_t at = origin + (uintptr_t)run->offset + row * (uintptr_t)run->pitch;
        for (size_t i = 0; i < run->count; i++, at += (uintptr_t)run->stride) {
            const struct piece *last = pieces->count > 0 ? &pieces->items[pieces->count - 1] : NULL;
            pieces->sorted = pieces->sorted && (!last || last->begin <= at);
            pieces->items[pieces->count++] = (struct piece){at, at + run->bytes, in};
        }
    }
}

static void add_pieces(struct pieces *pieces, const struct kp_laid_data *data, bool in)
{
    const kp_layout *layout = data->layout;
    for (size_t block = 0; block < data->count; block++) {
        const uintptr_t origin = (uintptr_t)data->data + block * (uintptr_t)layout->extent;
        for (size_t i = 0; i < layout->run_count; i++)
            add_run(pieces, origin, &layout->runs[i], in);
    }
}

static int by_begin(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Returns whether an incoming piece overlaps another piece. */
static enum kp_overlap look(struct pieces *pieces)
{
    uintptr_t in_end = 0, out_end = 0;
    if (!pieces->sorted)
        qsort(pieces->items, pieces->count, sizeof *pieces->items, by_begin);
    for (size_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->items[i];
        uintptr_t *end = piece->in ? &in_end : &out_end;
        if (piece->begin < in_end || (piece->in && piece->begin < out_end))
            return KP_OVERLAP;
        *end = piece->end > *end ? piece->end : *end;
    }
    return KP_APART;
}

static bool make_room(struct pieces *pieces, size_t count)
{
    *pieces = (struct pieces){.sorted = true};
    if (count <= SIZE_MAX / sizeof *pieces->items)
        pieces->items = malloc((count > 0 ? count : 1) * sizeof *pieces->items);
    return pieces->items;
}

enum kp_overlap kp_layout_overlaps(const struct kp_laid_data *data)
{
    const kp_layout *layout = data->layout;
    struct kp_laid_data looked_at = *data;
    struct pieces pieces;
    struct kp_run one;
    if (layout->run_count == 0 || data->count == 0)
        return KP_APART;
    if (is_one_run(data, &one) && run_is_apart(&one))
        return KP_APART;
    /* Blocks that lie one after the other are all like the first. */
    if (layout->extent >= layout->end - layout->begin)
        looked_at.count = 1;
    if (!make_room(&pieces, pieces_of(&looked_at)))
        return KP_OVERLAP_UNKNOWN;
    add_pieces(&pieces, &looked_at, true);
    const enum kp_overlap overlap = look(&pieces);
    free(pieces.items);
    return overlap;
}

/* --- Two buffers --- */

static struct piece whole_of(const struct kp_laid_data *data)
{
    ptrdiff_t begin = 0, end = (ptrdiff_t)data->count;
    if (data->layout)
        (void)kp_layout_reach(data->layout, data->count, &begin, &end);
    return (struct piece){(uintptr_t)data->data + (uintptr_t)begin,
                          (uintptr_t)data->data + (uintptr_t)end, true};
}

static bool sorted_pieces_of(struct pieces *pieces, const struct kp_laid_data *data)
{
    if (!make_room(pieces, data->layout ? pieces_of(data) : 1))
        return false;
    if (data->layout)
        add_pieces(pieces, data, true);
    else
        pieces->items[pieces->count++] = whole_of(data);
    if (!pieces->sorted)
        qsort(pieces->items, pieces->count, sizeof *pieces->items, by_begin);
    return true;
}

static bool share(const struct pieces *a, const struct pieces *b)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        if (a->items[i].end <= b->items[j].begin)
            i++;
        else if (b->items[j].end <= a->items[i].begin)
            j++;
        else
            return true;
    }
    return false;
}

enum kp_overlap kp_layouts_share(const struct kp_laid_data *a, const struct kp_laid_data *b)
{
    const struct piece one = whole_of(a), other = whole_of(b);
    struct pieces of_a, of_b = {0};
    if (one.end <= other.begin || other.end <= one.begin)
        return KP_APART;
    const bool made = sorted_pieces_of(&of_a, a) && sorted_pieces_of(&of_b, b);
    const bool found = made && share(&of_a, &of_b);
    free(of_a.items);
    free(of_b.items);
    return found ? KP_OVERLAP : made ? KP_APART : KP_OVERLAP_UNKNOWN;
}

/* --- Several buffers --- */

/* Adds the range of all data as one piece. */
static void add_whole(struct pieces *pieces, const struct kp_laid_data *data, bool in)
{
    ptrdiff_t begin, end;
    (void)kp_layout_reach(data->layout, data->count, &begin, &end);
    if (begin < end)
        pieces->items[pieces->count++] = (struct piece){(uintptr_t)data->data + (uintptr_t)begin,
                                                        (uintptr_t)data->data + (uintptr_t)end, in};
}

static enum kp_overlap look_at_all(const struct kp_laid_data *in, size_t in_count,
                                   const struct kp_laid_data *out, size_t out_count, bool whole)
{
    size_t count = 0;
    struct pieces pieces;
    for (size_t i = 0; i < in_count + out_count; i++)
        count += whole ? 1 : pieces_of(i < in_count ? &in[i] : &out[i - in_count]);
    if (!make_room(&pieces, count))
        return KP_OVERLAP_UNKNOWN;
    for (size_t i = 0; i < in_count + out_count; i++)
        (whole ? add_whole : add_pieces)(&pieces, i < in_count ? &in[i] : &out[i - in_count],
                                         i < in_count);
    pieces.sorted = pieces.sorted && !whole;
    const enum kp_overlap overlap = look(&pieces);
    free(pieces.items);
    return overlap;
}

enum kp_overlap kp_layouts_meet(const struct kp_laid_data *in, size_t in_count,
                                const struct kp_laid_data *out, size_t out_count)
{
    const enum kp_overlap of_ranges = look_at_all(in, in_count, out, out_count, true);
    return of_ranges == KP_OVERLAP ? look_at_all(in, in_count, out, out_count, false) : of_ranges;
}
