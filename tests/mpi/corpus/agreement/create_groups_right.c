/* Ranks of disjoint groups make a communicator each by one call, and one rank none.
 *
 * ranks: 5
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Group world, group;
    MPI_Comm comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    const int members[2] = {rank % 2, rank % 2 + 2};
    MPI_Group_incl(world, rank == 4 ? 0 : 2, members, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_size(comm, &size);
        if (size != 2 || rank == 4)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Comm_free(&comm);
    }
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
