/* Only the even ranks call MPI_Comm_split, which is a call of all.
 *
 * ranks: 4
 * goal: deadlock/mismatch
 * names: R1 | MPI_Comm_split | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm even;
    if (rank % 2 == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &even); /* A */
        MPI_Comm_free(&even);
    }
    MPI_Finalize();
    return 0;
}
