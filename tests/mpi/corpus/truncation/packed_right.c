/* What is sent packed is received unpacked, and the other way round.
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
    int x[3] = {1, 2, 3}, length, position = 0;
    char space[100];
    MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &length);
    if (rank == 0) {
        MPI_Pack(x, 3, MPI_INT, space, sizeof space, &position, MPI_COMM_WORLD);
        MPI_Send(space, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
        MPI_Send(x, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        int y[3];
        MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(space, length, MPI_PACKED, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(space, length, &position, y, 3, MPI_INT, MPI_COMM_WORLD);
        if (x[2] != 3 || y[0] != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
