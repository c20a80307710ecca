/* Rank 0 names a group with rank 1, which names a group of its own.
 *
 * ranks: 2
 * goal: mismatch
 * names: {A} | another group
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, one = 1;
    MPI_Group world, group;
    MPI_Comm comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank == 0)
        MPI_Comm_group(MPI_COMM_WORLD, &group);
    else
        MPI_Group_incl(world, 1, &one, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm); /* A */
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
