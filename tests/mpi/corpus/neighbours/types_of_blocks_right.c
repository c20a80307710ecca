/* Each block has its own type, with the same elements at both ends.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int dims[1] = {2}, periods[1] = {0}, counts[2] = {1, 1}, x[4] = {1, 2, 3, 4}, y[8];
    MPI_Aint places[2] = {0, 0};
    MPI_Datatype pair, apart;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&apart);
    MPI_Datatype out[2] = {pair, pair}, in[2] = {apart, apart};
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Neighbor_alltoallw(x, counts, places, out, y, counts, places, in, line);
    if (y[0] != 1 || y[2] != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&pair);
    MPI_Type_free(&apart);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
