/* A request is moved in its array before it is waited for.
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
    int x[2] = {rank, rank}, y[2], other = 1 - rank;
    MPI_Request first[2], second[2];
    MPI_Irecv(y, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &first[0]);
    MPI_Isend(x, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &first[1]);
    second[0] = first[1];
    second[1] = first[0];
    MPI_Waitall(2, second, MPI_STATUSES_IGNORE);
    if (y[1] != other)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
