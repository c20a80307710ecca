/* Mistakes that many ranks make. The argument says which. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, size, mine = 1, theirs[3];
static MPI_Request request;

static int left_out(void)
{
    return rank == 3 || rank == 4 || rank == 6;
}

static void leak(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_SELF, &copy); /* leak */
}

static void leave_type(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type); /* type */
}

static void send_on(void)
{
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD); /* send */
}

static void receive_wrongly(int times)
{
    const MPI_Comm all = MPI_COMM_WORLD;
    MPI_Status got;
    int me = rank;
    for (int i = 0; i < times; i++)
        MPI_Sendrecv(&mine, 1, MPI_INT, me, 5, theirs, 1, MPI_FLOAT, me, 5, all, &got); /* wrong */
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(way, "leak") == 0 || strcmp(way, "after") == 0)
        leak();
    if (strcmp(way, "some") == 0 && !left_out())
        leak();
    if (strcmp(way, "one") == 0 && rank == 5)
        leak();
    if (strcmp(way, "two") == 0) {
        leave_type();
        leak();
    }
    if (strcmp(way, "counts") == 0)
        for (int i = 0; i <= rank % 2; i++)
            leak();
    if (strcmp(way, "request") == 0) {
        int from = (rank + size - 1) % size;
        MPI_Irecv(theirs, 1, MPI_INT, from, 7, MPI_COMM_WORLD, &request); /* request */
        send_on();
    }
    if (strcmp(way, "root") == 0)
        for (int to = 1; rank == 0 && to < size; to++)
            MPI_Send(&mine, 1, MPI_INT, to, 7, MPI_COMM_WORLD); /* root */
    if (strcmp(way, "ring") == 0)
        send_on();
    if (strcmp(way, "wrong") == 0)
        receive_wrongly(1);
    if (strcmp(way, "again") == 0)
        receive_wrongly(3);
    if (strcmp(way, "unfinished") == 0)
        return 0;
    if (strcmp(way, "crash") == 0 || strcmp(way, "peer") == 0 || strcmp(way, "late") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank > 0)
            return 0;
        usleep(300000); /* meanwhile the others end */
        if (strcmp(way, "crash") == 0)
            raise(SIGSEGV);
        while (strcmp(way, "late") == 0)
            usleep(10000);
        MPI_Recv(theirs, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receive */
    }
    MPI_Finalize(); /* finalize */
    if (strcmp(way, "after") == 0)
        fprintf(stderr, "after MPI_Finalize\n");
    return 0;
}
