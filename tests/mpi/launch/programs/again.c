/* Each rank does the same wrong thing again and again. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1;
    float other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 30; i++) {
        MPI_Send(&word, 1, MPI_INT, 100 + i, 0, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Send(&word, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(&other, 1, MPI_FLOAT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Send(&word, 1, MPI_INT, 1, -5, MPI_COMM_WORLD); /* another one */
    MPI_Finalize();
    return 0;
}
