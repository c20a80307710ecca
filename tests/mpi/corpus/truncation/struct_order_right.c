/* A structure of an integer and a double goes to a receiver with other gaps.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

static MPI_Datatype pair(MPI_Aint gap)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, gap};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, made;
    MPI_Type_create_struct(2, lengths, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct near {
        int i;
        double d;
    } near = {3, 4.5};
    struct far {
        int i;
        char name[28];
        double d;
    } far;
    MPI_Datatype type = rank == 0 ? pair(8) : pair(32);
    if (rank == 0)
        MPI_Send(&near, 1, type, 1, 0, MPI_COMM_WORLD);
    else {
        MPI_Recv(&far, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (far.i != 3 || far.d != 4.5)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
