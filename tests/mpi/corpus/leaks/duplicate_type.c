/* A duplicate of a predefined type is a type to be freed.
 *
 * ranks: 2
 * goal: leak
 * names: type | MPI_Type_dup | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype type;
    MPI_Type_dup(MPI_INT, &type); /* A */
    MPI_Finalize();
    return 0;
}
