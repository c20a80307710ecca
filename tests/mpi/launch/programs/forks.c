/* Rank 0 makes processes that call no function of MPI: one returns from main, one calls exit, and
 * rank 0 waits for both. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const pid_t returns = fork();
        if (returns == 0) {
            puts("a child returns");
            return 3;
        }
        const pid_t exits = fork();
        if (exits == 0) {
            puts("a child exits");
            exit(4);
        }
        printf("statuses %d and %d\n", status_of(returns), status_of(exits));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
