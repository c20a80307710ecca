/* A two-dimensional Fourier transform. Each member transforms its rows, all members transpose the
 * matrix, each member transforms its new rows, and all members transpose the matrix back. */
#include "../../tests/apps/fft2d.h"

#include "turn.h"

static bool pose(size_t size, struct posed *posed)
{
    square *s = malloc(sizeof *s);
    size_t values = size * size;
    number *memory = calloc(2 * values + size / 2, sizeof *memory);
    if (!s || !memory)
        return false;
    *s = (square){
        .side = size, .signal = memory, .spectrum = memory + values, .roots = memory + 2 * values};
    fill(s, 1);
    *posed = (struct posed){s, s->spectrum, values * sizeof *memory};
    return true;
}

enum {
    ROWS,
    COLUMNS,
    TRANSFORMED,
    OUT,
    IN
};

static struct turn turn_of(const square *s)
{
    return (struct turn){.rows = s->side, .columns = s->side, .bytes = sizeof(number)};
}

static void plan(const void *problem, size_t n, bool shared, struct room *rooms)
{
    const square *s = problem;
    struct turn there = turn_of(s);
    struct room whole = {.bytes = s->side * s->side * sizeof(number), .common = true};
    rooms[ROWS] = rooms[COLUMNS] = rooms[TRANSFORMED] = whole;
    if (!shared)
        rooms[OUT].bytes = rooms[IN].bytes = turn_message_bytes(&there, n);
}

static void run(struct talk *t, void *problem)
{
    const square *s = problem;
    app_rows own = app_deal(s->side, t->n, t->me);
    size_t first = own.first * s->side;
    number *rows = t->array[ROWS], *columns = t->array[COLUMNS];
    number *transformed = t->array[TRANSFORMED];
    struct turn move = turn_of(s);
    move.out = t->array[OUT];
    move.in = t->array[IN];

    transform_rows(s, own.count, s->signal + first, rows + first);
    move.from = rows;
    move.to = columns;
    turn(t, &move);
    transform_rows(s, own.count, columns + first, transformed + first);
    move.from = transformed;
    move.to = s->spectrum;
    turn(t, &move);
}

static bool right(const void *problem)
{
    const square *s = problem;
    const app a = {.name = "fft2d", .seed = 1};
    size_t values = s->side * s->side;
    number *room = calloc(2 * values, sizeof *room);
    bool same = room && verify(&a, s, room, room + values);
    free(room);
    return same;
}

const struct whole fft2d = {"fft2d", 256, 16, pose, plan, run, right};
