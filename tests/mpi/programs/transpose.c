/* A matrix is transposed by derived types alone: a column of a block is a vector, resized so that
 * columns stand one after the other. Once by MPI_Alltoall, once by MPI_Alltoallw with a type for
 * each partner. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BLOCK = 3
};

static int rank, size, order;

static double entry(int row, int column)
{
    return row * 1000.0 + column;
}

static int wrong(const double *m)
{
    int count = 0;
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < order; j++)
            count += m[i * order + j] != entry(j, rank * BLOCK + i);
    return count;
}

static int by_alltoall(const double *a, double *b)
{
    MPI_Datatype column, columns, block, part;
    MPI_Type_vector(BLOCK, 1, order, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, sizeof(double), &columns);
    MPI_Type_contiguous(BLOCK, columns, &part); /* a block, column by column */
    MPI_Datatype sent, received;
    MPI_Type_create_resized(part, 0, BLOCK * sizeof(double), &sent);
    MPI_Type_vector(BLOCK, BLOCK, order, MPI_DOUBLE, &block); /* a block, row by row */
    MPI_Type_create_resized(block, 0, BLOCK * sizeof(double), &received);
    MPI_Type_commit(&sent);
    MPI_Type_commit(&received);
    MPI_Alltoall(a, 1, sent, b, 1, received, MPI_COMM_WORLD);
    MPI_Datatype *all[] = {&column, &columns, &block, &part, &sent, &received};
    for (int i = 0; i < 6; i++)
        MPI_Type_free(all[i]);
    return wrong(b);
}

static int by_alltoallw(const double *a, double *b)
{
    int *counts = malloc(2 * size * sizeof *counts), *places = counts + size;
    MPI_Datatype *sent = malloc(2 * size * sizeof(MPI_Datatype)), *received = sent + size, column;
    MPI_Type_vector(BLOCK, 1, order, MPI_DOUBLE, &column);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i * BLOCK * (int)sizeof(double);
        MPI_Type_create_hvector(BLOCK, 1, sizeof(double), column, &sent[i]);
        MPI_Type_vector(BLOCK, BLOCK, order, MPI_DOUBLE, &received[i]);
        MPI_Type_commit(&sent[i]);
        MPI_Type_commit(&received[i]);
    }
    MPI_Alltoallw(a, counts, places, sent, b, counts, places, received, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * size; i++)
        MPI_Type_free(&sent[i]);
    MPI_Type_free(&column);
    free(sent);
    free(counts);
    return wrong(b);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    order = BLOCK * size;
    double *a = malloc(BLOCK * order * sizeof *a), *b = calloc(BLOCK * order, sizeof *b);
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < order; j++)
            a[i * order + j] = entry(rank * BLOCK + i, j);
    int amiss[2], sums[2];
    amiss[0] = by_alltoall(a, b);
    for (int i = 0; i < BLOCK * order; i++)
        b[i] = -1;
    amiss[1] = by_alltoallw(a, b);
    MPI_Reduce(amiss, sums, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("transpose: order %d, %d and %d wrong entries\n", order, sums[0], sums[1]);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
