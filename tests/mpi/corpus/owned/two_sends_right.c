/* Two sends and the program itself read the same buffer.
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
    int x = 7, sum = 0;
    if (rank == 0) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++)
            MPI_Isend(&x, 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
        sum += x;
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (sum != 7)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
