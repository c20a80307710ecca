/* The programs of textbooks on BSP: inner product, LU decomposition, Fourier transform, sparse
 * matrix times vector, sample sort. Each process compares its part of the result with what one
 * process computes alone. Process 0 prints how many elements were compared.
 *
 * usage: textbook [PROCESSES] */
#include <bsp.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static int wanted;

static uint64_t hash(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static int below(uint64_t x, int limit)
{
    return (int)((hash(x) >> 20) % (uint64_t)limit);
}

static void *make(size_t count, size_t size)
{
    void *made = calloc(count ? count : 1, size);
    if (!made)
        bsp_abort("no memory");
    return made;
}

/* Returns 1. */
static long expect(int equal, const char *what, int i)
{
    if (!equal)
        bsp_abort("%s: element %d of process %d of %d differs", what, i, bsp_pid(), bsp_nprocs());
    return 1;
}

/* --- Inner product: cyclic vectors --- */

static long inner_product(void)
{
    enum {
        N = 1000
    };
    const int p = bsp_nprocs(), s = bsp_pid();
    double *sums = make((size_t)p, sizeof *sums), own = 0, all = 0;
    bsp_push_reg(sums, (size_t)p * sizeof *sums);
    bsp_sync();
    for (int i = s; i < N; i += p)
        own += (double)(i + 1) * (i + 1);
    for (int t = 0; t < p; t++)
        bsp_put(t, &own, sums, s * sizeof own, sizeof own);
    bsp_sync();
    for (int t = 0; t < p; t++)
        all += sums[t];
    const long compared = expect(all == N * (N + 1.0) * (2 * N + 1.0) / 6, "inner product", 0);
    bsp_pop_reg(sums);
    bsp_sync();
    free(sums);
    return compared;
}

/* --- LU decomposition with partial pivoting: cyclic rows --- */

enum {
    ORDER = 40
};

static double entry(int i, int j)
{
    return below((uint64_t)(i * ORDER + j), 2001) - 1000.0;
}

/* Subtracts multiples of the pivot row `k` from `row`. */
static void eliminate(double *row, const double *pivot, int k)
{
    row[k] /= pivot[k];
    for (int j = k + 1; j < ORDER; j++)
        row[j] -= row[k] * pivot[j];
}

static void lu_alone(double (*a)[ORDER])
{
    for (int k = 0; k < ORDER; k++) {
        double row[ORDER];
        int r = k;
        for (int i = k + 1; i < ORDER; i++)
            r = fabs(a[i][k]) > fabs(a[r][k]) ? i : r;
        memcpy(row, a[k], sizeof row);
        memcpy(a[k], a[r], sizeof row);
        memcpy(a[r], row, sizeof row);
        for (int i = k + 1; i < ORDER; i++)
            eliminate(a[i], a[k], k);
    }
}

struct pivot {
    double value;
    int row;
};

/* Returns the row of the largest element of column k from row k on. */
static int find_pivot(double (*a)[ORDER], struct pivot *pivots, int k)
{
    const int p = bsp_nprocs(), s = bsp_pid();
    struct pivot best = {-1, ORDER};
    for (int i = s; i < ORDER; i += p) {
        if (i >= k && fabs(a[i][k]) > best.value)
            best = (struct pivot){fabs(a[i][k]), i};
    }
    for (int t = 0; t < p; t++)
        bsp_put(t, &best, pivots, (size_t)s * sizeof best, sizeof best);
    bsp_sync();
    for (int t = 0; t < p; t++) {
        if (pivots[t].value > best.value ||
            (pivots[t].value == best.value && pivots[t].row < best.row))
            best = pivots[t];
    }
    return best.row;
}

static long lu(void)
{
    const int p = bsp_nprocs(), s = bsp_pid();
    double(*a)[ORDER] = make(ORDER, sizeof *a), (*alone)[ORDER] = make(ORDER, sizeof *a);
    double pivot_row[ORDER];
    struct pivot *pivots = make((size_t)p, sizeof *pivots);
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++)
            a[i][j] = alone[i][j] = entry(i, j);
    }
    bsp_push_reg(a, ORDER * sizeof *a);
    bsp_push_reg(pivot_row, sizeof pivot_row);
    bsp_push_reg(pivots, (size_t)p * sizeof *pivots);
    bsp_sync();
    for (int k = 0; k < ORDER; k++) {
        const int r = find_pivot(a, pivots, k);
        if (r % p == s) {
            for (int t = 0; t < p; t++)
                bsp_put(t, a[r], pivot_row, 0, sizeof pivot_row);
            bsp_put(k % p, a[r], a, (size_t)k * sizeof *a, sizeof *a);
        }
        if (k % p == s && r != k)
            bsp_put(r % p, a[k], a, (size_t)r * sizeof *a, sizeof *a);
        bsp_sync();
        for (int i = s; i < ORDER; i += p) {
            if (i > k)
                eliminate(a[i], pivot_row, k);
        }
    }
    long compared = 0;
    lu_alone(alone);
    for (int i = s; i < ORDER; i += p) {
        for (int j = 0; j < ORDER; j++)
            compared += expect(a[i][j] == alone[i][j], "LU decomposition", i * ORDER + j);
    }
    bsp_pop_reg(pivots);
    bsp_pop_reg(pivot_row);
    bsp_pop_reg(a);
    bsp_sync();
    free(pivots);
    free(alone);
    free(a);
    return compared;
}

