/* A colour is negative and not MPI_UNDEFINED.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Comm_split | colour/color | -3 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, -3, rank, &part); /* A */
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
