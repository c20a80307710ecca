/* Two variables are sent by their addresses, and received as two integers.
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
    int a = 1, b = 2, x[2], one[2] = {1, 1};
    MPI_Aint at[2];
    MPI_Datatype both;
    if (rank == 0) {
        MPI_Get_address(&a, &at[0]);
        MPI_Get_address(&b, &at[1]);
        MPI_Type_create_hindexed(2, one, at, MPI_INT, &both);
        MPI_Type_commit(&both);
        MPI_Send(MPI_BOTTOM, 1, both, 1, 0, MPI_COMM_WORLD);
        MPI_Type_free(&both);
    } else {
        MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (x[0] != 1 || x[1] != 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
