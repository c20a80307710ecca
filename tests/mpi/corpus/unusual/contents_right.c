/* The types that MPI_Type_get_contents returns are freed if they are derived.
 *
 * ranks: 1
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int integers[1], kinds[4];
    MPI_Aint places[1];
    MPI_Datatype inner, outer, got[1];
    MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
    MPI_Type_contiguous(3, inner, &outer);
    MPI_Type_get_contents(outer, 1, 0, 1, integers, places, got);
    MPI_Type_get_envelope(got[0], &kinds[0], &kinds[1], &kinds[2], &kinds[3]);
    if (kinds[3] != MPI_COMBINER_NAMED)
        MPI_Type_free(&got[0]);
    MPI_Type_free(&inner);
    MPI_Type_free(&outer);
    MPI_Finalize();
    return 0;
}
