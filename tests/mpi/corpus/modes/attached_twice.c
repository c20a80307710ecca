/* Two buffers are attached at the same time.
 *
 * ranks: 2
 * goal: parameter/buffering/lifecycle/mode
 * names: MPI_Buffer_attach | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    static char first[1000], second[1000];
    int length;
    void *back;
    MPI_Buffer_attach(first, sizeof first);
    MPI_Buffer_attach(second, sizeof second); /* A */
    MPI_Buffer_detach(&back, &length);
    MPI_Finalize();
    return 0;
}
