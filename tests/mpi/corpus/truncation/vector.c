/* The receiver's strided type has room for three elements, and four come.
 *
 * ranks: 2
 * goal: truncation
 * names: R1 | MPI_Recv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double x[8] = {0};
    MPI_Datatype spread;
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &spread);
    MPI_Type_commit(&spread);
    if (rank == 0)
        MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(x, 1, spread, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    MPI_Type_free(&spread);
    MPI_Finalize();
    return 0;
}
