/* A loop starts receives into one buffer.
 *
 * ranks: 3
 * goal: buffer
 * names: R0 | {A} | overlaps
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, value = 0;
    MPI_Request requests[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value, 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]); /* A */
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
