/* A contestant of the benchmark: MPI. Every rank is a process with its own connection to the
 * driver. So between requests all processes sleep, and none of them polls for a message of another
 * one.
 *
 * MPI's calls with a root do not wait for all ranks. If each call must be complete everywhere, a
 * barrier follows the call. In the rows `programs:` no barrier follows. */
#include "../apps/mpi_calls.h"

#include <mpi.h>

struct buffers {
    struct job job;
    struct job_steps steps;
    MPI_Comm group; /* the communicator of all ranks, or of half of them */
    int rank;       /* the rank in `group` */
    char *out, *in;
};

static void reduce(const struct job *job, const char *out, char *in, MPI_Comm group)
{
    bool doubles = job->combination == SUM_OF_DOUBLES || job->combination == MAXIMUM_OF_DOUBLES;
    bool sum = job->combination == SUM_OF_DOUBLES || job->combination == SUM_OF_INTEGERS;
    MPI_Datatype type = doubles ? MPI_DOUBLE : MPI_INT64_T;
    MPI_Op op = sum ? MPI_SUM : MPI_MAX;
    int count = (int)(job->b / 8);
    switch (job->operation) {
    case ALLREDUCE:
        MPI_Allreduce(out, in, count, type, op, group);
        return;
    case REDUCE:
        MPI_Reduce(out, in, count, type, op, job->root, group);
        return;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter_block(out, in, count, type, op, group);
        return;
    default:
        MPI_Scan(out, in, count, type, op, group);
    }
}

/* Messages of 8 bytes with tags. Every word is compared, as in all other contestants. */
static void ping_pong(int rank)
{
    static uint64_t next;
    uint64_t word = ++next, back = 0;
    if (rank == 0)
        MPI_Send(&word, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&back, 8, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(&back, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (back != word)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void window(int rank)
{
    uint64_t words[WINDOW_MESSAGES], answer = 0;
    MPI_Request requests[WINDOW_MESSAGES];
    MPI_Status statuses[WINDOW_MESSAGES]; /* MPICH warns of MPI_STATUSES_IGNORE */
    for (int i = 0; i < WINDOW_MESSAGES; i++) {
        words[i] = rank == 0 ? (uint64_t)i : 0;
        if (rank == 0)
            MPI_Isend(&words[i], 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(&words[i], 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(WINDOW_MESSAGES, requests, statuses);
    for (int i = 0; i < WINDOW_MESSAGES; i++) {
        if (words[i] != (uint64_t)i)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0)
        MPI_Recv(&answer, 8, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&answer, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
}

static void started(int b, const char *out, char *in, MPI_Comm group)
{
    MPI_Request request;
    MPI_Ialltoall(out, b, MPI_CHAR, in, b, MPI_CHAR, group, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void call_step(const struct job *job, const char *out, char *in, MPI_Comm group)
{
    int b = (int)job->b, root = job->root;
    if (job->started) {
        started(b, out, in, group);
        return;
    }
    switch (job->operation) {
    case BARRIER:
        MPI_Barrier(group);
        return;
    case INDEX:
        MPI_Alltoall(out, b, MPI_CHAR, in, b, MPI_CHAR, group);
        return;
    case CONCAT:
        MPI_Allgather(out, b, MPI_CHAR, in, b, MPI_CHAR, group);
        return;
    case BROADCAST:
        MPI_Bcast(in, b, MPI_CHAR, root, group);
        break;
    case SCATTER:
        MPI_Scatter(out, b, MPI_CHAR, in, b, MPI_CHAR, root, group);
        break;
    case GATHER:
        MPI_Gather(out, b, MPI_CHAR, in, b, MPI_CHAR, root, group);
        break;
    default:
        reduce(job, out, in, group);
        return;
    }
    if (!job->batch)
        MPI_Barrier(group);
}

static void call(const struct buffers *m)
{
    if (m->job.operation == PING_PONG || m->job.operation == WINDOW) {
        (m->job.operation == WINDOW ? window : ping_pong)(m->rank);
        return;
    }
    for (int i = 0; i < m->steps.count; i++) {
        const struct job_step *step = &m->steps.step[i];
        call_step(&step->job, m->out + step->out_at, m->in + step->in_at, m->group);
    }
}

static bool prepare(const struct job *job, int rank, struct buffers *m)
{
    struct arena arena;
    int size = group_size(job);
    memset(&arena, 0, sizeof arena);
    arena_strides(job, &arena);
    steps_of(job, &arena, rank / size, &m->steps);
    if (m->out && same_buffers(job, &m->job))
        return true;
    free(m->out);
    free(m->in);
    if (m->group != MPI_COMM_NULL && m->group != MPI_COMM_WORLD)
        MPI_Comm_free(&m->group);
    m->group = MPI_COMM_WORLD;
    if (job->halves)
        MPI_Comm_split(MPI_COMM_WORLD, rank / size, rank, &m->group);
    m->rank = rank % size;
    m->job = *job;
    /* Filling the buffers touches their pages before the timed part. */
    m->out = calloc(1, arena.out_stride);
    m->in = calloc(1, arena.in_stride);
    if (!m->out || !m->in)
        return false;
    steps_fill(&m->steps, m->rank, m->out, m->in);
    return true;
}

static void carry_out(const struct request *request, int rank, struct buffers *m,
                      struct reply *reply)
{
    const struct job *job = &request->job;
    if (!prepare(job, rank, m)) {
        reply->status = NO_MEMORY;
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    if (request->verify) {
        steps_fill(&m->steps, m->rank, m->out, m->in);
        call(m);
        if (!steps_right(&m->steps, m->rank, m->in))
            reply->status = WRONG_DATA;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Two untimed calls, without a barrier after them (team.c says why). */
    for (int i = 0; i < 2; i++)
        call(m);
    reply->start_ns = now_ns();
    for (uint64_t i = 0; i < request->calls; i++)
        call(m);
    reply->end_ns = now_ns();
}

int main(int argc, char **argv)
{
    struct buffers memory;
    struct request request;
    int rank, fd;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(&memory, 0, sizeof memory);
    memory.group = MPI_COMM_NULL;
    fd = argc > 1 ? connect_to_driver(argv[1], rank) : -1;
    if (fd < 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    while (read_all(fd, &request, sizeof request)) {
        struct reply reply;
        memset(&reply, 0, sizeof reply);
        reply.rank = rank;
        int64_t cpu = cpu_ns();
        if (request.job.operation == WHOLE)
            mpi_run_whole(&request, rank, &reply);
        else
            carry_out(&request, rank, &memory, &reply);
        reply.cpu_ns = cpu_ns() - cpu;
        if (!write_all(fd, &reply, sizeof reply))
            break;
    }
    MPI_Finalize();
    return 0;
}