/* --- Fourier transform: a matrix of SIDE * SIDE, its columns, a transposition, its rows --- */

enum {
    SIDE = 32
};

static double complex root(int n, int k)
{
    return cexp(-2 * PI * I * (k % n) / n);
}

static void fft(double complex *x, int n, int stride)
{
    double complex half[SIDE];
    if (n == 1)
        return;
    fft(x, n / 2, 2 * stride);
    fft(x + stride, n / 2, 2 * stride);
    for (int k = 0; k < n / 2; k++) {
        const double complex even = x[2 * k * stride], odd = root(n, k) * x[(2 * k + 1) * stride];
        half[k] = even + odd;
        half[k + n / 2] = even - odd;
    }
    for (int k = 0; k < n; k++)
        x[k * stride] = half[k];
}

static double complex signal_at(int j)
{
    return below((uint64_t)j, 100) + below((uint64_t)j + 5000, 100) * I;
}

static long fourier(void)
{
    const int p = bsp_nprocs(), s = bsp_pid();
    long compared = 0;
    double complex(*rows)[SIDE] = make(SIDE, sizeof *rows), column[SIDE];
    bsp_push_reg(rows, SIDE * sizeof *rows);
    bsp_sync();
    for (int j = s; j < SIDE; j += p) {
        for (int i = 0; i < SIDE; i++)
            column[i] = signal_at(i * SIDE + j);
        fft(column, SIDE, 1);
        for (int k = 0; k < SIDE; k++) {
            column[k] *= root(SIDE * SIDE, j * k);
            bsp_put(k % p, &column[k], rows, (size_t)(k * SIDE + j) * sizeof *column,
                    sizeof *column);
        }
    }
    bsp_sync();
    for (int k = s; k < SIDE; k += p) {
        fft(rows[k], SIDE, 1);
        for (int l = 0; l < SIDE; l++) {
            double complex sum = 0;
            for (int j = 0; j < SIDE * SIDE; j++)
                sum += signal_at(j) * root(SIDE * SIDE, j * (k + SIDE * l));
            compared += expect(cabs(sum - rows[k][l]) < 1e-7, "Fourier transform", k + SIDE * l);
        }
    }
    bsp_pop_reg(rows);
    bsp_sync();
    free(rows);
    return compared;
}

/* --- Sparse matrix times vector: nonzeros and vectors lie anywhere --- */

enum {
    WIDTH = 150,
    NONZEROS = 900
};

static int row_of(int k)
{
    return below((uint64_t)k + 100000, WIDTH);
}

static int column_of(int k)
{
    return below((uint64_t)k + 200000, WIDTH);
}

static int64_t value_of(int k)
{
    return below((uint64_t)k + 300000, 99) - 49;
}

static int owner_of(int component, int p)
{
    return below((uint64_t)component + 400000, p);
}

static long matrix_times_vector(void)
{
    const int p = bsp_nprocs(), s = bsp_pid();
    int64_t vector[WIDTH], fetched[WIDTH], sums[WIDTH] = {0}, alone[WIDTH] = {0}, total;
    int row, status, needed[WIDTH] = {0};
    size_t tag_bytes = sizeof row;
    long compared = 0;
    for (int i = 0; i < WIDTH; i++)
        vector[i] = owner_of(i, p) == s ? i + 1 : -1; /* others' are not known here */
    for (int k = 0; k < NONZEROS; k++)
        alone[row_of(k)] += value_of(k) * (column_of(k) + 1);
    bsp_push_reg(vector, sizeof vector);
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    for (int k = s; k < NONZEROS; k += p) {
        const int j = column_of(k);
        if (!needed[j]++)
            bsp_get(owner_of(j, p), vector, (size_t)j * sizeof *vector, &fetched[j],
                    sizeof *vector);
    }
    bsp_sync();
    for (int k = s; k < NONZEROS; k += p)
        sums[row_of(k)] += value_of(k) * fetched[column_of(k)];
    for (int i = 0; i < WIDTH; i++) {
        if (sums[i])
            bsp_send(owner_of(i, p), &i, &sums[i], sizeof sums[i]);
        sums[i] = 0;
    }
    bsp_sync();
    for (bsp_get_tag(&status, &row); status != -1; bsp_get_tag(&status, &row)) {
        bsp_move(&total, sizeof total);
        sums[row] += total;
    }
    for (int i = 0; i < WIDTH; i++) {
        if (owner_of(i, p) == s)
            compared += expect(sums[i] == alone[i], "matrix times vector", i);
    }
    bsp_set_tagsize(&tag_bytes);
    bsp_pop_reg(vector);
    bsp_sync();
    return compared;
}

