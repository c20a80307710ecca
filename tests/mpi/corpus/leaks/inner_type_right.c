/* A type's inner type is freed first, and the outer one is used after that.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[12] = {0};
    MPI_Datatype inner, outer;
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_vector(3, 1, 2, inner, &outer);
    MPI_Type_free(&inner);
    MPI_Type_commit(&outer);
    if (rank == 0)
        for (int i = 0; i < 12; i++)
            x[i] = i;
    MPI_Bcast(x, 1, outer, 0, MPI_COMM_WORLD);
    if (x[9] != 9 || (rank == 1 && x[2] != 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&outer);
    MPI_Finalize();
    return 0;
}
