/* An operator is never freed.
 *
 * ranks: 2
 * goal: leak
 * names: operator | MPI_Op_create | {A}
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
    int x = rank, y;
    MPI_Op operator;
    MPI_Op_create(first, 0, &operator); /* A */
    MPI_Allreduce(&x, &y, 1, MPI_INT, operator, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
