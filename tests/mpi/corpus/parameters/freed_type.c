/* A type is used after it was freed.
 *
 * ranks: 2
 * goal: parameter/lifecycle
 * names: MPI_Bcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x[2] = {1, 2};
    MPI_Datatype type, copy;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    copy = type;
    MPI_Type_free(&type);
    MPI_Bcast(x, 1, copy, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
