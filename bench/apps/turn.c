#include "turn.h"

#include "../../tests/apps/apps.h"

/* A tile has TILE rows and columns. Its elements are close together in the matrix and in the
 * result, so a transposition by tiles uses the caches well. */
#define TILE 16

static inline void turn_one(const char *from, size_t from_stride, char *to, size_t to_stride,
                            size_t rows, size_t columns, size_t bytes)
{
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            memcpy(to + (c * to_stride + r) * bytes, from + (r * from_stride + c) * bytes, bytes);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Sets to[c][r] = from[r][c] for all rows r and columns c. The strides count elements. An element
 * has 8 or 16 bytes. */
static void turn_tiles(const char *from, size_t from_stride, char *to, size_t to_stride,
                       size_t rows, size_t columns, size_t bytes)
{
    for (size_t r = 0; r < rows; r += TILE) {
        for (size_t c = 0; c < columns; c += TILE) {
            const char *source = from + (r * from_stride + c) * bytes;
            char *target = to + (c * to_stride + r) * bytes;
            size_t height = least(rows - r, TILE), width = least(columns - c, TILE);
            if (bytes == 8)
                turn_one(source, from_stride, target, to_stride, height, width, 8);
            else
                turn_one(source, from_stride, target, to_stride, height, width, 16);
        }
    }
}

/* Copies the columns that become the member's rows, directly from the rows of all members. */
static void turn_shared(struct talk *t, const struct turn *m)
{
    app_rows own = app_deal(m->columns, t->n, t->me);
    t->calls->barrier(t);
    turn_tiles((const char *)m->from + own.first * m->bytes, m->columns,
               (char *)m->to + own.first * m->rows * m->bytes, m->rows, m->rows, own.count,
               m->bytes);
}

/* Transposes by messages. The member's message to member j has those elements of the member's rows
 * that become rows of member j. The elements are already transposed, so member j copies contiguous
 * pieces. */
static void turn_by_messages(struct talk *t, const struct turn *m)
{
    app_rows rows = app_deal(m->rows, t->n, t->me), columns = app_deal(m->columns, t->n, t->me);
    size_t block = rows.most * columns.most * m->bytes;
    for (size_t j = 0; j < t->n; j++) {
        app_rows theirs = app_deal(m->columns, t->n, j);
        turn_tiles((const char *)m->from + (rows.first * m->columns + theirs.first) * m->bytes,
                   m->columns, (char *)m->out + j * block, rows.most, rows.count, theirs.count,
                   m->bytes);
    }
    t->calls->index(t, m->out, m->in, block);
    for (size_t i = 0; i < t->n; i++) {
        app_rows theirs = app_deal(m->rows, t->n, i);
        const char *in = (const char *)m->in + i * block;
        for (size_t c = 0; c < columns.count; c++)
            memcpy((char *)m->to + ((columns.first + c) * m->rows + theirs.first) * m->bytes,
                   in + c * rows.most * m->bytes, theirs.count * m->bytes);
    }
}

void turn(struct talk *t, const struct turn *matrix)
{
    if (t->calls->shared)
        turn_shared(t, matrix);
    else
        turn_by_messages(t, matrix);
}

size_t turn_message_bytes(const struct turn *m, size_t n)
{
    return n * app_deal(m->rows, n, 0).most * app_deal(m->columns, n, 0).most * m->bytes;
}
