/* A rank writes to the buffer into which it receives.
 *
 * ranks: 2
 * goal: buffer
 * names: R1 | MPI_Isendrecv_replace | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int both = rank;
    MPI_Request request;
    MPI_Isendrecv_replace(&both, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                          &request); /* A */
    if (rank == 1)
        both += 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
