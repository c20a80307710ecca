/* Of two wildcard receives, the first is taken for that of rank 1.
 *
 * ranks: 3
 * goal: race
 * names: R0 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2];
    if (rank == 0) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[i]); /* A */
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (x[0] != 1 || x[1] != 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
