/* Both messages are offered at once, so the receiver may take them in any order of tags.
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
    int x = 1, y = 2;
    if (rank == 0) {
        MPI_Request both[2];
        MPI_Issend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &both[0]);
        MPI_Issend(&y, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    } else {
        int a, b;
        MPI_Recv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (a != x || b != y)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
