/* A type that is only a part of another one need not be committed.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x[4] = {1, 2, 3, 4}, bytes;
    MPI_Datatype inner, outer;
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_contiguous(2, inner, &outer);
    MPI_Type_size(inner, &bytes);
    MPI_Type_commit(&outer);
    MPI_Bcast(x, 1, outer, 0, MPI_COMM_WORLD);
    MPI_Type_free(&inner);
    MPI_Type_free(&outer);
    if (bytes != 8)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
