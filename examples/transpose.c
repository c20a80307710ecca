/* Transposes a matrix that is distributed by rows, with one index and without packing. Block j of
 * the index has the elements of a member's rows that lie in the columns of member j. The member
 * sends them row by row, by the layout `rows`. The receiver writes each row into a column of its
 * part of the transposed matrix, by the layout `columns`. The exit status is 1 if an element is at
 * a wrong place. */
#include <kport.h>
#include <stdio.h>
#include <stdlib.h>

#define N    8
#define SIZE 2048       /* rows and columns of the matrix */
#define OWN  (SIZE / N) /* rows of a member */

/* `rows`: OWN rows of OWN elements; the next block begins OWN elements further.
 * `columns`: OWN columns of OWN elements, one beside the other. */
static int make_layouts(kp_layout **rows, kp_layout **columns)
{
    const kp_layout *element = kp_layout_of(KP_FLOAT64);
    kp_layout *lines = NULL, *line = NULL, *column = NULL;
    int status = kp_layout_vector(OWN, OWN, SIZE, element, &lines);
    if (status == 0)
        status = kp_layout_resized(lines, 0, OWN * sizeof(double), rows);
    if (status == 0)
        status = kp_layout_vector(OWN, 1, SIZE, element, &line);
    if (status == 0)
        status = kp_layout_resized(line, 0, sizeof(double), &column);
    if (status == 0)
        status = kp_layout_contiguous(OWN, column, columns);
    kp_layout_free(lines);
    kp_layout_free(line);
    kp_layout_free(column);
    return status;
}

static double element(int row, int column)
{
    return row * (double)SIZE + column;
}

static int program(kp_proc *self, void *wrong)
{
    const int me = kp_processor(self);
    kp_layout *rows = NULL, *columns = NULL;
    double *matrix = malloc(sizeof *matrix * OWN * SIZE);
    double *transposed = malloc(sizeof *transposed * OWN * SIZE);
    int status = make_layouts(&rows, &columns);
    if (status != 0 || !matrix || !transposed)
        status = kp_fail(self, "there is not enough memory");
    for (int i = 0; i < OWN * SIZE && status == 0; i++)
        matrix[i] = element(me * OWN + i / SIZE, i % SIZE);
    if (status == 0)
        status = kp_index_layout(kp_world(self), matrix, 1, rows, transposed, 1, columns, NULL);
    for (int i = 0; i < OWN * SIZE && status == 0; i++)
        ((long *)wrong)[me] += transposed[i] != element(i % SIZE, me * OWN + i / SIZE);
    kp_layout_free(rows);
    kp_layout_free(columns);
    free(matrix);
    free(transposed);
    return status;
}

int main(void)
{
    long wrong[N] = {0}, sum = 0;
    kp_report report;
    if (kp_run(&(kp_config){.processors = N}, program, wrong, &report) != 0)
        return fprintf(stderr, "%s\n", report.error.sentence), 1;
    for (int i = 0; i < N; i++)
        sum += wrong[i];
    printf("%d x %d elements, %ld in a wrong place\n", SIZE, SIZE, sum);
    return sum != 0;
}
