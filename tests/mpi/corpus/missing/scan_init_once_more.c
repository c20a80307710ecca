/* The first rank starts a persistent scan once more than the others.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | MPI_Scan_init | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum;
    MPI_Request request;
    MPI_Scan_init(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2 + (rank == 0); i++) {
        MPI_Start(&request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
