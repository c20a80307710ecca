/* MPI_Improbe takes a message as soon as it is there; MPI_PROC_NULL gives one at once.
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
    int x = 5, there = 0;
    MPI_Message message;
    MPI_Improbe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
    if (!there || message != MPI_MESSAGE_NO_PROC)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Request request;
        for (there = 0; !there;)
            MPI_Improbe(0, 0, MPI_COMM_WORLD, &there, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(&x, 1, MPI_INT, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
