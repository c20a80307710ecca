/* The group of the world is a new handle, which is never freed.
 *
 * ranks: 2
 * goal: leak
 * names: group | MPI_Comm_group | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Group all;
    MPI_Comm_group(MPI_COMM_WORLD, &all); /* A */
    MPI_Finalize();
    return 0;
}
