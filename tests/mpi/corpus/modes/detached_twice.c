/* A buffer is detached that is not attached any more.
 *
 * ranks: 2
 * goal: parameter/buffering/lifecycle/mode
 * names: MPI_Buffer_detach | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    static char space[1000];
    int length;
    void *back;
    MPI_Buffer_attach(space, sizeof space);
    MPI_Buffer_detach(&back, &length);
    MPI_Buffer_detach(&back, &length); /* A */
    MPI_Finalize();
    return 0;
}
