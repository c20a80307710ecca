/* Rank 2 does not start the barrier for which the others wait.
 *
 * ranks: 3
 * goal: deadlock/mismatch
 * names: R2 | MPI_Wait/MPI_Ibarrier | {A}/{B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 2) {
        MPI_Request request;
        MPI_Ibarrier(MPI_COMM_WORLD, &request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);  /* B */
    }
    MPI_Finalize();
    return 0;
}
