/* Only rank 1 forgets to free its type.
 *
 * ranks: 2
 * goal: leak
 * names: R1 | type | MPI_Type_vector | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type;
    MPI_Type_vector(3, 1, 2, MPI_INT, &type); /* A */
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
