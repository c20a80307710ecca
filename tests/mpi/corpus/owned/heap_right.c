/* Memory from the heap is used before the request and after it.
 *
 * ranks: 2
 * goal: right
 * with: address
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *x = calloc(10, sizeof *x);
    MPI_Request request;
    x[3] = 4;
    if (rank == 0)
        MPI_Irecv(x, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Isend(x, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    x[4] += x[3];
    free(x);
    MPI_Finalize();
    return 0;
}
