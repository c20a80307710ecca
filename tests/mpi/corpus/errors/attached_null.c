/* A buffer for buffered sends is NULL.
 *
 * ranks: 2
 * goal: parameter
 * names: {A} | NULL
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(NULL, 100); /* A */
    MPI_Finalize();
    return 0;
}
