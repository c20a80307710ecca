/* The sender's structure is an integer and a double, the receiver's a double and an integer.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | {A} | {B}
 */
#include <mpi.h>

static MPI_Datatype pair(MPI_Datatype first, MPI_Datatype second)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {first, second}, made;
    MPI_Type_create_struct(2, lengths, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char x[16] = {0};
    MPI_Datatype type = rank == 0 ? pair(MPI_INT, MPI_DOUBLE) : pair(MPI_DOUBLE, MPI_INT);
    if (rank == 0)
        MPI_Send(x, 1, type, 1, 0, MPI_COMM_WORLD); /* A */
    else
        MPI_Recv(x, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
