/* A rank changes the second of the blocks that a non-blocking scatter sends.
 *
 * ranks: 3
 * goal: buffer
 * names: R0 | MPI_Iscatterv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int blocks[6] = {1, 2, 3, 4, 5, 6}, counts[3] = {1, 2, 3}, places[3] = {5, 3, 0}, x[3];
    MPI_Request request;
    MPI_Iscatterv(blocks, counts, places, MPI_INT, x, rank + 1, MPI_INT, 0, MPI_COMM_WORLD,
                  &request); /* A */
    if (rank == 0)
        blocks[3] = 77;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
