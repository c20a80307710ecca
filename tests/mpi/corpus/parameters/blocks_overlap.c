/* The blocks that MPI_Alltoallw receives overlap each other in rank 1.
 *
 * ranks: 3
 * goal: parameter
 * names: R1 | could not take part in MPI_Alltoallw | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[3] = {rank, rank, rank}, y[3], counts[3] = {1, 1, 1}, out[3], in[3];
    MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT};
    for (int i = 0; i < 3; i++) {
        out[i] = i * (int)sizeof(int);
        in[i] = rank == 1 ? 0 : out[i];
    }
    MPI_Alltoallw(x, counts, out, types, y, counts, in, types, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
