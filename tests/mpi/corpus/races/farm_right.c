/* A farm of tasks: which worker gets which task is open, the result is not.
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
    enum {
        TASKS = 12
    };
    int result[2] = {0, 0}, task, sum = 0, next = 0;
    if (rank == 0) {
        for (int working = size - 1; working > 0;) {
            MPI_Status status;
            MPI_Recv(result, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            sum += result[1];
            task = next < TASKS ? next++ : -1;
            working -= task < 0;
            MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
        }
        if (sum != 506)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else
        for (;;) {
            MPI_Send(result, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (task < 0)
                break;
            result[0] = task;
            result[1] = task * task;
        }
    MPI_Finalize();
    return 0;
}
