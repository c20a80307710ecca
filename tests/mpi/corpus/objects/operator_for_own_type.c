/* A predefined operator does not know the program's types.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Allreduce | MPI_SUM | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int x[2] = {1, 2}, y[2];
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Allreduce(x, y, 1, two, MPI_SUM, MPI_COMM_WORLD); /* A */
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
