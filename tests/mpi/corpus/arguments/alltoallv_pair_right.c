/* Every pair exchanges a block of a length of its own, and some exchange nothing.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in[9], out[9], sends[3], receives[3], places[3] = {0, 3, 6};
    for (int i = 0; i < 3; i++) {
        sends[i] = (rank + 2 * i) % 3;
        receives[i] = (i + 2 * rank) % 3;
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = 10 * rank + i;
    }
    MPI_Alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < receives[i]; j++)
            if (in[3 * i + j] != 10 * i + rank)
                MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
