/* MPI_DATATYPE_NULL is freed.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Type_free | MPI_DATATYPE_NULL | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_free(&type); /* A */
    MPI_Finalize();
    return 0;
}
