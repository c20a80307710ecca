/* A Fourier transform in two dimensions, by rows, with a transposition in between and one after.
 *
 * The rows of the square are dealt to the processors in equal blocks. A processor transforms its
 * rows, the index (kp_index) transposes the square so that columns become rows, it transforms
 * those, and a second index turns the square back. */
#include "apps.h"
#include <complex.h>

#define PI 3.14159265358979323846

typedef double complex number;

typedef struct square {
    size_t side;               /* a power of 2 */
    number *signal, *spectrum; /* side x side: read by all; each processor writes its rows */
} square;

/* out[f] = sum over t of in[t * stride] e^(-2 pi i f t / size), where size is a power of 2: the sum
 * over the even t and over the odd t, each of half the size (Cooley and Tukey 1965). */
static void transform(const number *in, size_t stride, number *out, size_t size)
{
    size_t half = size / 2;
    if (size == 1) {
        out[0] = in[0];
        return;
    }
    transform(in, 2 * stride, out, half);
    transform(in + stride, 2 * stride, out + half, half);
    for (size_t f = 0; f < half; f++) {
        number even = out[f], odd = out[half + f] * cexp(-2 * PI * I * (double)f / (double)size);
        out[f] = even + odd;
        out[half + f] = even - odd;
    }
}

/* Rows `in` become their transforms `out`. */
static void transform_rows(size_t side, size_t count, const number *in, number *out)
{
    for (size_t r = 0; r < count; r++)
        transform(in + r * side, 1, out + r * side, side);
}

/* The own rows become those of the transposed square. Block j of `out` and `in` is where the own
 * rows meet the columns of processor j. */
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

/* The part of one processor. */
static int work(kp_group *world, const square *s, app_rows own, number *rows, number *out,
                number *in)
{
    number *spectrum = s->spectrum + own.first * s->side;
    transform_rows(s->side, own.count, s->signal + own.first * s->side, rows);
    int status = transpose(world, s->side, own, rows, out, in);
    if (status != 0)
        return status;
    transform_rows(s->side, own.count, rows, spectrum);
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

static void transpose_serially(size_t side, const number *from, number *to)
{
    for (size_t r = 0; r < side; r++)
        for (size_t c = 0; c < side; c++)
            to[c * side + r] = from[r * side + c];
}

/* The spectrum at one place as it is defined, without any fast algorithm. */
static number defined(const square *s, size_t row, size_t column)
{
    number sum = 0;
    for (size_t r = 0; r < s->side; r++)
        for (size_t c = 0; c < s->side; c++) {
            size_t turn = (row * r + column * c) % s->side;
            sum += s->signal[r * s->side + c] * cexp(-2 * PI * I * (double)turn / (double)s->side);
        }
    return sum;
}

/* Each row and column is transformed by the same operations, whoever does it, so the spectrum must
 * be the serial one bit by bit. That it is one at all, the definition says at a few places: a sum
 * of side^2 terms of length at most 2^(1/2) is right to side^2 epsilon times their sum (the fast
 * one is better), and their own rounding adds a few more epsilon. */
static int verify(const app *a, const square *s, number *one, number *two)
{
    double terms = (double)(s->side * s->side);
    uint64_t random = a->seed;
    transform_rows(s->side, s->side, s->signal, one);
    transpose_serially(s->side, one, two);
    transform_rows(s->side, s->side, two, one);
    transpose_serially(s->side, one, two);
    int right = app_same(a, s->spectrum, two, 2 * s->side * s->side);
    for (int place = 0; place < 4 && right; place++) {
        size_t row = app_random(&random) % s->side, column = app_random(&random) % s->side;
        double error = cabs(s->spectrum[row * s->side + column] - defined(s, row, column));
        right = app_within(a, "the distance to the definition", error,
                           sqrt(2) * terms * (terms + 10) * 0x1p-52);
    }
    return right;
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
    number *room = app_array(&a, 4 * values, sizeof *room);
    square s = {.side = a.size, .signal = room, .spectrum = room + values};
    uint64_t random = a.seed;
    for (size_t i = 0; i < 2 * values; i++) /* real and imaginary parts */
        ((double *)s.signal)[i] = 2 * app_uniform(&random) - 1;
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
