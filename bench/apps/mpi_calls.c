/* Runs the whole programs (whole.h) with MPI's calls. Every member is a process. */
#include "mpi_calls.h"

#include <mpi.h>

static void barrier(struct talk *t)
{
    (void)t;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void sum(struct talk *t, double *value)
{
    (void)t;
    MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const void *broadcast(struct talk *t, size_t root, void *buffer, size_t bytes)
{
    (void)t;
    MPI_Bcast(buffer, (int)bytes, MPI_CHAR, (int)root, MPI_COMM_WORLD);
    return buffer;
}

static void concat(struct talk *t, void *array, size_t block)
{
    (void)t;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, array, (int)block, MPI_CHAR, MPI_COMM_WORLD);
}

static void index_blocks(struct talk *t, const void *out, void *in, size_t block)
{
    (void)t;
    MPI_Alltoall(out, (int)block, MPI_CHAR, in, (int)block, MPI_CHAR, MPI_COMM_WORLD);
}

static void indexv(struct talk *t, const void *out, const size_t *out_bytes, void *in,
                   const size_t *in_bytes)
{
    int n = (int)t->n, *lengths = malloc(4 * t->n * sizeof *lengths);
    int *displacements = lengths + 2 * n;
    if (!lengths)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++) {
        lengths[i] = (int)out_bytes[i];
        lengths[n + i] = (int)in_bytes[i];
        displacements[i] = i == 0 ? 0 : displacements[i - 1] + lengths[i - 1];
        displacements[n + i] = i == 0 ? 0 : displacements[n + i - 1] + lengths[n + i - 1];
    }
    MPI_Alltoallv(out, lengths, displacements, MPI_CHAR, in, lengths + n, displacements + n,
                  MPI_CHAR, MPI_COMM_WORLD);
    free(lengths);
}

static void swap(struct talk *t, struct edge previous, struct edge next)
{
    const struct edge edges[] = {previous, next};
    const int peers[] = {(int)t->me - 1, (int)t->me + 1};
    MPI_Request requests[4];
    /* gcc warns of MPICH's MPI_STATUSES_IGNORE as of an array that is too short. */
    MPI_Status statuses[4];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        if (edges[i].bytes == 0)
            continue;
        MPI_Irecv(edges[i].in, (int)edges[i].bytes, MPI_CHAR, peers[i], 0, MPI_COMM_WORLD,
                  &requests[count++]);
        MPI_Isend(edges[i].out, (int)edges[i].bytes, MPI_CHAR, peers[i], 0, MPI_COMM_WORLD,
                  &requests[count++]);
    }
    MPI_Waitall(count, requests, statuses);
}

static const struct talk_calls calls = {.barrier = barrier,
                                        .sum = sum,
                                        .broadcast = broadcast,
                                        .concat = concat,
                                        .index = index_blocks,
                                        .indexv = indexv,
                                        .swap = swap};

void mpi_run_whole(const struct request *request, int rank, struct reply *reply)
{
    struct whole_team team;
    struct member_times times;
    if (!whole_open(&team, request, &calls, NULL, rank, 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    whole_times(&team, team.talks, request, &times);
    join_times(&request->job, &times, 1, reply);
    /* Each process has written its part of the result, and all other bytes are zeros. So OR joins
     * the parts. */
    if (request->verify) {
        MPI_Allreduce(MPI_IN_PLACE, team.posed.result, (int)team.posed.result_bytes, MPI_BYTE,
                      MPI_BOR, MPI_COMM_WORLD);
        if (rank == 0)
            whole_verify(&team, request, reply);
    }
    whole_close(&team);
}
