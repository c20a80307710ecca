/* The ranks of MPI_Comm_create_group pass different tags.
 *
 * ranks: 2
 * goal: mismatch
 * names: {A} | MPI_Comm_create_group
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Group world;
    MPI_Comm comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_create_group(MPI_COMM_WORLD, world, rank, &comm); /* A */
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
