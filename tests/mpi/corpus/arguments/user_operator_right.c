/* Every rank makes an operator of its own from the same function.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

static void larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[2] = {rank, -rank}, y[2];
    MPI_Op operator;
    MPI_Op_create(larger, 1, &operator);
    MPI_Allreduce(x, y, 2, MPI_INT, operator, MPI_COMM_WORLD);
    if (y[0] != 3 || y[1] != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Op_free(&operator);
    MPI_Finalize();
    return 0;
}
