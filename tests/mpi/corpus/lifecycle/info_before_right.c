/* Info objects may be made before MPI_Init.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Info info;
    char value[8];
    int length = sizeof value, found;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Init(&argc, &argv);
    MPI_Info_get_string(info, "key", &length, value, &found);
    if (!found || strcmp(value, "value") != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
