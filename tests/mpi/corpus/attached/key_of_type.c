/* A key made for types is used for a communicator.
 *
 * ranks: 1
 * goal: parameter
 * names: R0 | MPI_Comm_set_attr | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int key, value = 3;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value); /* A */
    MPI_Type_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
