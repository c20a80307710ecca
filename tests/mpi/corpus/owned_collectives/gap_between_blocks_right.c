/* A rank writes between the blocks that a non-blocking gather receives.
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
    int x = rank + 1, all[6] = {0}, counts[3] = {1, 1, 1}, places[3] = {0, 2, 4};
    MPI_Request request;
    MPI_Iallgatherv(&x, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
    all[1] = all[3] = 77;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (all[0] != 1 || all[1] != 77 || all[2] != 2 || all[3] != 77 || all[4] != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
