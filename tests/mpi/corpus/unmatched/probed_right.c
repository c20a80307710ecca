/* The message is looked at for its length, and then taken.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[3] = {1, 2, 3}, count;
    if (rank == 0)
        MPI_Send(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Status status;
        MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        int *y = malloc(count * sizeof *y);
        MPI_Recv(y, count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (count != 3 || y[2] != 3)
            MPI_Abort(MPI_COMM_WORLD, 1);
        free(y);
    }
    MPI_Finalize();
    return 0;
}
