/* More is unpacked than was received.
 *
 * ranks: 2
 * goal: parameter/truncation
 * names: R1 | MPI_Unpack | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {1, 2}, y[3], position = 0;
    char buffer[64];
    MPI_Status status;
    if (rank == 0) {
        MPI_Pack(x, 2, MPI_INT, buffer, 64, &position, MPI_COMM_WORLD);
        MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else {
        int bytes;
        MPI_Recv(buffer, 64, MPI_PACKED, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_PACKED, &bytes);
        MPI_Unpack(buffer, bytes, &position, y, 3, MPI_INT, MPI_COMM_WORLD); /* A */
    }
    MPI_Finalize();
    return 0;
}
