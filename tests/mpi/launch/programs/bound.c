/* Each rank says on which CPUs its thread may run. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    char line[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *status = fopen("/proc/thread-self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if (strncmp(line, "Cpus_allowed_list:", 18) == 0)
            printf("rank %d on%s", rank, line + 18);
    }
    MPI_Finalize();
    return 0;
}
