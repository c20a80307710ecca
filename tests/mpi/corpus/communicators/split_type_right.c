/* All ranks of one machine share memory, so the parts are the whole.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int members;
    MPI_Comm near;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &members);
    if (members != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_free(&near);
    MPI_Finalize();
    return 0;
}
