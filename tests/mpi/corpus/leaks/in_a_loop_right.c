/* A loop makes five types and frees each.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x[5] = {1, 2, 3, 4, 5};
    for (int i = 1; i <= 5; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(i, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Bcast(x, 1, type, 0, MPI_COMM_WORLD);
        MPI_Type_free(&type);
    }
    MPI_Finalize();
    return 0;
}
