/* Rank 2 gives more than the root has room for.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R2 | MPI_Igather | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[9], x[3] = {1, 2, 3};
    MPI_Request request;
    MPI_Igather(x, rank == 2 ? 3 : 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD,
                &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
