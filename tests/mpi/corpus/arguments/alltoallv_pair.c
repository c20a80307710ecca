/* Rank 1 sends two integers to rank 0, which expects one.
 *
 * ranks: 3
 * goal: mismatch/truncation
 * names: R0 | R1 | MPI_Alltoallv | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[6], out[6] = {0}, sends[3] = {1, 1, 1}, receives[3] = {1, 1, 1}, places[3] = {0, 2, 4};
    if (rank == 1)
        sends[0] = 2;
    MPI_Alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT,
                  MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
