/* In a ring of four, rank 0 starts the token and takes it back at the end.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int token = 0, left = (rank + size - 1) % size, right = (rank + 1) % size;
    if (rank == 0)
        MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token++;
    if (rank != 0)
        MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    else if (token != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
