/* A vector type has a negative number of blocks.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Type_vector | -2 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype type;
    MPI_Type_vector(-2, 1, 1, MPI_INT, &type); /* A */
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
