/* usage: random_types FIRST COUNT: compares an MPI with the model of COUNT random datatypes, on two
 * ranks. */
#include "check_types.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int failures = argc == 3 ? check_types(strtoull(argv[1], NULL, 10), atoi(argv[2])) : 1;
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all ? 1 : 0;
}
