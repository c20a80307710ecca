/* The buffer of a persistent send is written between its end and its next start.
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
    int x = 0, y;
    if (rank == 0) {
        MPI_Request request;
        MPI_Ssend_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 3; i++) {
            x = i;
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    } else
        for (int i = 0; i < 3; i++) {
            MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (y != i)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
    MPI_Finalize();
    return 0;
}
