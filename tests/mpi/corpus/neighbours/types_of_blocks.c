/* A neighbour sends real numbers where integers are expected.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | MPI_Neighbor_alltoallw | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {2}, periods[1] = {0}, counts[2] = {1, 1}, y[2];
    float x[2] = {1, 2};
    MPI_Aint places[2] = {0, 4};
    MPI_Datatype out[2] = {rank == 1 ? MPI_FLOAT : MPI_INT, rank == 1 ? MPI_FLOAT : MPI_INT};
    MPI_Datatype in[2] = {MPI_INT, MPI_INT};
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Neighbor_alltoallw(x, counts, places, out, y, counts, places, in, line); /* A */
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
