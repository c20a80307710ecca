/* An attribute of MPI_COMM_SELF is deleted when MPI_Finalize begins, and its callback may use
 * MPI.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

static int at_end(MPI_Comm comm, int key, void *value, void *extra)
{
    int finalized;
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Finalized(&finalized);
    if (finalized)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
