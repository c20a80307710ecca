/* A message to oneself is started, and the program waits for it instead of receiving it.
 *
 * ranks: 2
 * goal: deadlock/unmatched
 * names: R0 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);                     /* B */
    }
    MPI_Finalize();
    return 0;
}
