/* Non-blocking calls overlap: while the products of one step are exchanged and summed up, the next
 * step is computed, and the program tests between its parts whether anything has ended. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    STEPS = 12,
    DEPTH = 3,
    BLOCK = 20
};

static int rank, size;

typedef struct stage {
    int64_t *out, *in, sum[2], total[2];
    int number[1];
    MPI_Request requests[3];
} stage;

static void compute(stage *s, int step)
{
    s->sum[0] = s->sum[1] = 0;
    for (int i = 0; i < size * BLOCK; i++) {
        s->out[i] = ((int64_t)rank * 31 + step * 17 + i) % 1013;
        s->sum[0] += s->out[i];
        s->sum[1] += s->out[i] * (rank + 1);
    }
    s->number[0] = rank == step % size ? 100 + step : -1;
}

static int64_t finish(stage *s, int step)
{
    int ended = 0;
    while (!ended)
        MPI_Testall(3, s->requests, &ended, MPI_STATUSES_IGNORE);
    int64_t check = s->total[0] + 3 * s->total[1] + s->number[0];
    for (int i = 0; i < size; i++)
        for (int j = 0; j < BLOCK; j++) {
            int64_t sent = ((int64_t)i * 31 + step * 17 + rank * BLOCK + j) % 1013;
            if (s->in[i * BLOCK + j] != sent)
                MPI_Abort(MPI_COMM_WORLD, 4);
        }
    return check;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    stage stages[DEPTH];
    for (int i = 0; i < DEPTH; i++) {
        stages[i].out = calloc((size_t)size * BLOCK, sizeof(int64_t));
        stages[i].in = calloc((size_t)size * BLOCK, sizeof(int64_t));
    }
    int64_t check = 0, least, most;
    for (int step = 0; step < STEPS + DEPTH; step++) {
        stage *s = &stages[step % DEPTH];
        if (step >= DEPTH)
            check = check * 3 % 1000000007 + finish(s, step - DEPTH);
        if (step >= STEPS)
            continue;
        compute(s, step);
        MPI_Ialltoall(s->out, BLOCK, MPI_INT64_T, s->in, BLOCK, MPI_INT64_T, MPI_COMM_WORLD,
                      &s->requests[0]);
        MPI_Iallreduce(s->sum, s->total, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &s->requests[1]);
        MPI_Ibcast(s->number, 1, MPI_INT, step % size, MPI_COMM_WORLD, &s->requests[2]);
    }
    MPI_Allreduce(&check, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&check, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("overlap: %d steps, checks %lld and %lld\n", STEPS, (long long)least,
               (long long)most);
    for (int i = 0; i < DEPTH; i++) {
        free(stages[i].out);
        free(stages[i].in);
    }
    MPI_Finalize();
    return 0;
}
