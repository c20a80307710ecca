/* At the ends of a line that does not wrap around, the neighbours are MPI_PROC_NULL.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {3}, periods[1] = {0}, from, to, x = rank, y = -1;
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Cart_shift(line, 0, 1, &from, &to);
    MPI_Sendrecv(&x, 1, MPI_INT, to, 0, &y, 1, MPI_INT, from, 0, line, MPI_STATUS_IGNORE);
    if (y != rank - 1 || (rank == 0 && from != MPI_PROC_NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
