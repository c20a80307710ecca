/* Four integers are the same as one type of four integers.
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
    int x[4] = {0}, y[8] = {0};
    MPI_Datatype four, spread;
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_vector(4, 1, 2, MPI_INT, &spread);
    MPI_Type_commit(&four);
    MPI_Type_commit(&spread);
    if (rank == 0)
        for (int i = 0; i < 4; i++)
            x[i] = i + 1;
    if (rank == 0) {
        MPI_Bcast(x, 1, four, 0, MPI_COMM_WORLD);
        MPI_Bcast(x, 4, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(x, 4, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(y, 1, spread, 0, MPI_COMM_WORLD);
        if (x[3] != 4 || y[6] != 4 || y[1] != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_free(&four);
    MPI_Type_free(&spread);
    MPI_Finalize();
    return 0;
}
