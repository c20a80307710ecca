/* The parts of a split world are never freed.
 *
 * ranks: 4
 * goal: leak
 * names: communicator | MPI_Comm_split | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part); /* A */
    MPI_Finalize();
    return 0;
}
