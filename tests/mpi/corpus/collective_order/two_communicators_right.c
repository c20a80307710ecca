/* Non-blocking barriers of two communicators may be started in different orders.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm first, second;
    MPI_Request requests[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Ibarrier(rank == 0 ? first : second, &requests[0]);
    MPI_Ibarrier(rank == 0 ? second : first, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Finalize();
    return 0;
}
