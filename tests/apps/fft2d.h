/* The computations of fft2d.c: Fourier transforms of the rows of a square, and how the spectrum is
 * verified. */
#ifndef KPORT_APPS_FFT2D_H
#define KPORT_APPS_FFT2D_H

#include "apps.h"
#include <complex.h>

#define PI 3.14159265358979323846

typedef double complex number;

typedef struct square {
    size_t side;   /* the number of rows and of columns, a power of 2 */
    number *roots; /* roots[f] = e^(-2 pi i f / side) for f < side / 2; read by all processors */
    /* `signal` and `spectrum` are side x side. All processors read `signal`. Each processor writes
     * its own rows of `spectrum`. */
    number *signal, *spectrum;
} square;

/* Computes out[f] = sum over t of in[t * stride] e^(-2 pi i f t / size). size = side / stride is a
 * power of 2. The function adds two transforms of half the size: those of the even t and of the odd
 * t (Cooley and Tukey 1965). */
static inline void transform(const number *roots, const number *in, size_t stride, number *out,
                             size_t size)
{
    size_t half = size / 2;
    if (size == 1) {
        out[0] = in[0];
        return;
    }
    transform(roots, in, 2 * stride, out, half);
    transform(roots, in + stride, 2 * stride, out + half, half);
    for (size_t f = 0; f < half; f++) {
        number even = out[f], odd = out[half + f] * roots[f * stride];
        out[f] = even + odd;
        out[half + f] = even - odd;
    }
}

/* Transforms each of the `count` rows at `in`, and stores the results as the rows at `out`. */
static inline void transform_rows(const square *s, size_t count, const number *in, number *out)
{
    for (size_t r = 0; r < count; r++)
        transform(s->roots, in + r * s->side, 1, out + r * s->side, s->side);
}

static inline void transpose_serially(size_t side, const number *from, number *to)
{
    for (size_t r = 0; r < side; r++)
        for (size_t c = 0; c < side; c++)
            to[c * side + r] = from[r * side + c];
}

/* Returns one value of the spectrum, computed as the definition says, without a fast algorithm. */
static inline number defined(const square *s, size_t row, size_t column)
{
    number sum = 0;
    for (size_t r = 0; r < s->side; r++)
        for (size_t c = 0; c < s->side; c++) {
            size_t turn = (row * r + column * c) % s->side;
            sum += s->signal[r * s->side + c] * cexp(-2 * PI * I * (double)turn / (double)s->side);
        }
    return sum;
}

/* Verifies the spectrum in two ways.
 *
 * The spectrum must equal the serial result bit by bit, because each row and each column is
 * transformed by the same operations, whichever processor computes it.
 *
 * At four random places the spectrum must agree with the definition. The definition is a sum of
 * side^2 terms, and each term has a length of at most 2^(1/2). The rounding error of the sum is at
 * most side^2 epsilon times the sum of the lengths. Rounding the terms themselves adds a few
 * epsilon, hence the factor side^2 + 10. The fast algorithm has smaller errors. */
static inline int verify(const app *a, const square *s, number *one, number *two)
{
    double terms = (double)(s->side * s->side);
    uint64_t random = a->seed;
    transform_rows(s, s->side, s->signal, one);
    transpose_serially(s->side, one, two);
    transform_rows(s, s->side, two, one);
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

static inline void fill(const square *s, uint64_t seed)
{
    for (size_t i = 0; i < s->side / 2; i++)
        s->roots[i] = cexp(-2 * PI * I * (double)i / (double)s->side);
    for (size_t i = 0; i < 2 * s->side * s->side; i++) /* all real and imaginary parts */
        ((double *)s->signal)[i] = 2 * app_uniform(&seed) - 1;
}

#endif
