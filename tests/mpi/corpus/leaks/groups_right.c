/* Groups are made from groups, and all are freed.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int ranks[2] = {0, 2}, members;
    MPI_Group all, some, others, both;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some);
    MPI_Group_difference(all, some, &others);
    MPI_Group_union(others, some, &both);
    MPI_Group_size(both, &members);
    if (members != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Group_free(&both);
    MPI_Group_free(&others);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
