/* Absolute addresses need no buffer but MPI_BOTTOM.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int a = rank, lengths[2] = {1, 1};
    double b = rank;
    MPI_Aint places[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, both;
    MPI_Get_address(&a, &places[0]);
    MPI_Get_address(&b, &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &both);
    MPI_Type_commit(&both);
    MPI_Bcast(MPI_BOTTOM, 1, both, 1, MPI_COMM_WORLD);
    if (a != 1 || b != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&both);
    MPI_Finalize();
    return 0;
}
