/* Everybody takes messages until a barrier says that all of them have arrived.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int x = rank, got = 0, started = 0, over = 0, sent;
    MPI_Request send, barrier;
    MPI_Issend(&x, 1, MPI_INT, (rank * 2 + 1) % size, 4, MPI_COMM_WORLD, &send);
    while (!over) {
        int there;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &there, &status);
        if (there) {
            MPI_Recv(&y, 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            got++;
        }
        if (started)
            MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
        else {
            MPI_Test(&send, &sent, MPI_STATUS_IGNORE);
            if (sent) {
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
                started = 1;
            }
        }
    }
    if (got != (rank % 2 == 1 ? 2 : 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
