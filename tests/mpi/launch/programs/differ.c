/* Rank 0 makes a communicator while the others are at a barrier. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, granted;
    MPI_Comm copy;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (granted == MPI_THREAD_MULTIPLE)
        return 3; /* no rank calls with two threads at once */
    if (rank == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* A */
    else
        MPI_Barrier(MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
