/* The request of the first sum is overwritten by that of the second.
 *
 * ranks: 3
 * goal: request/leak
 * names: request | MPI_Iallreduce | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y[2];
    MPI_Request request;
    MPI_Iallreduce(&x, &y[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); /* A */
    MPI_Iallreduce(&x, &y[1], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
