/* Only the root's counts and types for receiving matter, so the others give nonsense.
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
    int all[9] = {0};
    MPI_Datatype spread, wide;
    MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
    MPI_Type_create_resized(spread, 0, 3 * sizeof(int), &wide);
    MPI_Type_commit(&wide);
    int mine[2] = {rank + 1, rank + 10};
    if (rank == 0) {
        MPI_Gather(mine, 2, MPI_INT, all, 1, wide, 0, MPI_COMM_WORLD);
        for (int i = 0; i < 3; i++)
            if (all[3 * i] != i + 1 || all[3 * i + 2] != i + 10)
                MPI_Abort(MPI_COMM_WORLD, 1);
    } else
        MPI_Gather(mine, 2, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&spread);
    MPI_Type_free(&wide);
    MPI_Finalize();
    return 0;
}