/* --- Sample sort: blocks, regular samples --- */

enum {
    KEYS = 3000
};

static int by_value(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static uint64_t key_of(int i)
{
    return hash((uint64_t)i) % (KEYS / 2); /* some are equal */
}

static void choose_splitters(const uint64_t *own, int count, uint64_t *samples)
{
    const int p = bsp_nprocs(), s = bsp_pid();
    for (int i = 0; i < p; i++) {
        const uint64_t sample = count > 0 ? own[(size_t)i * (size_t)count / (size_t)p] : 0;
        for (int t = 0; t < p; t++)
            bsp_put(t, &sample, samples, (size_t)(s * p + i) * sizeof sample, sizeof sample);
    }
    bsp_sync();
    qsort(samples, (size_t)(p * p), sizeof *samples, by_value);
}

static void send_parts(const uint64_t *own, int count, const uint64_t *samples)
{
    const int p = bsp_nprocs();
    for (int t = 0, from = 0, to = 0; t < p; t++, from = to) {
        while (to < count && (t == p - 1 || own[to] < samples[(t + 1) * p]))
            to++;
        bsp_send(t, NULL, own + from, (size_t)(to - from) * sizeof *own);
    }
    bsp_sync();
}

/* Returns how many keys lie in the processes before this one. */
static size_t keys_before(size_t count)
{
    const int p = bsp_nprocs(), s = bsp_pid();
    size_t *counts = make((size_t)p, sizeof count), before = 0;
    bsp_push_reg(counts, (size_t)p * sizeof count);
    bsp_sync();
    for (int t = 0; t < p; t++)
        bsp_hpput(t, &count, counts, (size_t)s * sizeof count, sizeof count);
    bsp_sync();
    for (int t = 0; t < s; t++)
        before += counts[t];
    bsp_pop_reg(counts);
    bsp_sync();
    free(counts);
    return before;
}

static long sample_sort(void)
{
    const int p = bsp_nprocs(), s = bsp_pid(), block = (KEYS + p - 1) / p;
    const int first = s * block < KEYS ? s * block : KEYS;
    const int count = first + block < KEYS ? block : KEYS - first;
    uint64_t *own = make((size_t)block, sizeof *own), *alone = make(KEYS, sizeof *alone);
    uint64_t *samples = make((size_t)(p * p), sizeof *samples), *sorted = make(KEYS, sizeof *own);
    size_t came = 0;
    long compared = 0;
    void *tag, *part;
    ptrdiff_t bytes;
    for (int i = 0; i < count; i++)
        own[i] = key_of(first + i);
    for (int i = 0; i < KEYS; i++)
        alone[i] = key_of(i);
    qsort(own, (size_t)count, sizeof *own, by_value);
    qsort(alone, KEYS, sizeof *alone, by_value);
    bsp_push_reg(samples, (size_t)(p * p) * sizeof *samples);
    bsp_sync();
    choose_splitters(own, count, samples);
    send_parts(own, count, samples);
    while ((bytes = bsp_hpmove(&tag, &part)) != -1) {
        memcpy(sorted + came, part, (size_t)bytes);
        came += (size_t)bytes / sizeof *own;
    }
    qsort(sorted, came, sizeof *sorted, by_value);
    const size_t before = keys_before(came);
    for (size_t i = 0; i < came; i++)
        compared += expect(sorted[i] == alone[before + i], "sample sort", (int)(before + i));
    bsp_pop_reg(samples);
    bsp_sync();
    free(sorted);
    free(samples);
    free(alone);
    free(own);
    return compared;
}

/* --- All of them --- */

static void count_all(long compared)
{
    long total = 0, *counts = make((size_t)bsp_nprocs(), sizeof *counts);
    bsp_push_reg(counts, bsp_pid() == 0 ? (size_t)bsp_nprocs() * sizeof *counts : 0);
    bsp_sync();
    bsp_put(0, &compared, counts, (size_t)bsp_pid() * sizeof *counts, sizeof *counts);
    bsp_sync();
    for (int t = 0; t < bsp_nprocs(); t++)
        total += counts[t];
    if (bsp_pid() == 0)
        printf("%d processes: %ld elements are equal\n", bsp_nprocs(), total);
    free(counts);
}

static void spmd(void)
{
    bsp_begin(wanted);
    long compared = inner_product();
    compared += lu();
    compared += fourier();
    compared += matrix_times_vector();
    compared += sample_sort();
    count_all(compared);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    wanted = argc > 1 ? atoi(argv[1]) : bsp_nprocs();
    spmd();
    return 0;
}
