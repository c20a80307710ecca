/* The attached buffer has exactly the room of the messages under way.
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
    int x[3] = {1, 2, 3}, bytes, all;
    void *got;
    if (rank == 0) {
        MPI_Request request;
        MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &bytes);
        all = 2 * (bytes + MPI_BSEND_OVERHEAD);
        MPI_Buffer_attach(malloc((size_t)all), all);
        MPI_Bsend(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Ibsend(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&got, &all);
        free(got);
    } else {
        MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
