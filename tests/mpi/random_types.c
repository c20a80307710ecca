/* usage: random_types [...] FIRST COUNT: compares an MPI with the model of COUNT random datatypes,
 * on two ranks. */
#include "check_types.h"

int main(int argc, char **argv)
{
    int failures = 1, all = 0;
    MPI_Init(&argc, &argv);
    if (argc >= 3)
        failures = check_types(strtoull(argv[argc - 2], NULL, 10), atoi(argv[argc - 1]));
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 0;
}
