/* A key for attributes is never freed.
 *
 * ranks: 2
 * goal: leak
 * names: key | MPI_Comm_create_keyval | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL); /* A */
    MPI_Finalize();
    return 0;
}
