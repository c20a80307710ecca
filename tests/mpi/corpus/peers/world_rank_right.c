/* Ranks of the world are translated to ranks of the communicator of the odd ranks.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 9, world[2] = {1, 3}, own[2];
    MPI_Comm odd;
    MPI_Group all, some;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &odd);
    if (rank % 2 == 1) {
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Comm_group(odd, &some);
        MPI_Group_translate_ranks(all, 2, world, some, own);
        if (rank == 3)
            MPI_Send(&x, 1, MPI_INT, own[0], 0, odd);
        else
            MPI_Recv(&x, 1, MPI_INT, own[1], 0, odd, MPI_STATUS_IGNORE);
        MPI_Group_free(&all);
        MPI_Group_free(&some);
    }
    MPI_Comm_free(&odd);
    MPI_Finalize();
    return 0;
}
