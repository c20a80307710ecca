/* The program's arguments are read before MPI_Init and after it.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *name = argv[0];
    MPI_Init(&argc, &argv);
    if (argc != 1 || strcmp(argv[0], name) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
