/* A type is made of MPI_DATATYPE_NULL.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Type_contiguous | MPI_DATATYPE_NULL | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_DATATYPE_NULL, &type); /* A */
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
