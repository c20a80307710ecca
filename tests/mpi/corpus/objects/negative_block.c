/* A block of an indexed type has a negative length.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Type_indexed | -1 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int lengths[2] = {1, -1}, places[2] = {0, 4};
    MPI_Datatype type;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type); /* A */
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
