/* A type's inner type is forgotten, though the outer one is freed.
 *
 * ranks: 2
 * goal: leak
 * names: type | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Datatype inner, outer;
    MPI_Type_contiguous(2, MPI_INT, &inner); /* A */
    MPI_Type_vector(3, 1, 2, inner, &outer);
    MPI_Type_commit(&outer);
    MPI_Type_free(&outer);
    MPI_Finalize();
    return 0;
}
