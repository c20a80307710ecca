/* A group of two has no third rank.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Group_incl | 2 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ranks[2] = {0, 2};
    MPI_Group all, some;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some); /* A */
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
