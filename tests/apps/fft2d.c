/* A two-dimensional Fourier transform.
 *
 * Each processor has a block of adjacent rows of the square and transforms these rows. An index
 * (kp_index) transposes the square, so that its columns become rows. Each processor transforms its
 * new rows. A second index transposes the square back. */
#include "fft2d.h"

/* Transposes the square; `rows` are this processor's rows, before and after. Block j of `out` has
 * the elements of this processor's rows that lie in the columns of processor j. Block i of `in` has
 * the elements that processor i sent. */
static int transpose(kp_group *world, size_t side, app_rows own, number *rows, number *out,
                     number *in)
{
    size_t n = (size_t)kp_size(world), block = own.most * own.most;
    for (size_t j = 0; j < n; j++) {
        app_rows theirs = app_deal(side, n, j);
        for (size_t c = 0; c < theirs.count; c++)
            for (size_t r = 0; r < own.count; r++)
                out[j * block + c * own.most + r] = rows[r * side + theirs.first + c];
    }
    int status = kp_index(world, out, in, block * sizeof *out, NULL);
    for (size_t i = 0; i < n && status == 0; i++) {
        app_rows theirs = app_deal(side, n, i);
        for (size_t c = 0; c < own.count; c++)
            memcpy(rows + c * side + theirs.first, in + i * block + c * own.most,
                   theirs.count * sizeof *rows);
    }
    return status;
}

/* The work of one processor. */
static int work(kp_group *world, const square *s, app_rows own, number *rows, number *out,
                number *in)
{
    number *spectrum = s->spectrum + own.first * s->side;
    transform_rows(s, own.count, s->signal + own.first * s->side, rows);
    int status = transpose(world, s->side, own, rows, out, in);
    if (status != 0)
        return status;
    transform_rows(s, own.count, rows, spectrum);
    return transpose(world, s->side, own, spectrum, out, in);
}

static int program(kp_proc *self, void *shared)
{
    const square *s = shared;
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world);
    app_rows own = app_deal(s->side, n, (size_t)kp_rank(world));
    number *rows = calloc(own.most * s->side, sizeof *rows);
    number *out = calloc(n * own.most * own.most, sizeof *out);
    number *in = calloc(n * own.most * own.most, sizeof *in);
    int status = rows && out && in ? work(world, s, own, rows, out, in)
                                   : kp_fail(self, "there is not enough memory for the rows");
    free(in);
    free(out);
    free(rows);
    return status;
}

int main(int argc, char **argv)
{
    app a = {
        .name = "fft2d", .size_is = "rows and columns, a power of 2", .size = 128, .most = 2048};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    if ((a.size & (a.size - 1)) != 0) {
        fprintf(stderr, "%s: SIZE is %zu, and may be a power of 2 up to %zu\n", a.name, a.size,
                a.most);
        return APP_REFUSED;
    }
    size_t values = a.size * a.size;
    number *room = app_array(&a, 4 * values + a.size / 2, sizeof *room);
    square s = {
        .side = a.size, .signal = room, .spectrum = room + values, .roots = room + 4 * values};
    fill(&s, a.seed);
    kp_report report;
    int status = app_run(&a, program, &s, &report);
    app_corrupt(&a, (double *)&s.spectrum[values - 1]);
    if (status == 0)
        status = verify(&a, &s, room + 2 * values, room + 3 * values) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("a %zu x %zu square is transformed\n", s.side, s.side);
        app_verified(&a, &report,
                     "spectrum equal to the serial one bit by bit, and to its definition");
    }
    free(room);
    return status;
}
