/* Of two groups one is freed.
 *
 * ranks: 3
 * goal: leak
 * names: group | MPI_Group_incl | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ranks[2] = {0, 2};
    MPI_Group all, some;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, ranks, &some); /* A */
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
