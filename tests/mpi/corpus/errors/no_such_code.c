/* No function has returned the error code of which the text is asked for.
 *
 * ranks: 2
 * goal: parameter
 * names: {A} | -7
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(-7, text, &length); /* A */
    MPI_Finalize();
    return 0;
}
