/* Programs by hand: one good barrier a call, and rows. A thread carries out one member's part of
 * each call, or, where kport's processors are fibers, that of half of them, one after the other. */
#include "../contestant.h"
#include "by_rows.h"

#include <stdlib.h>

#define WORKERS 2

struct shared {
    struct job_parts parts[2]; /* of each group */
    struct good_barrier barriers[2];
    char *rows[2]; /* two generations each */
    size_t generation_bytes;
    int size;  /* of a group */
    int share; /* members that a thread carries */
};

static int by_turns(struct member *m)
{
    struct shared *s = m->team->state;
    int first = m->rank * s->share, group = first / s->size;
    const struct job_parts *parts = &s->parts[group];
    first %= s->size;
    for (int i = 0; i < parts->count; i++) {
        const struct job *job = &parts->part[i].job;
        const struct arena *arena = &parts->part[i].arena;
        char *rows = s->rows[group] + (m->calls++ % 2) * s->generation_bytes;
        size_t row_bytes = row_bytes_of(job);
        for (int rank = first; rank < first + s->share; rank++)
            fill_row(job, rank, out_of(arena, rank), in_of(arena, rank), rows, row_bytes);
        good_barrier_wait(&s->barriers[group]);
        for (int rank = first; rank < first + s->share; rank++)
            take_rows(job, rank, in_of(arena, rank), rows, row_bytes);
    }
    return 0;
}

/* Every member's buffers, for threads that carry several; its caller fills and compares those. */
static void fill_all(const struct shared *s, const struct job *job, const struct arena *arena)
{
    for (int rank = 0; rank < job->n; rank++)
        parts_fill(&s->parts[rank / s->size], rank % s->size, out_of(arena, rank),
                   in_of(arena, rank));
}

static bool all_right(const struct shared *s, const struct job *job, const struct arena *arena)
{
    bool right = true;
    for (int rank = 0; rank < job->n; rank++)
        right = right && parts_right(&s->parts[rank / s->size], rank % s->size, in_of(arena, rank));
    return right;
}

static bool prepare(struct shared *s, const struct job *job, const struct arena *arena)
{
    int groups = job->n / s->size, threads = s->size / s->share;
    size_t most = 0;
    for (int group = 0; group < groups; group++) {
        parts_of(job, arena, group, &s->parts[group]);
        good_barrier_init(&s->barriers[group], threads, cores_allowed() / groups);
    }
    for (int i = 0; i < s->parts[0].count; i++) {
        size_t bytes = row_bytes_of(&s->parts[0].part[i].job);
        most = bytes > most ? bytes : most;
    }
    s->generation_bytes = most * (size_t)s->size;
    for (int group = 0; group < groups; group++) {
        void *rows;
        if (posix_memalign(&rows, 4096, 2 * s->generation_bytes) != 0)
            return false;
        memset(rows, 0, 2 * s->generation_bytes);
        s->rows[group] = rows;
    }
    return true;
}

bool hand_serves_program(const struct contestant *self, const struct job *job)
{
    return job->operation == PROGRAM && !job->before && job->fibers == (self->kind == LOOPS);
}

const char *hand_run_program(const struct contestant *self, const struct request *request,
                             const struct arena *arena, struct reply *reply)
{
    const struct job *job = &request->job;
    struct shared s = {.size = group_size(job),
                       .share = self->kind == LOOPS ? job->n / WORKERS : 1};
    struct request own = *request;
    const char *error = "no memory";
    own.job.n = job->n / s.share;
    own.verify = 0;
    if (prepare(&s, job, arena)) {
        if (request->verify)
            fill_all(&s, job, arena);
        error = team_of_threads(&own, arena, by_turns, &s, self->pin, reply);
        if (!error && request->verify && !all_right(&s, job, arena))
            reply->status = WRONG_DATA;
    }
    free(s.rows[0]);
    free(s.rows[1]);
    return error;
}
