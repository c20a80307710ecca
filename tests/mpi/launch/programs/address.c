/* Each rank writes an address of its memory, which the order may change, but no message decides.
 * With an argument rank 0 writes from which rank a message came first. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, from = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void *memory = malloc(8);
    if (argc == 1)
        printf("%p\n", memory);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++) {
        const int source = argc == 1 ? i : MPI_ANY_SOURCE;
        MPI_Recv(&from, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 1 && argc > 1)
            printf("%d\n", from);
    }
    free(memory);
    MPI_Finalize();
    return 0;
}
