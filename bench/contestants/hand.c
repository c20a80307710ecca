/* A contestant of the benchmark: the collectives as programmers write them by hand over shared
 * memory. Every member is a thread that copies data between barriers. */
#include "../contestant.h"
#include "by_buffers.h"

#include <stdlib.h>

static struct hand *hand_of(const struct member *m)
{
    return m->team->state;
}

static const struct job *job_of(const struct member *m)
{
    return &m->team->request->job;
}

/* --- A barrier without data --- */

int slow_barrier_alone(struct member *m)
{
    pthread_barrier_wait(&hand_of(m)->slow);
    return 0;
}

int one_barrier_alone(struct member *m)
{
    good_barrier_wait(&hand_of(m)->good);
    return 0;
}

/* --- Two barriers, between which a member copies from the other members' buffers --- */

int slow_two_barriers(struct member *m)
{
    pthread_barrier_wait(&hand_of(m)->slow);
    copy_by_hand(job_of(m), m->team->arena, m->rank);
    pthread_barrier_wait(&hand_of(m)->slow);
    return 0;
}

int two_barriers(struct member *m)
{
    good_barrier_wait(&hand_of(m)->good);
    copy_by_hand(job_of(m), m->team->arena, m->rank);
    good_barrier_wait(&hand_of(m)->good);
    return 0;
}

/* --- One barrier, with buffers (by_buffers.h) --- */

int one_barrier(struct member *m)
{
    struct hand *hand = hand_of(m);
    const struct job *job = job_of(m);
    char *buffers = hand->buffers + (m->calls++ % 2) * (size_t)job->n * hand->buffer_bytes;
    pack_buffer(job, m->rank, m->out, m->in, buffers, hand->buffer_bytes);
    good_barrier_wait(&hand->good);
    take_buffers(job, m->rank, m->in, buffers, hand->buffer_bytes);
    return 0;
}

/* --- Running the contestants --- */

#define MOST_IN_BUFFERS (64u << 20)

bool hand_serves(const struct contestant *self, const struct job *job)
{
    bool barrier_only = self->call == one_barrier_alone || self->call == slow_barrier_alone;
    if (job->fibers || job->operation > GATHER || (self->pin && job->n <= cores_allowed()))
        return false;
    if (self->kind == ONE_BARRIER)
        return job->operation == INDEX && job->b <= 64;
    if (barrier_only || job->operation == BARRIER)
        return barrier_only && job->operation == BARRIER;
    if (self->call == one_barrier)
        return buffer_bytes_of(job) * (size_t)job->n * 2 <= MOST_IN_BUFFERS;
    if (self->call == in_turn || self->call == in_turn_streaming)
        return job->b >= 4096 && !(self->call == in_turn && has_root(job));
    return true;
}

const char *hand_run(const struct contestant *self, const struct request *request,
                     const struct arena *arena, struct reply *reply)
{
    const struct job *job = &request->job;
    struct hand hand = {.buffer_bytes = buffer_bytes_of(job)};
    void *buffers = NULL;
    if (self->call == one_barrier) {
        if (posix_memalign(&buffers, 4096, 2 * hand.buffer_bytes * (size_t)job->n) != 0)
            return "no memory";
        memset(buffers, 0, 2 * hand.buffer_bytes * (size_t)job->n);
    }
    hand.buffers = buffers;
    pthread_barrier_init(&hand.slow, NULL, (unsigned)job->n);
    good_barrier_init(&hand.good, job->n, cores_allowed());
    struct request own = *request;
    if (self->kind == ONE_BARRIER)
        own.verify = 0; /* there is nothing to verify, because a barrier moves no data */
    const char *error =
        team_of_threads(&own, arena, self->call, &hand, job->pin || self->pin, reply);
    pthread_barrier_destroy(&hand.slow);
    free(buffers);
    return error;
}
