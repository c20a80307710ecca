/* An attribute is deleted that was never set.
 *
 * ranks: 1
 * goal: parameter
 * names: R0 | MPI_Comm_delete_attr | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_delete_attr(MPI_COMM_SELF, key); /* A */
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
