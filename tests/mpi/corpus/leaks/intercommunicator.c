/* A communicator of two groups is never freed.
 *
 * ranks: 2
 * goal: leak
 * names: communicator | MPI_Intercomm_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm between;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 1, &between); /* A */
    MPI_Finalize();
    return 0;
}
