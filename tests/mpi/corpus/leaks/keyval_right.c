/* A key is freed while a communicator still has an attribute of it.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

static int deleted;
static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    deleted = *(int *)value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int key, value = 17, found, *back;
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
    MPI_Comm_set_attr(copy, key, &value);
    MPI_Comm_get_attr(copy, key, &back, &found);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&copy);
    if (!found || *back != 17 || deleted != 17)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
