/* Calls are started in one order and waited for in another.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank == 0 ? 5 : 0, y = rank, sum;
    MPI_Request requests[3];
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&y, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    for (int i = 0; i < 3; i++)
        MPI_Wait(&requests[(i + rank) % 3], MPI_STATUS_IGNORE);
    if (x != 5 || sum != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
