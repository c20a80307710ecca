/* What a rank sees of its surroundings, and what is seen of its end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int rank, initialized, finalized;
    char line[100] = "nothing";
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (initialized || finalized)
        return 90;
    MPI_Init(&argc, &argv);
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return 91;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(way, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, atoi(argv[2]));
    if (strcmp(way, "input") == 0 && fgets(line, sizeof line, stdin))
        line[strcspn(line, "\n")] = '\0';
    printf("read %s", line);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    printf(" has %s\nend", getenv("KPORT_TEST_WORD") ? getenv("KPORT_TEST_WORD") : "none");
    MPI_Finalize();
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || !finalized)
        return 92;
    return strcmp(way, "return") == 0 && rank == 2 ? atoi(argv[2]) : 0;
}
