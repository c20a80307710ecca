/* Requests end in groups, and MPI_UNDEFINED says that none is left.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int in[3], sum = 0, left = 1;
    if (rank == 0) {
        MPI_Request requests[3];
        for (int i = 1; i < size; i++)
            MPI_Irecv(&in[i - 1], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
        while (left) {
            int count, which[3];
            MPI_Waitsome(3, requests, &count, which, MPI_STATUSES_IGNORE);
            left = count != MPI_UNDEFINED;
            for (int i = 0; left && i < count; i++)
                sum += in[which[i]];
        }
        if (sum != 6)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
