/* Rank 0 receives from 1, rank 1 sends synchronously to 2, rank 2 waits for a request from 0.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | R1 | R2 | MPI_Recv | MPI_Ssend | MPI_Wait | {A} | {B} | {C}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 0, y = 0;
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
        MPI_Send(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Ssend(&y, 1, MPI_INT, 2, 1, MPI_COMM_WORLD); /* B */
        MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request request;
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* C */
        MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
