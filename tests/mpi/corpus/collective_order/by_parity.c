/* Even and odd ranks enter branches with different calls.
 *
 * ranks: 4
 * goal: mismatch
 * names: MPI_Gather | MPI_Alltoall | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[4], out[4] = {0};
    if (rank % 2 == 0)
        MPI_Gather(&rank, 1, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
