/* Rank 1 gives two elements, the others give one.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R1 | MPI_Ireduce | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {rank, rank}, y[2];
    MPI_Request request;
    MPI_Ireduce(x, y, rank == 1 ? 2 : 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
