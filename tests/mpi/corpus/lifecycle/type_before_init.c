/* A type is made before MPI_Init.
 *
 * ranks: 2
 * goal: lifecycle
 * names: MPI_Type_contiguous | MPI_Init | {A}
 */
#include <mpi.h>

int main(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type); /* A */
    MPI_Init(NULL, NULL);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
