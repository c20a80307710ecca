/* A message is sent from the memory into which another is received.
 *
 * ranks: 2
 * goal: buffer
 * names: R0 | R1 | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, other = 1 - rank;
    MPI_Request requests[2];
    MPI_Irecv(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]); /* A */
    MPI_Isend(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]); /* B */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
