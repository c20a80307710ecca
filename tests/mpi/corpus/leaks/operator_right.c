/* An operator that does not commute is used and freed.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

static void first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] = ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank + 5, y;
    MPI_Op operator;
    MPI_Op_create(first, 0, &operator);
    MPI_Allreduce(&x, &y, 1, MPI_INT, operator, MPI_COMM_WORLD);
    if (y != 5)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Op_free(&operator);
    MPI_Finalize();
    return 0;
}
