/* Both sides take a structure for bytes.
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
    struct {
        int i;
        double d;
    } x = {1, 2};
    if (rank == 0)
        MPI_Send(&x, sizeof x, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    else {
        x.d = 0;
        MPI_Recv(&x, sizeof x, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (x.d != 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
