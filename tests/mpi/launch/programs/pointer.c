/* MPI_Recv is called by its address; with an argument, from a rank that there is not. */
#include <mpi.h>

static int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = MPI_Recv;

__attribute__((noinline)) static int receive_from(int from)
{
    int value = 0;
    receive(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* here */
    return value;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
    if (argc > 1 || rank == size - 1)
        rank += receive_from(argc > 1 ? 77 : 0);
    MPI_Finalize();
    return 0;
}
