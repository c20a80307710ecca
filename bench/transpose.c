/* Compares two ways to transpose a matrix of doubles that is distributed by rows over n members.
 *
 *   layout   is one index whose blocks have layouts: rows of the matrix are sent, and received as
 *            columns
 *   by hand  packs the blocks, transposed, into a buffer; moves them by kp_index; and copies whole
 *            rows out of the buffer (as tests/apps/transpose.c does)
 *
 * A batch of repetitions of one way follows a batch of the other, in turns. The time of a
 * repetition is from the barrier before it to the barrier after it. The result of every batch is
 * verified. `ratio` is the median of the quotients of successive batches: the time by layout
 * divided by the time by hand. With a limit, the exit status is 1 if the ratio exceeds it.
 *
 * usage: transpose [SIZE [PROCESSORS [BATCHES [LIMIT]]]] */
#include "kport.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_BATCHES 1000
#define REPETITIONS  4

static struct bench {
    size_t size, own; /* the rows of the matrix, and those of a member */
    int n, batches;
    double limit;
    double layout_us[MOST_BATCHES], hand_us[MOST_BATCHES];
} bench = {.size = 2048, .n = 8, .batches = 41};

/* What a member has. */
struct part {
    kp_group *world;
    double *matrix, *transposed, *out, *in;
    kp_layout *rows, *columns;
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_layout(struct part *p)
{
    return kp_index_layout(p->world, p->matrix, 1, p->rows, p->transposed, 1, p->columns, NULL);
}

static int by_hand(struct part *p)
{
    const size_t own = bench.own, size = bench.size, n = (size_t)bench.n;
    for (size_t j = 0; j < n; j++) {
        double *block = p->out + j * own * own;
        for (size_t c = 0; c < own; c++)
            for (size_t r = 0; r < own; r++)
                block[c * own + r] = p->matrix[r * size + j * own + c];
    }
    const int status = kp_index(p->world, p->out, p->in, own * own * sizeof(double), NULL);
    for (size_t i = 0; i < n && status == 0; i++) {
        const double *block = p->in + i * own * own;
        for (size_t c = 0; c < own; c++)
            memcpy(p->transposed + c * size + i * own, block + c * own, own * sizeof(double));
    }
    return status;
}

static double element(size_t row, size_t column)
{
    return (double)(row * bench.size + column);
}

static bool is_right(const struct part *p)
{
    const size_t first = (size_t)kp_rank(p->world) * bench.own;
    for (size_t i = 0; i < bench.own * bench.size; i++) {
        if (p->transposed[i] != element(i % bench.size, first + i / bench.size))
            return false;
    }
    return true;
}

/* Makes the repetitions of a batch. Member 0 stores the time of one repetition. */
static int run_batch(struct part *p, int (*transpose)(struct part *), double *us)
{
    memset(p->transposed, 0, bench.own * bench.size * sizeof *p->transposed);
    int status = kp_barrier(p->world);
    const double begin = now_us();
    for (int i = 0; i < REPETITIONS && status == 0; i++) {
        status = transpose(p);
        status = status ? status : kp_barrier(p->world);
    }
    if (kp_rank(p->world) == 0)
        *us = (now_us() - begin) / REPETITIONS;
    if (status == 0 && !is_right(p))
        status = kp_fail(kp_group_self(p->world), "an element is at a wrong place");
    return status;
}

static int make_layouts(struct part *p)
{
    const kp_layout *doubles = kp_layout_of(KP_FLOAT64);
    kp_layout *lines = NULL, *line = NULL, *column = NULL;
    int status = kp_layout_vector(bench.own, bench.own, (ptrdiff_t)bench.size, doubles, &lines);
    if (status == 0)
        status = kp_layout_resized(lines, 0, bench.own * sizeof(double), &p->rows);
    if (status == 0)
        status = kp_layout_vector(bench.own, 1, (ptrdiff_t)bench.size, doubles, &line);
    if (status == 0)
        status = kp_layout_resized(line, 0, sizeof(double), &column);
    if (status == 0)
        status = kp_layout_contiguous(bench.own, column, &p->columns);
    kp_layout_free(lines);
    kp_layout_free(line);
    kp_layout_free(column);
    return status;
}

static int program(kp_proc *self, void *unused)
{
    const size_t elements = bench.own * bench.size;
    struct part p = {.world = kp_world(self)};
    (void)unused;
    double **const buffers[] = {&p.matrix, &p.transposed, &p.out, &p.in};
    int status = make_layouts(&p);
    for (int i = 0; i < 4 && status == 0; i++) {
        *buffers[i] = calloc(elements, sizeof(double));
        status = *buffers[i] ? status : kp_fail(self, "there is not enough memory");
    }
    for (size_t i = 0; i < elements && status == 0; i++)
        p.matrix[i] =
            element((size_t)kp_processor(self) * bench.own + i / bench.size, i % bench.size);
    for (int i = 0; i < bench.batches && status == 0; i++) {
        status = run_batch(&p, by_layout, &bench.layout_us[i]);
        status = status ? status : run_batch(&p, by_hand, &bench.hand_us[i]);
    }
    for (int i = 0; i < 4; i++)
        free(*buffers[i]);
    kp_layout_free(p.rows);
    kp_layout_free(p.columns);
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
    qsort(values, (size_t)bench.batches, sizeof *values, ascending);
    return values[bench.batches / 2];
}

static int report_times(void)
{
    static double ratios[MOST_BATCHES];
    for (int i = 0; i < bench.batches; i++)
        ratios[i] = bench.layout_us[i] / bench.hand_us[i];
    const double ratio = median(ratios);
    printf("transpose: %zu x %zu doubles, n = %d, %d batches\n", bench.size, bench.size, bench.n,
           bench.batches);
    printf("layout   %10.1f us\nby hand  %10.1f us\n", median(bench.layout_us),
           median(bench.hand_us));
    printf("ratio    %10.3f (quartiles %.3f ... %.3f)\n", ratio, ratios[bench.batches / 4],
           ratios[bench.batches * 3 / 4]);
    if (bench.limit > 0)
        printf("limit    %10.3f: %s\n", bench.limit, ratio <= bench.limit ? "kept" : "exceeded");
    return bench.limit > 0 && ratio > bench.limit;
}

int main(int argc, char **argv)
{
    kp_report report;
    bench.size = argc > 1 ? strtoul(argv[1], NULL, 10) : bench.size;
    bench.n = argc > 2 ? atoi(argv[2]) : bench.n;
    bench.batches = argc > 3 ? atoi(argv[3]) : bench.batches;
    bench.limit = argc > 4 ? strtod(argv[4], NULL) : 0;
    if (bench.n < 1 || bench.batches < 1 || bench.batches > MOST_BATCHES || bench.size == 0 ||
        bench.size % (size_t)bench.n != 0) {
        fprintf(stderr,
                "usage: transpose [SIZE [PROCESSORS [BATCHES [LIMIT]]]]\nPROCESSORS divides SIZE; "
                "BATCHES may be 1 ... %d\n",
                MOST_BATCHES);
        return 2;
    }
    bench.own = bench.size / (size_t)bench.n;
    if (kp_run(&(kp_config){.processors = bench.n}, program, NULL, &report) != 0) {
        fprintf(stderr, "%s\n", report.error.sentence);
        return 1;
    }
    return report_times();
}
