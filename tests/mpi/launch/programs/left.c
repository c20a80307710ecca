/* Ranks that only send leave a gather early from its third call on. In the fifth call rank 0 does
 * something else, which the argument says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 8
#define LONG 3000

static int rank, size, own[LONG], all[2 * LONG * MOST], counts[MOST], places[MOST];
static MPI_Comm other;
static MPI_Datatype type = MPI_INT; /* of what rank 0 receives */
static int ends[2]; /* of a pipe, by which ranks 0 and 1 tell each other something without MPI */

static int does(const char *asked, const char *way)
{
    return strcmp(asked, way) == 0;
}

static void tell(void)
{
    if (write(ends[1], "", 1) != 1)
        exit(3);
}

static void hear(void)
{
    char byte;
    if (read(ends[0], &byte, 1) != 1)
        exit(3);
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
        MPI_Gatherv(own, counts[rank], MPI_INT, all, counts, places, type, 0, world); /* gather */
}

/* What rank 0 does before the fifth call. Returns whether it makes this call. */
static int deviate(const char *way)
{
    int x = 0;
    if (does(way, "receives") || does(way, "sends"))
        for (int i = 1; i < size; i++)
            MPI_Recv(&x, 1, MPI_INT, i, 0, other, MPI_STATUS_IGNORE); /* receive */
    if (does(way, "reads"))
        hear();
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
        counts[i] = does(way, "long") && i == 2 ? LONG : 1;
        places[i] = LONG * i;
    }
    if (rank == 0 && does(way, "gaps")) {
        MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &type);
        MPI_Type_commit(&type);
    }
    if (rank == 0 && pipe(ends) != 0)
        exit(3);
    MPI_Bcast(ends, 2, MPI_INT, 0, world);
    for (int i = 0; i < 5; i++)
        if (rank > 0 || i < 4 || deviate(way))
            call(which, world);
    if (rank == 0 && does(way, "comes"))
        MPI_Recv(all, 1, MPI_INT, 1, 0, other, MPI_STATUS_IGNORE); /* instead */
    if (rank == (does(way, "reads") ? 1 : 0))
        tell();
    if (rank == 1 && (does(way, "long") || does(way, "gaps")))
        hear();
    if (rank > 0 && does(way, "sends"))
        MPI_Send(own, 1, MPI_INT, 0, 0, other); /* send */
    MPI_Barrier(world);                         /* barrier */
    MPI_Comm_free(&other);
    if (type != MPI_INT)
        MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
