/* Requests that nobody waits for, of a message that is received or not, or of a collective. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, sent = 1, got = 0;
    static char sent_many[100], got_many[100];
    MPI_Request request;
    const char *way = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(way, "collective") == 0)
        MPI_Ibcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; strcmp(way, "several") == 0 && i < 100; i++) {
        if (rank == 0)
            MPI_Isend(&sent_many[i], 1, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &request);
        else
            MPI_Recv(&got_many[i], 1, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (strstr(way, "matched") && rank == 0)
        MPI_Isend(&sent, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
    if (strcmp(way, "matched") == 0 && rank == 1)
        MPI_Irecv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    MPI_Finalize();
    return 0;
}
