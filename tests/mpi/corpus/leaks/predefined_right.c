/* Predefined handles and MPI_COMM_NULL need not be freed.
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
    int same;
    MPI_Comm part, copy = MPI_COMM_WORLD;
    MPI_Group none = MPI_GROUP_EMPTY;
    MPI_Datatype type = MPI_INT;
    MPI_Comm_split(copy, rank == 0 ? 3 : MPI_UNDEFINED, 0, &part);
    MPI_Group_compare(none, MPI_GROUP_EMPTY, &same);
    MPI_Type_commit(&type);
    if (same != MPI_IDENT || (rank != 0 && part != MPI_COMM_NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
