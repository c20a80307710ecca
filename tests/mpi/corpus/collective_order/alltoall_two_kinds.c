/* Rank 1 exchanges counted blocks where the others exchange equal ones.
 *
 * ranks: 3
 * goal: mismatch
 * names: R1 | MPI_Alltoall | MPI_Alltoallv | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[3], out[3] = {1, 2, 3}, counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
    if (rank == 1)
        MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT,
                      MPI_COMM_WORLD); /* A */
    else
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
