/* Ten integers are sent from nowhere.
 *
 * ranks: 2
 * goal: parameter
 * names: R0 | MPI_Send | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[10];
    if (rank == 0)
        MPI_Send(NULL, 10, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(x, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
