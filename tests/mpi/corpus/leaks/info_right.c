/* An info object is filled, copied, read and freed.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char value[20];
    int found;
    MPI_Info info, copy;
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "green");
    MPI_Info_dup(info, &copy);
    MPI_Info_free(&info);
    MPI_Info_get(copy, "colour", 10, value, &found);
    if (!found || strcmp(value, "green") != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Info_free(&copy);
    MPI_Finalize();
    return 0;
}
