/* Two sides of different size: rank 1 of the second side gathers from the first, and all gather
 * from the other side.
 *
 * ranks: 5
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y[3] = {-1, -1, -1}, side = rank < 2;
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 2 : 0, 9, &both);
    MPI_Gather(&x, 1, MPI_INT, y, 1, MPI_INT,
               side        ? 1
               : rank == 3 ? MPI_ROOT
                           : MPI_PROC_NULL,
               both);
    if (rank == 3 && (y[0] != 0 || y[1] != 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(&x, 1, MPI_INT, y, 1, MPI_INT, both);
    if (y[1] != (side ? 3 : 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
