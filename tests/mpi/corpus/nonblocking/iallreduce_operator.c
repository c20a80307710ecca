/* Rank 2 wants the smallest value, the others the sum.
 *
 * ranks: 3
 * goal: mismatch
 * names: R2 | MPI_Iallreduce | MPI_MIN/op=min | MPI_SUM/op=sum | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Request request;
    MPI_Iallreduce(&x, &y, 1, MPI_INT, rank == 2 ? MPI_MIN : MPI_SUM, MPI_COMM_WORLD,
                   &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
