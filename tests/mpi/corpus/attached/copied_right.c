/* A duplicate has the attribute that the copy function gives it.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>

static int one_more(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(int **)out = (int *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int key, found, values[2] = {1, 2}, *at;
    MPI_Comm copy;
    MPI_Comm_create_keyval(one_more, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, values);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_get_attr(copy, key, &at, &found);
    if (!found || *at != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_delete_attr(copy, key);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
