/* The root leaves out a non-blocking reduction, whose other ranks only send.
 *
 * ranks: 3
 * goal: mismatch/deadlock
 * names: R1 | MPI_Ireduce | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum;
    MPI_Request request;
    if (rank != 0) {
        MPI_Ireduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
