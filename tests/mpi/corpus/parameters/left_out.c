/* A rank that MPI_Comm_split left out uses the result all the same.
 *
 * ranks: 3
 * goal: parameter
 * names: R2 | MPI_Comm_rank | MPI_COMM_NULL | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine;
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &part);
    MPI_Comm_rank(part, &mine); /* A */
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
