/* The ranks give different groups to MPI_Comm_create.
 *
 * ranks: 3
 * goal: mismatch/deadlock
 * names: MPI_Comm_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int first[2] = {0, 1}, other[2] = {0, 2};
    MPI_Group all, some;
    MPI_Comm part;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, rank == 2 ? other : first, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &part); /* A */
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
