/* Each rank gives the group that it is in, and the groups are disjoint.
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
    int ranks[2] = {rank % 2, 2 + rank % 2}, sum;
    MPI_Group all, some;
    MPI_Comm part;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &part);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    if (sum != 2 + rank % 2 * 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&part);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
