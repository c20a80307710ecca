/* One rank says that the operator commutes, the others that it does not.
 *
 * ranks: 3
 * goal: mismatch
 * names: MPI_Allreduce | commute differs | {A}
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
    int x = rank, y;
    MPI_Op operator;
    MPI_Op_create(larger, rank == 1, &operator);
    MPI_Allreduce(&x, &y, 1, MPI_INT, operator, MPI_COMM_WORLD); /* A */
    MPI_Op_free(&operator);
    MPI_Finalize();
    return 0;
}
