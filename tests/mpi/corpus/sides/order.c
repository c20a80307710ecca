/* The two sides of an intercommunicator gather and exchange in different orders.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | R1 | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Comm both;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &both);
    if (rank == 0) {
        MPI_Allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, both); /* A */
        MPI_Alltoall(&x, 1, MPI_INT, &y, 1, MPI_INT, both);
    } else {
        MPI_Alltoall(&x, 1, MPI_INT, &y, 1, MPI_INT, both); /* B */
        MPI_Allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, both);
    }
    MPI_Comm_free(&both);
    MPI_Finalize();
    return 0;
}
