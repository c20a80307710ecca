/* Two communicators of the same ranks have barriers in different orders.
 *
 * ranks: 2
 * goal: deadlock/mismatch
 * names: R0 | R1 | MPI_Barrier | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm first, second;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    if (rank == 0) {
        MPI_Barrier(first); /* A */
        MPI_Barrier(second);
    } else {
        MPI_Barrier(second); /* B */
        MPI_Barrier(first);
    }
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Finalize();
    return 0;
}
