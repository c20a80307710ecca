/* A rank writes to the memory into which a non-blocking gather still receives.
 *
 * ranks: 3
 * goal: buffer
 * names: R1 | MPI_Iallgather | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, all[3] = {0};
    MPI_Request request;
    MPI_Iallgather(&x, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request); /* A */
    if (rank == 1)
        all[2] = 77;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
