/* Two receives interleave their elements like two combs, and touch nowhere.
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
    int x[8] = {0}, y[4] = {1, 2, 3, 4};
    MPI_Datatype comb;
    MPI_Request requests[2];
    MPI_Type_vector(4, 1, 2, MPI_INT, &comb);
    MPI_Type_commit(&comb);
    if (rank == 0) {
        MPI_Irecv(x, 1, comb, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(x + 1, 1, comb, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 8; i++)
            if (x[i] != i / 2 + 1)
                MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Send(y, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(y, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Type_free(&comb);
    MPI_Finalize();
    return 0;
}
