/* A communicator is made and freed a hundred times.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++) {
        int x = 1, sum;
        MPI_Comm part;
        MPI_Comm_split(MPI_COMM_WORLD, (rank + i) % 2, i, &part);
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, part);
        if (sum < 1 || sum > 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_free(&part);
    }
    MPI_Finalize();
    return 0;
}
