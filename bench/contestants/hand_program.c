/* A contestant of the benchmark, written by hand, for programs (lists of calls). Each call has one
 * barrier, and members exchange data through buffers (by_buffers.h). Usually a thread is one
 * member. In rows of the benchmark about fibers there are two threads, and each carries half of the
 * members. These members are fibers, or the thread does the members' work one after the other. */
#include "../contestant.h"
#include "by_buffers.h"
#include "hand_fibers.h"

#include <stdlib.h>

#define WORKERS 2

struct shared {
    struct job_steps steps[2]; /* the steps of the job for each group */
    struct good_barrier barriers[2];
    char *buffers[2]; /* the buffers of each group, in two copies that calls use in turn */
    size_t generation_bytes;
    int size;                         /* the number of members of a group */
    int share;                        /* the number of members that a thread carries */
    struct hand_ring *rings[WORKERS]; /* the ring of fibers of each worker */
};

/* Returns the buffers of a group for call number `call`. */
static char *buffers_of(const struct shared *s, int group, uint64_t call)
{
    return s->buffers[group] + call % 2 * s->generation_bytes;
}

/* Carries out one turn of a member that is a fiber. `context` points to the struct shared. */
static void by_fiber(struct hand_ring *ring, void *context, int position, uint64_t turn)
{
    struct shared *s = context;
    const struct job_steps *steps = &s->steps[0];
    int rank = position + (ring == s->rings[0] ? 0 : s->share);
    for (int i = 0; i < steps->count; i++) {
        const struct job *job = &steps->step[i].job;
        const struct arena *arena = &steps->step[i].arena;
        char *buffers = buffers_of(s, 0, turn * (uint64_t)steps->count + (uint64_t)i);
        pack_buffer(job, rank, out_of(arena, rank), in_of(arena, rank), buffers,
                    buffer_bytes_of(job));
        hand_ring_wait(ring, position, &s->barriers[0]);
        take_buffers(job, rank, in_of(arena, rank), buffers, buffer_bytes_of(job));
    }
}

static int by_turns_of_fibers(struct member *m)
{
    struct shared *s = m->team->state;
    hand_ring_turn(s->rings[m->rank], m->calls++);
    return 0;
}

static int by_turns(struct member *m)
{
    struct shared *s = m->team->state;
    int first = m->rank * s->share, group = first / s->size;
    const struct job_steps *steps = &s->steps[group];
    first %= s->size;
    for (int i = 0; i < steps->count; i++) {
        const struct job *job = &steps->step[i].job;
        const struct arena *arena = &steps->step[i].arena;
        char *buffers = buffers_of(s, group, m->calls++);
        size_t buffer_bytes = buffer_bytes_of(job);
        for (int rank = first; rank < first + s->share; rank++)
            pack_buffer(job, rank, out_of(arena, rank), in_of(arena, rank), buffers, buffer_bytes);
        good_barrier_wait(&s->barriers[group]);
        for (int rank = first; rank < first + s->share; rank++)
            take_buffers(job, rank, in_of(arena, rank), buffers, buffer_bytes);
    }
    return 0;
}

/* Fills the buffers of all members. A team of threads usually fills and verifies its members'
 * buffers. Here hand_run_program does so, because a thread may carry several members. */
static void fill_all(const struct shared *s, const struct job *job, const struct arena *arena)
{
    for (int rank = 0; rank < job->n; rank++)
        steps_fill(&s->steps[rank / s->size], rank % s->size, out_of(arena, rank),
                   in_of(arena, rank));
}

static bool all_right(const struct shared *s, const struct job *job, const struct arena *arena)
{
    bool right = true;
    for (int rank = 0; rank < job->n; rank++)
        right = right && steps_right(&s->steps[rank / s->size], rank % s->size, in_of(arena, rank));
    return right;
}

static bool prepare(struct shared *s, const struct job *job, const struct arena *arena)
{
    int groups = job->n / s->size, threads = s->size / s->share;
    size_t most = 0;
    for (int group = 0; group < groups; group++) {
        steps_of(job, arena, group, &s->steps[group]);
        good_barrier_init(&s->barriers[group], threads, cores_allowed() / groups);
    }
    for (int i = 0; i < s->steps[0].count; i++) {
        size_t bytes = buffer_bytes_of(&s->steps[0].step[i].job);
        most = bytes > most ? bytes : most;
    }
    s->generation_bytes = most * (size_t)s->size;
    for (int group = 0; group < groups; group++) {
        void *buffers;
        if (posix_memalign(&buffers, 4096, 2 * s->generation_bytes) != 0)
            return false;
        memset(buffers, 0, 2 * s->generation_bytes);
        s->buffers[group] = buffers;
    }
    return true;
}

bool hand_serves_program(const struct contestant *self, const struct job *job)
{
    bool several = self->kind == LOOPS || self->form == CARRIED_BY_FIBERS;
    return job->operation == PROGRAM && !job->before && job->fibers == several;
}

const char *hand_run_program(const struct contestant *self, const struct request *request,
                             const struct arena *arena, struct reply *reply)
{
    const struct job *job = &request->job;
    struct shared s = {.size = group_size(job), .share = job->fibers ? job->n / WORKERS : 1};
    bool rings = self->form == CARRIED_BY_FIBERS;
    struct request own = *request;
    const char *error = "no memory";
    own.job.n = job->n / s.share;
    own.verify = 0;
    for (int i = 0; i < WORKERS && rings; i++)
        s.rings[i] = hand_ring_make(s.share, by_fiber, &s);
    if (prepare(&s, job, arena) && (!rings || (s.rings[0] && s.rings[1]))) {
        if (request->verify)
            fill_all(&s, job, arena);
        error = team_of_threads(&own, arena, rings ? by_turns_of_fibers : by_turns, &s, self->pin,
                                reply);
        if (!error && request->verify && !all_right(&s, job, arena))
            reply->status = WRONG_DATA;
    }
    for (int i = 0; i < WORKERS; i++) {
        hand_ring_free(s.rings[i]);
        free(s.buffers[i]);
    }
    return error;
}
