/* An MPI program that measures messages and collectives, for bench/mpi_programs.py. Its arguments
 * are the largest number of bytes, and the names of what is measured (none: all). It prints a line
 * for each measurement: name, bytes, microseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 64

struct buffers {
    char *out, *in;
    int rank, size;
    int *counts, *places; /* equal blocks, for calls with a count for every rank */
};

static void ping_pong(struct buffers *at, int bytes)
{
    const int first = at->rank == 0, peer = 1 - at->rank;
    if (at->rank > 1)
        return;
    if (first)
        MPI_Send(at->out, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    MPI_Recv(at->in, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first)
        MPI_Send(at->out, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
}

/* All messages come into one buffer, as in other benchmarks. */
static void window(struct buffers *at, int bytes)
{
    MPI_Request requests[WINDOW];
    if (at->rank > 1)
        return;
    for (int i = 0; i < WINDOW; i++) {
        if (at->rank == 0)
            MPI_Isend(at->out, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(at->in, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    if (at->rank == 0)
        MPI_Recv(at->in, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(at->out, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
}

/* A window each way at once, as in a halo exchange: the receives are started first. */
static void both_ways(struct buffers *at, int bytes)
{
    MPI_Request receives[WINDOW], sends[WINDOW];
    if (at->rank > 1)
        return;
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(at->in, bytes, MPI_CHAR, 1 - at->rank, 1, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < WINDOW; i++)
        MPI_Isend(at->out, bytes, MPI_CHAR, 1 - at->rank, 1, MPI_COMM_WORLD, &sends[i]);
    MPI_Waitall(WINDOW, sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(WINDOW, receives, MPI_STATUSES_IGNORE);
}

static void barrier(struct buffers *at, int bytes)
{
    (void)at, (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(struct buffers *at, int bytes)
{
    MPI_Bcast(at->out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void reduce(struct buffers *at, int bytes)
{
    MPI_Reduce(at->out, at->in, bytes / 4, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(struct buffers *at, int bytes)
{
    MPI_Allreduce(at->out, at->in, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(struct buffers *at, int bytes)
{
    MPI_Allgather(at->out, bytes, MPI_CHAR, at->in, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static void alltoall(struct buffers *at, int bytes)
{
    MPI_Alltoall(at->out, bytes, MPI_CHAR, at->in, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

/* --- With a count for every rank --- */

static void set_counts(struct buffers *at, int count)
{
    for (int i = 0; i < at->size; i++) {
        at->counts[i] = count;
        at->places[i] = i * count;
    }
}

static void gatherv(struct buffers *at, int bytes)
{
    MPI_Gatherv(at->out, bytes, MPI_CHAR, at->in, at->counts, at->places, MPI_CHAR, 0,
                MPI_COMM_WORLD);
}

static void scatterv(struct buffers *at, int bytes)
{
    MPI_Scatterv(at->out, at->counts, at->places, MPI_CHAR, at->in, bytes, MPI_CHAR, 0,
                 MPI_COMM_WORLD);
}

static void allgatherv(struct buffers *at, int bytes)
{
    MPI_Allgatherv(at->out, bytes, MPI_CHAR, at->in, at->counts, at->places, MPI_CHAR,
                   MPI_COMM_WORLD);
}

static void alltoallv(struct buffers *at, int bytes)
{
    (void)bytes;
    MPI_Alltoallv(at->out, at->counts, at->places, MPI_CHAR, at->in, at->counts, at->places,
                  MPI_CHAR, MPI_COMM_WORLD);
}

static void reduce_scatter(struct buffers *at, int bytes)
{
    (void)bytes;
    MPI_Reduce_scatter(at->out, at->in, at->counts, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
}

static const struct kind {
    const char *name;
    void (*once)(struct buffers *at, int bytes);
    int of_all; /* 1: its buffers have as many bytes for each rank */
    int apart;  /* 1: each call is timed by itself, and a barrier follows it */
} kinds[] = {{"ping-pong", ping_pong, 0, 0},
             {"window", window, 0, 0},
             {"both-ways", both_ways, 0, 0},
             {"barrier", barrier, 0, 0},
             {"bcast", bcast, 0, 0},
             {"bcast-apart", bcast, 0, 1},
             {"reduce", reduce, 0, 0},
             {"reduce-apart", reduce, 0, 1},
             {"allreduce", allreduce, 0, 0},
             {"allgather", allgather, 1, 0},
             {"alltoall", alltoall, 1, 0},
             {"gatherv-apart", gatherv, 1, 1},
             {"scatterv-apart", scatterv, 1, 1},
             {"allgatherv-apart", allgatherv, 1, 1},
             {"alltoallv-apart", alltoallv, 1, 1},
             {"reduce-scatter-apart", reduce_scatter, 1, 1}};

/* The root of calls in a loop runs ahead of the others where it need not wait for them. Calls that
 * a barrier follows do not have that, and are timed as the OSU benchmarks do: the mean of all ranks
 * counts. */
static double repeat_apart(const struct kind *kind, struct buffers *at, int bytes, int times)
{
    double mine = 0, all;
    for (int i = 0; i < times; i++) {
        const double begun = MPI_Wtime();
        kind->once(at, bytes);
        mine += MPI_Wtime() - begun;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / at->size / times * 1e6;
}

static double repeat(const struct kind *kind, struct buffers *at, int bytes, int times)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (kind->apart)
        return repeat_apart(kind, at, bytes, times);
    const double begun = MPI_Wtime();
    for (int i = 0; i < times; i++)
        kind->once(at, bytes);
    double mine = (MPI_Wtime() - begun) / times * 1e6, slowest;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

#define TARGET_US 10000 /* of a measurement */

/* The first repeats warm up caches and links. */
static void measure(const struct kind *kind, struct buffers *at, int bytes)
{
    set_counts(at, bytes);
    (void)repeat(kind, at, bytes, 10);
    const double first = repeat(kind, at, bytes, 10);
    int times = first > 0 ? (int)(TARGET_US / first) : 1000;
    times = times < 3 ? 3 : times > 5000 ? 5000 : times;
    const double time = repeat(kind, at, bytes, times);
    if (at->rank == 0)
        printf("%s %d %.3f\n", kind->name, bytes, time);
}

static int is_wanted(const struct kind *kind, int count, char **names)
{
    int wanted = count <= 0;
    for (int i = 0; i < count; i++)
        wanted |= strcmp(kind->name, names[i]) == 0;
    return wanted;
}

int main(int argc, char **argv)
{
    struct buffers at;
    const int most = argc > 1 ? atoi(argv[1]) : 1 << 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &at.size);
    at.out = calloc((size_t)at.size, (size_t)most);
    at.in = calloc((size_t)at.size, (size_t)most);
    at.counts = calloc((size_t)at.size, sizeof *at.counts);
    at.places = calloc((size_t)at.size, sizeof *at.places);
    if (!at.out || !at.in || !at.counts || !at.places)
        MPI_Abort(MPI_COMM_WORLD, 1);
    (void)repeat(&kinds[0], &at, 8, 1000);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (int bytes = 8; is_wanted(&kinds[k], argc - 2, argv + 2) && bytes <= most; bytes *= 8) {
            /* The blocks of all ranks have 32 MiB at most. */
            if (!kinds[k].of_all || (size_t)bytes * (size_t)at.size * (size_t)at.size <= 1 << 25)
                measure(&kinds[k], &at, bytes);
            if (kinds[k].once == barrier)
                break;
        }
    }
    free(at.out);
    free(at.in);
    free(at.counts);
    free(at.places);
    MPI_Finalize();
    return 0;
}
