/* An info object is never freed.
 *
 * ranks: 2
 * goal: leak
 * names: info | MPI_Info_create | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Info info;
    MPI_Info_create(&info); /* A */
    MPI_Info_set(info, "colour", "green");
    MPI_Finalize();
    return 0;
}
