/* The last element of one receive is the first one of another.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | MPI_Irecv | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[5] = {0};
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Irecv(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);     /* A */
        MPI_Irecv(x + 2, 3, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]); /* B */
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(x, 3, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
