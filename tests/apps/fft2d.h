/* The computations of fft2d.c: the Fourier transforms of rows, and the expected spectrum. */
#ifndef KPORT_APPS_FFT2D_H
#define KPORT_APPS_FFT2D_H

#include "apps.h"
#include <complex.h>

#define PI 3.14159265358979323846

typedef double complex number;

typedef struct square {
    size_t side;               /* a power of 2 */
    number *roots;             /* e^(-2 pi i f / side) for f < side / 2, read by all */
    number *signal, *spectrum; /* side x side: read by all; each processor writes its rows */
} square;

/* out[f] = sum over t of in[t * stride] e^(-2 pi i f t / size), where size is a power of 2 and the
 * side divided by stride: the sum over the even t and over the odd t, each of half the size (Cooley
 * and Tukey 1965). */
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

/* Rows `in` become their transforms `out`. */
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

/* The spectrum at one place as it is defined, without any fast algorithm. */
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

/* Each row and column is transformed by the same operations, whoever does it, so the spectrum must
 * be the serial one bit by bit. That it is one at all, the definition says at a few places: a sum
 * of side^2 terms of length at most 2^(1/2) is right to side^2 epsilon times their sum (the fast
 * one is better), and their own rounding adds a few more epsilon. */
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
    for (size_t i = 0; i < 2 * s->side * s->side; i++) /* real and imaginary parts */
        ((double *)s->signal)[i] = 2 * app_uniform(&seed) - 1;
}

#endif
