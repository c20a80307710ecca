/* MPI: every rank a process with a connection of its own to the driver, so that none of them polls
 * for the others between requests. Roots are rank 0.
 *
 * MPI's calls with a root do not wait for all; where each call has to be complete everywhere, its
 * own barrier follows. */
#include "serve.h"

#include <mpi.h>

struct buffers {
    struct job job;
    char *out, *in;
};

static void call(const struct job *job, const struct buffers *m)
{
    int b = (int)job->b;
    switch (job->operation) {
    case BARRIER:
        MPI_Barrier(MPI_COMM_WORLD);
        return;
    case INDEX:
        MPI_Alltoall(m->out, b, MPI_CHAR, m->in, b, MPI_CHAR, MPI_COMM_WORLD);
        return;
    case CONCAT:
        MPI_Allgather(m->out, b, MPI_CHAR, m->in, b, MPI_CHAR, MPI_COMM_WORLD);
        return;
    case BROADCAST:
        MPI_Bcast(m->in, b, MPI_CHAR, 0, MPI_COMM_WORLD);
        break;
    case SCATTER:
        MPI_Scatter(m->out, b, MPI_CHAR, m->in, b, MPI_CHAR, 0, MPI_COMM_WORLD);
        break;
    default:
        MPI_Gather(m->out, b, MPI_CHAR, m->in, b, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    if (!job->batch)
        MPI_Barrier(MPI_COMM_WORLD);
}

static bool prepare(const struct job *job, int rank, struct buffers *m)
{
    if (m->out && same_buffers(job, &m->job))
        return true;
    free(m->out);
    free(m->in);
    m->job = *job;
    /* Written now, as the others' are: pages are not to be found in the timed part. */
    m->out = calloc(1, stride_of(out_blocks(job, rank) * job->b));
    m->in = calloc(1, stride_of(in_blocks(job, rank) * job->b));
    if (!m->out || !m->in)
        return false;
    fill_buffers(job, rank, m->out, m->in);
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
        fill_buffers(job, rank, m->out, m->in);
        call(job, m);
        if (!buffers_right(job, rank, m->in))
            reply->status = WRONG_DATA;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) /* as team.c, and why */
        call(job, m);
    reply->start_ns = now_ns();
    for (uint64_t i = 0; i < request->calls; i++)
        call(job, m);
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
    fd = argc > 1 ? connect_to_driver(argv[1], rank) : -1;
    if (fd < 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    while (read_all(fd, &request, sizeof request)) {
        struct reply reply;
        memset(&reply, 0, sizeof reply);
        reply.rank = rank;
        int64_t cpu = cpu_ns();
        carry_out(&request, rank, &memory, &reply);
        reply.cpu_ns = cpu_ns() - cpu;
        if (!write_all(fd, &reply, sizeof reply))
            break;
    }
    MPI_Finalize();
    return 0;
}
