/* What is packed in two pieces is received as numbers of two types.
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
    int i = 7, position = 0;
    double d = 2.5;
    char buffer[64];
    if (rank == 0) {
        MPI_Pack(&i, 1, MPI_INT, buffer, 64, &position, MPI_COMM_WORLD);
        MPI_Pack(&d, 1, MPI_DOUBLE, buffer, 64, &position, MPI_COMM_WORLD);
        MPI_Send(buffer, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else {
        struct {
            int i;
            double d;
        } x;
        int one[2] = {1, 1};
        MPI_Aint at[2], base;
        MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, both;
        MPI_Get_address(&x, &base);
        MPI_Get_address(&x.i, &at[0]);
        MPI_Get_address(&x.d, &at[1]);
        at[0] = MPI_Aint_diff(at[0], base);
        at[1] = MPI_Aint_diff(at[1], base);
        MPI_Type_create_struct(2, one, at, types, &both);
        MPI_Type_commit(&both);
        MPI_Recv(&x, 1, both, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (x.i != 7 || x.d != 2.5)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Type_free(&both);
    }
    MPI_Finalize();
    return 0;
}
