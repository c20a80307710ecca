/* Every rank is once the root; messages pass between the broadcasts.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x, y = 0;
    for (int root = 0; root < size; root++) {
        x = rank == root ? 10 * root : -1;
        MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);
        if (x != 10 * root)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (rank == root)
            MPI_Send(&x, 1, MPI_INT, (root + 1) % size, root, MPI_COMM_WORLD);
        else if (rank == (root + 1) % size)
            MPI_Recv(&y, 1, MPI_INT, root, root, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (y != (rank + size - 1) % size * 10)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
