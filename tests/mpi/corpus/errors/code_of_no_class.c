/* A code is added to an error class that does not exist.
 *
 * ranks: 2
 * goal: parameter
 * names: {A} | -77
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int code;
    MPI_Add_error_code(-77, &code); /* A */
    MPI_Finalize();
    return 0;
}
