/* Two disjoint groups make communicators at the same time, in which only their members take part.
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
    int ranks[2] = {rank / 2 * 2, rank / 2 * 2 + 1}, sum;
    MPI_Group all, half;
    MPI_Comm part;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &half);
    MPI_Comm_create_group(MPI_COMM_WORLD, half, rank / 2, &part);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    if (sum != ranks[0] + ranks[1])
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&part);
    MPI_Group_free(&half);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
