/* Persistent collectives in place at their roots, started three times.
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
    MPI_Request r[3];
    int counts[3] = {1, 1, 1}, places[3] = {0, 1, 2}, all[3] = {0, 0, 0}, parts[3], sum, part;
    MPI_Gatherv_init(rank == 1 ? MPI_IN_PLACE : &rank, 1, MPI_INT, all, counts, places, MPI_INT, 1,
                     MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Reduce_init(rank == 0 ? MPI_IN_PLACE : &rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD,
                    MPI_INFO_NULL, &r[1]);
    MPI_Scatter_init(parts, 1, MPI_INT, rank == 2 ? MPI_IN_PLACE : &part, 1, MPI_INT, 2,
                     MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);
    for (int time = 0; time < 3; time++) {
        sum = 0;
        all[rank] = rank;
        for (int i = 0; i < 3; i++)
            parts[i] = time * 10 + i;
        MPI_Startall(3, r);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
        if ((rank == 1 && (all[0] != 0 || all[1] != 1 || all[2] != 2)) || (rank == 0 && sum != 3) ||
            (rank != 2 && part != time * 10 + rank))
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&r[i]);
    MPI_Finalize();
    return 0;
}
