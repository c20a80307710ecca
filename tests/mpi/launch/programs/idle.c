/* Ranks that test in a loop for what never comes. The argument says how. */
#include <mpi.h>
#include <string.h>

static int rank, size, next, got[8], done;
static MPI_Request requests[8];

static void receive(int i, int from, MPI_Comm comm)
{
    MPI_Irecv(&got[i], 1, MPI_INT, from, i, comm, &requests[i]); /* start */
}

static void several(void)
{
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]); /* barrier */
    receive(1, 0, MPI_COMM_WORLD);
    while (!done)
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE); /* testall */
}

static void three(void)
{
    receive(0, next, MPI_COMM_WORLD);
    receive(1, MPI_ANY_SOURCE, MPI_COMM_WORLD);
    while (!done) {
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);                        /* first */
        MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE); /* second */
        MPI_Request_get_status(requests[1], &done, MPI_STATUS_IGNORE);           /* third */
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    MPI_Comm turned;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &turned);
    next = (rank + 1) % size;
    if (strcmp(way, "test") == 0) {
        receive(0, next, MPI_COMM_WORLD);
        while (!done)
            MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE); /* test */
    }
    if (strcmp(way, "probe") == 0)
        while (!done)
            MPI_Iprobe(0, 7, turned, &done, MPI_STATUS_IGNORE); /* probe */
    if (strcmp(way, "named") == 0) {
        MPI_Comm_set_name(turned, "turned");
        receive(2, 0, turned);
        while (!done)
            MPI_Test(&requests[2], &done, MPI_STATUS_IGNORE); /* named */
    }
    if (strcmp(way, "several") == 0) {
        if (rank == 0)
            MPI_Recv(got, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receive */
        several();
    }
    if (strcmp(way, "three") == 0)
        three();
    if (strcmp(way, "many") == 0) {
        for (int i = 0; i < 8; i++)
            receive(i, next, MPI_COMM_WORLD);
        for (int i = 0; !done; i = (i + 1) % 8)
            MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE); /* many */
    }
    if (strcmp(way, "list") == 0) {
        for (int i = 0; i < 8; i++)
            receive(i, next, MPI_COMM_WORLD);
        while (!done)
            MPI_Testany(8, requests, got, &done, MPI_STATUS_IGNORE); /* list */
    }
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return 0;
}
