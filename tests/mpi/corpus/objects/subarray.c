/* A part of an array ends outside of it.
 *
 * ranks: 2
 * goal: parameter
 * names: MPI_Type_create_subarray | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int sizes[2] = {4, 4}, parts[2] = {2, 2}, starts[2] = {1, 3};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type); /* A */
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
