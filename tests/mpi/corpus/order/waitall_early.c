/* Everybody waits for all receives before the first send.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | R1 | R2 | MPI_Waitall | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int in[3], count = 0;
    MPI_Request requests[3];
    for (int i = 0; i < size; i++)
        if (i != rank)
            MPI_Irecv(&in[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE); /* A */
    for (int i = 0; i < size; i++)
        if (i != rank)
            MPI_Send(&rank, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
