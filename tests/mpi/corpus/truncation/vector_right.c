/* The receiver's strided type has room for exactly what comes.
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
    double x[8] = {1, 2, 3, 4};
    MPI_Datatype spread;
    MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &spread);
    MPI_Type_commit(&spread);
    if (rank == 0)
        MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Recv(x, 1, spread, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (x[2] != 2 || x[6] != 4 || x[3] != 4)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_free(&spread);
    MPI_Finalize();
    return 0;
}
