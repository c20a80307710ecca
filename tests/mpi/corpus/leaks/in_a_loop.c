/* A loop makes five types and frees the last one only.
 *
 * ranks: 2
 * goal: leak
 * names: type | MPI_Type_contiguous | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype type;
    for (int i = 1; i <= 5; i++) {
        MPI_Type_contiguous(i, MPI_INT, &type); /* A */
        MPI_Type_commit(&type);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
