/* Sends take the loop's variable for their buffer, which goes on counting.
 *
 * ranks: 4
 * goal: buffer
 * names: R0 | MPI_Issend | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x, i;
    if (rank == 0) {
        MPI_Request requests[3];
        for (i = 1; i < size; i++)
            MPI_Issend(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]); /* A */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
