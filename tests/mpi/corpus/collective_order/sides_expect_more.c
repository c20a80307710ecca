/* Rank 0 expects more of the other side of an intercommunicator than it sends.
 *
 * ranks: 3
 * goal: mismatch
 * names: R0 | MPI_Allgather | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[4];
    MPI_Comm side, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 0, &both);
    MPI_Allgather(&rank, 1, MPI_INT, in, rank == 0 ? 2 : 1, MPI_INT, both); /* A */
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
