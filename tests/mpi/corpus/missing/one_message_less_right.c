/* Three messages and a last empty one, which ends the receiver's loop.
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
    int x = 7, count;
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int messages = 0;
        do {
            MPI_Status status;
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            messages += count;
        } while (count > 0);
        if (messages != 3)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
