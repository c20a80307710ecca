#include "lib/layout/stream.h"

#include <string.h>

/* --- A position within the runs --- */

/* A position in a piece. In a contiguous buffer all that is left is one piece. */
struct cursor {
    const kp_layout *layout; /* NULL: contiguous */
    char *block;             /* the origin of the current block */
    const struct kp_run *run;
    size_t row, piece; /* the current piece, in its row, and this row, in the run */
    char *at;
    size_t left; /* the bytes of the piece that are left */
};

/* Goes to byte `offset` of the data of the current run. */
static void enter(struct cursor *c, size_t offset)
{
    const struct kp_run *run = c->run;
    const size_t piece = offset / run->bytes, within = offset % run->bytes;
    c->row = run->rows == 1 ? 0 : piece / run->count;
    c->piece = piece - c->row * run->count;
    c->at = c->block + run->offset + (ptrdiff_t)c->row * run->pitch +
            (ptrdiff_t)c->piece * run->stride + within;
    c->left = run->bytes - within;
}

static struct cursor cursor_of(const struct kp_position *position)
{
    const kp_layout *layout = position->layout;
    struct cursor c = {.layout = layout, .at = position->data, .left = SIZE_MAX};
    if (!layout) {
        c.at += position->at;
        return c;
    }
    const size_t offset = (size_t)(position->at % layout->bytes);
    c.block = position->data + (ptrdiff_t)(position->at / layout->bytes) * layout->extent;
    size_t first = 0, end = layout->run_count;
    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;
        if (layout->runs[middle].before <= offset)
            first = middle;
        else
            end = middle;
    }
    c.run = &layout->runs[first];
    enter(&c, offset - c.run->before);
    return c;
}

/* Goes on by `bytes` bytes, which do not reach beyond the current run. */
static void go_on(struct cursor *c, size_t bytes)
{
    if (bytes < c->left) {
        c->at += bytes;
        c->left -= bytes;
        return;
    }
    const struct kp_run *run = c->run;
    const size_t all = run->bytes * run->count * run->rows;
    const size_t offset =
        (c->row * run->count + c->piece) * run->bytes + (run->bytes - c->left) + bytes;
    if (offset < all) {
        enter(c, offset);
        return;
    }
    if (++c->run == c->layout->runs + c->layout->run_count) {
        c->run = c->layout->runs;
        c->block += c->layout->extent;
    }
    enter(c, 0);
}

/* --- Many copies of one length --- */

/* `rows` rows of `count` copies of `bytes` bytes each. */
struct grid {
    char *to;
    const char *from;
    ptrdiff_t to_step, from_step, to_pitch, from_pitch;
    size_t bytes, count, rows;
};

/* A grid is copied in tiles of this many rows and columns. So each cache line that is fetched is
 * used before it is evicted, if on one side the neighbours lie in a row, and on the other side in a
 * column. In a matrix whose width is a power of two, the lines of a column share few sets of the
 * cache: larger tiles evict each other's lines (2048 doubles, 8 ways: 8 x 8 takes 1.5 to 2 times as
 * long as 4 x 4, on an EPYC of family 25). */
#define TILE 4

static inline __attribute__((always_inline)) void copy_rows(const struct grid *g, size_t row,
                                                            size_t rows, size_t piece, size_t count,
                                                            const size_t bytes)
{
    for (size_t i = row; i < row + rows; i++) {
        char *to = g->to + (ptrdiff_t)i * g->to_pitch + (ptrdiff_t)piece * g->to_step;
        const char *from = g->from + (ptrdiff_t)i * g->from_pitch + (ptrdiff_t)piece * g->from_step;
        for (size_t j = 0; j < count; j++, to += g->to_step, from += g->from_step)
            memcpy(to, from, bytes);
    }
}

static inline __attribute__((always_inline)) void copy_tiles(const struct grid *g,
                                                             const size_t bytes)
{
    for (size_t piece = 0; piece < g->count; piece += TILE) {
        const size_t count = g->count - piece < TILE ? g->count - piece : TILE;
        for (size_t row = 0; row < g->rows; row += TILE)
            copy_rows(g, row, g->rows - row < TILE ? g->rows - row : TILE, piece, count, bytes);
    }
}

static inline __attribute__((always_inline)) void copy_grid(const struct grid *g,
                                                            const size_t bytes)
{
    if (g->rows > 1)
        copy_tiles(g, bytes);
    else
        copy_rows(g, 0, 1, 0, g->count, bytes);
}

/* The compiler makes a loop for each of the most frequent lengths. */
static void copy(const struct grid *g)
{
    switch (g->bytes) {
    case 1:
        copy_grid(g, 1);
        break;
    case 4:
        copy_grid(g, 4);
        break;
    case 8:
        copy_grid(g, 8);
        break;
    case 16:
        copy_grid(g, 16);
        break;
    default:
        copy_rows(g, 0, g->rows, 0, g->count, g->bytes);
    }
}

/* --- Run meets run --- */

/* Returns how many pieces of `bytes` bytes lie at equal distances `*step` from the position on. */
static size_t in_a_row(const struct cursor *c, size_t bytes, ptrdiff_t *step)
{
    *step = (ptrdiff_t)bytes;
    if (c->left > bytes)
        return c->left / bytes;
    if (!c->run || bytes < c->run->bytes)
        return 1;
    *step = c->run->stride;
    return c->run->count - c->piece;
}

/* Returns how many rows of `count` pieces of `bytes` bytes lie at equal distances `*pitch`. A row
 * is a part of a piece, a whole piece, or a row of the run. */
static size_t rows_from(const struct cursor *c, size_t bytes, size_t count, ptrdiff_t *pitch)
{
    const size_t row = bytes * count;
    *pitch = (ptrdiff_t)row;
    if (c->left > row)
        return c->left / row;
    if (row == c->run->bytes) {
        *pitch = c->run->stride;
        return c->run->count - c->piece;
    }
    if (c->left == row || count != c->run->count || c->piece > 0)
        return 1;
    *pitch = c->run->pitch;
    return c->run->rows - c->row;
}

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

void kp_stream_copy(const struct kp_position *to, const struct kp_position *from, size_t bytes)
{
    if (bytes == 0)
        return;
    struct cursor into = cursor_of(to), out = cursor_of(from);
    if (into.at == out.at && to->layout == from->layout)
        return;
    while (bytes > 0) {
        struct grid g = {.to = into.at, .from = out.at, .bytes = least(into.left, out.left, bytes)};
        g.count = least(in_a_row(&into, g.bytes, &g.to_step), in_a_row(&out, g.bytes, &g.from_step),
                        bytes / g.bytes);
        g.rows =
            least(rows_from(&into, g.bytes, g.count, &g.to_pitch),
                  rows_from(&out, g.bytes, g.count, &g.from_pitch), bytes / (g.bytes * g.count));
        copy(&g);
        bytes -= g.bytes * g.count * g.rows;
        if (bytes == 0)
            return;
        go_on(&into, g.bytes * g.count * g.rows);
        go_on(&out, g.bytes * g.count * g.rows);
    }
}
