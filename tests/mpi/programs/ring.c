/* Pairs of particles: blocks of particles travel around a ring, and every rank adds what each block
 * does to its own particles while the block is already on its way to the next rank. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTICLES = 600
};

typedef struct block {
    int count;
    int64_t x[PARTICLES];
} block;

static int64_t pull(int64_t a, int64_t b)
{
    int64_t d = a > b ? a - b : b - a;
    return (a < b ? 1 : -1) * (1000003 / (1 + d % 1009));
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = PARTICLES * rank / size, mine = PARTICLES * (rank + 1) / size - first;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    block *held = malloc(sizeof *held), *coming = malloc(sizeof *coming);
    int64_t own[PARTICLES], force[PARTICLES] = {0};
    held->count = mine;
    for (int i = 0; i < mine; i++)
        held->x[i] = own[i] = (int64_t)(first + i) * 7919 % 104729;
    for (int step = 0; step < size; step++) {
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        if (step < size - 1) {
            MPI_Irecv(coming->x, PARTICLES, MPI_INT64_T, left, step, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(held->x, held->count, MPI_INT64_T, right, step, MPI_COMM_WORLD, &requests[1]);
        }
        for (int i = 0; i < mine; i++)
            for (int j = 0; j < held->count; j++)
                if (own[i] != held->x[j])
                    force[i] += pull(own[i], held->x[j]);
        MPI_Status statuses[2];
        MPI_Waitall(2, requests, statuses);
        if (step < size - 1) {
            MPI_Get_count(&statuses[0], MPI_INT64_T, &coming->count);
            block *old = held;
            held = coming;
            coming = old;
        }
    }
    int64_t sums[2] = {0, 0}, totals[2];
    for (int i = 0; i < mine; i++) {
        sums[0] += force[i];
        sums[1] += force[i] * (first + i);
    }
    MPI_Reduce(sums, totals, 2, MPI_INT64_T, MPI_SUM, size - 1, MPI_COMM_WORLD);
    if (rank == size - 1)
        printf("ring: sum of forces %lld, weighed %lld\n", (long long)totals[0],
               (long long)totals[1]);
    free(held);
    free(coming);
    MPI_Finalize();
    return 0;
}
