/* Ranks outside of the group get MPI_COMM_NULL and must not use it.
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
    int ranks[2] = {2, 0}, x = rank, y = -1;
    MPI_Group all, some;
    MPI_Comm part;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &part);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    if (part != MPI_COMM_NULL) {
        MPI_Exscan(&x, &y, 1, MPI_INT, MPI_SUM, part);
        if (rank == 0 && y != 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_free(&part);
    } else if (rank != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
