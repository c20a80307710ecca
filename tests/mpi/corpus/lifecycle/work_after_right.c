/* The program goes on working and printing after MPI_Finalize.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int rank, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    for (int i = 0; i < 10; i++)
        sum += i;
    printf("rank %d has %d\n", rank, sum);
    return 0;
}
