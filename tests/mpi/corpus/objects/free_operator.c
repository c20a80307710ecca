/* A predefined operator is freed.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Op_free | MPI_SUM | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Op operator= MPI_SUM;
    MPI_Op_free(&operator); /* A */
    MPI_Finalize();
    return 0;
}
