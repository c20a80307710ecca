/* The same request stands twice in the list.
 *
 * ranks: 2
 * goal: request
 * names: R0 | MPI_Waitall | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        requests[1] = requests[0];
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* A */
    } else
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
