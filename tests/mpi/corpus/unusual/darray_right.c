/* Each rank receives its part of a matrix into a distributed array's type.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sizes[2] = {4, 4}, how[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int with[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[2] = {2, 2};
    int part[4], whole[16], count;
    MPI_Datatype types[4];
    MPI_Request requests[5];
    for (int i = 0; i < 4; i++) {
        MPI_Type_create_darray(4, i, 2, sizes, how, with, grid, MPI_ORDER_C, MPI_INT, &types[i]);
        MPI_Type_commit(&types[i]);
        part[i] = 10 * rank + i;
    }
    MPI_Type_size(types[rank], &count);
    MPI_Isend(part, count / 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[4]);
    if (rank == 0) {
        for (int i = 0; i < 4; i++)
            MPI_Irecv(whole, 1, types[i], i, 0, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        if (whole[1] != 10 || whole[8] != 20 || whole[15] != 33)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++)
        MPI_Type_free(&types[i]);
    MPI_Finalize();
    return 0;
}
