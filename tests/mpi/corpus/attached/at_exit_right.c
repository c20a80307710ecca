/* An attribute of MPI_COMM_SELF is deleted by MPI_Finalize, whose callback may still call MPI.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

static int at_end(MPI_Comm comm, int key, void *value, void *extra)
{
    int size, done;
    (void)key, (void)value, (void)extra;
    MPI_Finalized(&done);
    MPI_Comm_size(comm, &size);
    return size == 1 && !done ? MPI_SUCCESS : MPI_ERR_OTHER;
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
