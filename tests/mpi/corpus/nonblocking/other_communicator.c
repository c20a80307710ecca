/* Rank 0 starts its sum in a duplicate of the world, rank 1 in the world.
 *
 * ranks: 2
 * goal: deadlock/mismatch
 * names: R0 | R1 | MPI_Wait/MPI_Iallreduce | {A}/{B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, rank == 0 ? copy : MPI_COMM_WORLD,
                   &request);              /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* B */
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
