/* Ranks that only send leave a gather early from its third call on. In the fifth call rank 0 does
 * something else, which the argument says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 8

static int rank, size, own[MOST], all[2 * MOST], counts[MOST], places[MOST];
static MPI_Comm other;
static int ends[2]; /* of a pipe, by which rank 1 tells rank 0 something without MPI */

static int does(const char *asked, const char *way)
{
    return strcmp(asked, way) == 0;
}

/* Makes a call in which rank 1 only sends. */
static void call(const char *which, MPI_Comm world)
{
    if (does(which, "gather"))
        MPI_Gather(own, 1, MPI_INT, all, 1, MPI_INT, 0, world);
    else if (does(which, "reduce"))
        MPI_Reduce(own, all, 1, MPI_INT, MPI_SUM, 0, world);
    else if (does(which, "bcast"))
        MPI_Bcast(own, 1, MPI_INT, 1, world);
    else if (does(which, "scatter"))
        MPI_Scatter(own, 1, MPI_INT, all, 1, MPI_INT, 1, world);
    else
        MPI_Gatherv(own, 1, MPI_INT, all, counts, places, MPI_INT, 0, world); /* gather */
}

/* What rank 0 does before the fifth call. Returns whether it makes this call. */
static int deviate(const char *way)
{
    int x = 0;
    if (does(way, "receives") || does(way, "sends"))
        for (int i = 1; i < size; i++)
            MPI_Recv(&x, 1, MPI_INT, i, 0, other, MPI_STATUS_IGNORE); /* receive */
    char byte;
    if (does(way, "reads") && read(ends[0], &byte, 1) != 1)
        exit(3);
    if (does(way, "counts"))
        counts[1] = 2;
    if (does(way, "another"))
        MPI_Bcast(own, 1, MPI_INT, 0, MPI_COMM_WORLD); /* another */
    return !does(way, "another");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    const MPI_Comm world = MPI_COMM_WORLD;
    const char *way = argv[1], *which = argc > 2 ? argv[2] : "gatherv";
    own[0] = rank;
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = 2 * i;
    }
    if (rank == 0 && pipe(ends) != 0)
        exit(3);
    MPI_Bcast(ends, 2, MPI_INT, 0, world);
    for (int i = 0; i < 5; i++)
        if (rank > 0 || i < 4 || deviate(way))
            call(which, world);
    if (rank == 0 && does(way, "comes"))
        MPI_Recv(all, 1, MPI_INT, 1, 0, other, MPI_STATUS_IGNORE); /* instead */
    if (rank == 1 && write(ends[1], "", 1) != 1)
        exit(3);
    if (rank > 0 && does(way, "sends"))
        MPI_Send(own, 1, MPI_INT, 0, 0, other); /* send */
    MPI_Barrier(world);                         /* barrier */
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
