/* A copy of a type's handle is freed once more.
 *
 * ranks: 2
 * goal: parameter/lifecycle
 * names: MPI_Type_free | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype type, copy;
    MPI_Type_contiguous(2, MPI_INT, &type);
    copy = type;
    MPI_Type_free(&type);
    MPI_Type_free(&copy); /* A */
    MPI_Finalize();
    return 0;
}
