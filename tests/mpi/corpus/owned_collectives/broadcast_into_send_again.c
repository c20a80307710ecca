/* A broadcast comes into the buffer of a send that has not ended. The same broadcast was right
 * before.
 *
 * ranks: 2
 * goal: buffer
 * names: R1 | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y, z;
    MPI_Request request;
    for (int i = 0; i < 3; i++)
        MPI_Bcast(&z, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Issend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);                   /* B */
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
