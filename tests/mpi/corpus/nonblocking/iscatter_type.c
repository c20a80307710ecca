/* The root scatters floats, and the others expect integers.
 *
 * ranks: 3
 * goal: mismatch
 * names: R0 | MPI_Iscatter | MPI_FLOAT | MPI_INT | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    float all[3] = {1, 2, 3}, part;
    int mine;
    MPI_Request request;
    if (rank == 0)
        MPI_Iscatter(all, 1, MPI_FLOAT, &part, 1, MPI_FLOAT, 0, MPI_COMM_WORLD, &request); /* A */
    else
        MPI_Iscatter(NULL, 0, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
