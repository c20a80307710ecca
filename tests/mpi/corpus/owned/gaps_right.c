/* The gaps of a strided receive belong to the program, which writes there meanwhile.
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
    MPI_Type_vector(4, 1, 2, MPI_INT, &comb);
    MPI_Type_commit(&comb);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(x, 1, comb, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 1; i < 8; i += 2)
            x[i] = -i;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < 8; i++)
            if (x[i] != (i % 2 ? -i : i / 2 + 1))
                MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(y, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&comb);
    MPI_Finalize();
    return 0;
}
