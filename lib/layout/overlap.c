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
    const kp_layout *layout = data->layout;
    struct kp_vector all = {.items = NULL};
    if (!kp_run_repeats(layout->runs, layout->run_count, data->count, layout->extent) ||
        layout->run_count != 1 ||
        kp_runs_repeat(&all, layout->runs, 1, data->count, layout->extent, 0))
        return false;
    *one = *(const struct kp_run *)all.items;
    kp_vector_free(&all);
    return true;
}

/* --- Piece by piece --- */

struct piece {
    uintptr_t begin, end;
    int side; /* which of two data it belongs to */
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

static void add_run(struct pieces *pieces, uintptr_t origin, const struct kp_run *run, int side)
{
    for (size_t row = 0; row < run->rows; row++) {
        uintptr_t at = origin + (uintptr_t)run->offset + row * (uintptr_t)run->pitch;
        for (size_t i = 0; i < run->count; i++, at += (uintptr_t)run->stride) {
            const struct piece *last = pieces->count > 0 ? &pieces->items[pieces->count - 1] : NULL;
            pieces->sorted = pieces->sorted && (!last || last->begin <= at);
            pieces->items[pieces->count++] = (struct piece){at, at + run->bytes, side};
        }
    }
}

static void add_pieces(struct pieces *pieces, const struct kp_laid_data *data, int side)
{
    const kp_layout *layout = data->layout;
    for (size_t block = 0; block < data->count; block++) {
        const uintptr_t origin = (uintptr_t)data->data + block * (uintptr_t)layout->extent;
        for (size_t i = 0; i < layout->run_count; i++)
            add_run(pieces, origin, &layout->runs[i], side);
    }
}

static int by_begin(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Returns whether two pieces overlap. With `sides`, only pieces of different sides count. */
static enum kp_overlap look(struct pieces *pieces, bool sides)
{
    uintptr_t end[2] = {0, 0};
    if (!pieces->sorted)
        qsort(pieces->items, pieces->count, sizeof *pieces->items, by_begin);
    for (size_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->items[i];
        if (piece->begin < end[sides ? 1 - piece->side : piece->side])
            return KP_OVERLAP;
        if (piece->end > end[piece->side])
            end[piece->side] = piece->end;
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
    add_pieces(&pieces, &looked_at, 0);
    const enum kp_overlap overlap = look(&pieces, false);
    free(pieces.items);
    return overlap;
}

enum kp_overlap kp_layouts_meet(const struct kp_laid_data *a, const struct kp_laid_data *b)
{
    const struct kp_laid_data *both[] = {a, b};
    uintptr_t begin[2], end[2];
    struct pieces pieces;
    for (int i = 0; i < 2; i++) {
        ptrdiff_t low, high;
        (void)kp_layout_reach(both[i]->layout, both[i]->count, &low, &high);
        begin[i] = (uintptr_t)both[i]->data + (uintptr_t)low;
        end[i] = (uintptr_t)both[i]->data + (uintptr_t)high;
    }
    if (end[0] <= begin[1] || end[1] <= begin[0] || begin[0] == end[0] || begin[1] == end[1])
        return KP_APART;
    if (!make_room(&pieces, pieces_of(a) + pieces_of(b)))
        return KP_OVERLAP_UNKNOWN;
    add_pieces(&pieces, a, 0);
    add_pieces(&pieces, b, 1);
    const enum kp_overlap overlap = look(&pieces, true);
    free(pieces.items);
    return overlap;
}
