/* A duplicate is congruent to its original, and equal only to itself.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int same, like;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &same);
    MPI_Comm_compare(MPI_COMM_WORLD, copy, &like);
    if (same != MPI_IDENT || like != MPI_CONGRUENT)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
