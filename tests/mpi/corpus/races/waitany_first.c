/* The program takes for granted that MPI_Waitany ends the first request of its list first.
 *
 * ranks: 3
 * goal: race
 * names: R0 | MPI_Waitany | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2], which;
    if (rank == 0) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE); /* A */
        if (which != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
