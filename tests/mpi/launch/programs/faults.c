/* With an argument rank 2 makes a mistake: a race of two of its threads, or a write past its
 * memory. Without one the program is right: ranks send each other what they write all the time. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define INTS 3000

static int counter;

static void *count(void *argument)
{
    for (int i = 0; i < 1000; i++)
        counter++;
    return argument;
}

static void race(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, count, NULL) == 0) {
        count(NULL);
        pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv)
{
    int rank, size, numbers[INTS], sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *memory = malloc(4 * sizeof *memory);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < INTS; i++)
            numbers[i] = rank + round;
        if (rank % 2 == 1)
            MPI_Recv(numbers, INTS, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (rank + 1 < size)
            MPI_Send(numbers, INTS, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        sum += numbers[INTS - 1];
        MPI_Bcast(numbers, INTS, MPI_INT, 0, MPI_COMM_WORLD);
        counter += numbers[0]; /* a line that a debugger stops at */
    }
    if (argc > 1 && strcmp(argv[1], "race") == 0 && rank == 2)
        race();
    memory[argc > 1 && strcmp(argv[1], "memory") == 0 && rank == 2 ? 4 : 0] = sum;
    free(memory);
    MPI_Finalize();
    return 0;
}
