/* The master takes results from anybody and ends each worker with a negative task.
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
        TASKS = 10
    };
    if (rank == 0) {
        int next = 0, sum = 0, result;
        MPI_Status status;
        for (int i = 1; i < size; i++, next++)
            MPI_Send(&next, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        for (int done = 0; done < TASKS; done++) {
            MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
            sum += result;
            int task = next < TASKS ? next++ : -1;
            MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
        }
        if (sum != 285)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        int task;
        for (;;) {
            MPI_Recv(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (task < 0)
                break;
            int result = task * task;
            MPI_Send(&result, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
