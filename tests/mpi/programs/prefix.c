/* Prefixes: a recurrence x[i] = a[i] x[i-1] + b[i] by a scan with an operator of its own that does
 * not commute, and the places of the kept numbers of a filter by MPI_Exscan. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    LENGTH = 3000
};
static const uint64_t prime = 1000003;

typedef struct affine {
    uint64_t a, b; /* x -> a x + b */
} affine;

/* First *in, then *inout: the ranks' order. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    affine *first = in, *second = inout;
    for (int i = 0; i < *count; i++) {
        second[i].b = (second[i].a * first[i].b + second[i].b) % prime;
        second[i].a = second[i].a * first[i].a % prime;
    }
}

static affine element(int i)
{
    return (affine){.a = 1 + (uint64_t)i * 7919 % 101, .b = (uint64_t)i * 104729 % 997};
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Datatype map;
    MPI_Op after;
    MPI_Type_contiguous(2, MPI_UINT64_T, &map);
    MPI_Type_commit(&map);
    MPI_Op_create(compose, 0, &after);
    int first = LENGTH * rank / size, last = LENGTH * (rank + 1) / size, kept = 0, place = 0;
    affine own = {1, 0}, before = {1, 0};
    for (int i = first; i < last; i++) {
        affine next = element(i);
        int one = 1;
        compose(&own, &next, &one, &map);
        own = next;
    }
    MPI_Exscan(&own, &before, 1, map, after, MPI_COMM_WORLD);
    uint64_t x = rank == 0 ? 5 : (before.a * 5 + before.b) % prime;
    int *keep = malloc((last - first + 1) * sizeof *keep);
    for (int i = first; i < last; i++) {
        affine next = element(i);
        x = (next.a * x + next.b) % prime;
        if (x % 3 == 0)
            keep[kept++] = (int)x;
    }
    MPI_Exscan(&kept, &place, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    place = rank == 0 ? 0 : place;
    int *counts = calloc(2 * size, sizeof *counts), *places = counts + size;
    MPI_Gather(&kept, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&place, 1, MPI_INT, places, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int *all = rank == 0 ? malloc(LENGTH * sizeof *all) : NULL;
    MPI_Gatherv(keep, kept, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    uint64_t total = 0, ends = rank == size - 1 ? x : 0, end;
    MPI_Reduce(&ends, &end, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        int count = places[size - 1] + counts[size - 1];
        for (int i = 0; i < count; i++)
            total += (uint64_t)all[i] * (uint64_t)(i + 1);
        printf("prefix: x[%d] = %llu, %d kept, checksum %llu\n", LENGTH, (unsigned long long)end,
               count, (unsigned long long)total);
    }
    free(all);
    free(counts);
    free(keep);
    MPI_Op_free(&after);
    MPI_Type_free(&map);
    MPI_Finalize();
    return 0;
}
