/* A farm of tasks: the master gives each worker a new task as soon as it has the result of the last
 * one. Which worker does which task is open, the results are not. Alone, the master does all tasks
 * itself. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum {
    TASKS = 200,
    WORK = 1,
    STOP = 2,
    RESULT = 3
};

/* The steps that the Collatz sequence of a number takes. */
static int steps_of(uint64_t number)
{
    int steps = 0;
    for (; number != 1; steps++)
        number = number % 2 ? 3 * number + 1 : number / 2;
    return steps;
}

typedef struct result {
    int task, longest;
    uint64_t of;
} result;

static result work(int task)
{
    result found = {.task = task};
    for (uint64_t i = 1; i <= 300; i++) {
        int steps = steps_of((uint64_t)task * 300 + i);
        if (steps > found.longest) {
            found.longest = steps;
            found.of = (uint64_t)task * 300 + i;
        }
    }
    return found;
}

static void serve(int workers, MPI_Datatype type, result *results)
{
    int next = 0, working = 0, none = -1;
    for (int i = 1; i <= workers; i++) {
        int stop = next == TASKS;
        MPI_Send(stop ? &none : &next, 1, MPI_INT, i, stop ? STOP : WORK, MPI_COMM_WORLD);
        next += !stop;
        working += !stop;
    }
    while (working > 0) {
        result got;
        MPI_Status status;
        MPI_Recv(&got, 1, type, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        results[got.task] = got;
        int stop = next == TASKS;
        MPI_Send(stop ? &none : &next, 1, MPI_INT, status.MPI_SOURCE, stop ? STOP : WORK,
                 MPI_COMM_WORLD);
        next += !stop;
        working -= stop;
    }
    for (; workers == 0 && next < TASKS; next++)
        results[next] = work(next);
}

static void toil(MPI_Datatype type)
{
    for (;;) {
        int task;
        MPI_Status status;
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        result found = work(task);
        MPI_Send(&found, 1, type, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, lengths[2] = {2, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype parts[2] = {MPI_INT, MPI_UINT64_T}, type;
    static result results[TASKS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        serve(size - 1, type, results);
        int longest = 0;
        uint64_t sum = 0;
        for (int i = 0; i < TASKS; i++) {
            sum += results[i].of * (uint64_t)results[i].longest;
            longest = results[i].longest > results[longest].longest ? i : longest;
        }
        printf("farm: longest %d of %llu, sum %llu\n", results[longest].longest,
               (unsigned long long)results[longest].of, (unsigned long long)sum);
    } else
        toil(type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
