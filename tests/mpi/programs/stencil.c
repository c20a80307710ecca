/* Heat in a plate: rows are divided among the ranks, which exchange their border rows in every
 * step. The result does not depend on the number of ranks, bit for bit. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 150,
    COLUMNS = 70,
    STEPS = 60
};

/* Private to each rank, though they are global. */
static int rank, size, first, rows;
static double (*now)[COLUMNS], (*next)[COLUMNS];

static void start(void)
{
    first = (int)((long)ROWS * rank / size);
    rows = (int)((long)ROWS * (rank + 1) / size) - first;
    now = calloc(rows + 2, sizeof *now);
    next = calloc(rows + 2, sizeof *next);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            now[i + 1][j] = (first + i) % 7 == 0 || j == 3 ? 100.0 : (first + i) * 0.25 + j;
    memcpy(next, now, (rows + 2) * sizeof *now);
}

static void exchange(void)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(now[1], COLUMNS, MPI_DOUBLE, above, 0, now[rows + 1], COLUMNS, MPI_DOUBLE, below,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(now[rows], COLUMNS, MPI_DOUBLE, below, 1, now[0], COLUMNS, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double step(void)
{
    double change = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < COLUMNS - 1; j++) {
            if (first + i - 1 == 0 || first + i - 1 == ROWS - 1)
                continue; /* the plate's border is kept */
            next[i][j] = 0.25 * ((now[i - 1][j] + now[i + 1][j]) + (now[i][j - 1] + now[i][j + 1]));
            double d = next[i][j] - now[i][j];
            change = d > change ? d : -d > change ? -d : change;
        }
    double(*old)[COLUMNS] = now;
    now = next;
    next = old;
    return change;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    start();
    double change = 0, largest = 0;
    for (int i = 0; i < STEPS; i++) {
        exchange();
        change = step();
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    uint64_t sum = 0, total = 0;
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++) {
            uint64_t bits;
            memcpy(&bits, &now[i][j], sizeof bits);
            sum += bits * (2 * ((uint64_t)(first + i) * COLUMNS + j) + 1);
        }
    MPI_Reduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("stencil: last change %.12g, checksum %016llx\n", largest,
               (unsigned long long)total);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
