/* OpenMP threads compute, and the rank's first thread calls MPI within the parallel region. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, granted;
    double sum = 0, all = 0, one = 1, ranks = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp for
        for (int i = 0; i < 1000; i++)
            sum += i + rank;
#pragma omp master
        {
            usleep(1);
            MPI_Allreduce(&one, &ranks, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* here */
        }
#pragma omp barrier
        if (omp_get_num_threads() != 3 || (int)ranks != size)
            sum = -1e9;
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d %s\n", rank,
           all == 499500.0 * size + 500.0 * size * (size - 1) ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
