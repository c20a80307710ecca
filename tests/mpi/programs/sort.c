/* Sample sort: splitters from samples of all ranks, an exchange of unequal blocks, and a check of
 * the order. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NUMBERS = 40000,
    SAMPLES = 8
};

static int rank, size;

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t *draw(int count)
{
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers), seed = 12345u + 77u * (unsigned)rank;
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        numbers[i] = seed >> 8;
    }
    qsort(numbers, count, sizeof *numbers, by_value);
    return numbers;
}

static void split(const uint32_t *numbers, int count, int *counts)
{
    uint32_t samples[SAMPLES], *all = malloc((size_t)size * SAMPLES * sizeof *all);
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = numbers[(long)count * i / SAMPLES];
    MPI_Allgather(samples, SAMPLES, MPI_UINT32_T, all, SAMPLES, MPI_UINT32_T, MPI_COMM_WORLD);
    qsort(all, (size_t)size * SAMPLES, sizeof *all, by_value);
    for (int i = 0, part = 0; i < count; i++) {
        while (part < size - 1 && numbers[i] >= all[(part + 1) * SAMPLES])
            part++;
        counts[part]++;
    }
    free(all);
}

static int places_of(const int *counts, int *places)
{
    int sum = 0;
    for (int i = 0; i < size; i++) {
        places[i] = sum;
        sum += counts[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = NUMBERS / size;
    uint32_t *numbers = draw(count);
    int *table = calloc(4 * (size_t)size, sizeof *table);
    int *sends = table, *receives = table + size, *from = table + 2 * size, *to = table + 3 * size;
    split(numbers, count, sends);
    MPI_Alltoall(sends, 1, MPI_INT, receives, 1, MPI_INT, MPI_COMM_WORLD);
    places_of(sends, from);
    int got = places_of(receives, to);
    uint32_t *sorted = malloc((got + 1) * sizeof *sorted);
    MPI_Alltoallv(numbers, sends, from, MPI_UINT32_T, sorted, receives, to, MPI_UINT32_T,
                  MPI_COMM_WORLD);
    qsort(sorted, got, sizeof *sorted, by_value);
    /* Each rank's smallest number is not below the largest one of the ranks before it. */
    uint32_t largest = got ? sorted[got - 1] : 0, before = 0;
    MPI_Exscan(&largest, &before, 1, MPI_UINT32_T, MPI_MAX, MPI_COMM_WORLD);
    int fine = rank == 0 || got == 0 || sorted[0] >= before, all_fine, total;
    MPI_Reduce(&fine, &all_fine, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
    MPI_Reduce(&got, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    int start = 0;
    MPI_Exscan(&got, &start, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    uint64_t sum = 0, checksum;
    for (int i = 0; i < got; i++)
        sum += (uint64_t)sorted[i] * (uint64_t)(start + i + 1);
    MPI_Reduce(&sum, &checksum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sort: %d numbers, %s, checksum %016llx\n", total,
               all_fine ? "in order" : "MIXED UP", (unsigned long long)checksum);
    free(sorted);
    free(table);
    free(numbers);
    MPI_Finalize();
    return 0;
}
