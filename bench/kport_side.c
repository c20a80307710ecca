/* kport, by its public interface and nothing else. */
#include "contestant.h"

#include <stdio.h>
#include <stdlib.h>

static const struct job *job_of(const struct member *m)
{
    return &m->team->request->job;
}

static kp_how how_of(const struct job *job)
{
    kp_how how = {0};
    if (job->radix) {
        how.algorithm = kp_algorithm_find(KP_INDEX, "radix");
        how.values[0] = job->radix;
    }
    return how;
}

static int call_barrier(struct member *m)
{
    return kp_barrier(m->world);
}

static int call_index(struct member *m)
{
    const struct job *job = job_of(m);
    if (!job->radix)
        return kp_index(m->world, m->out, m->in, job->b, NULL);
    kp_how how = how_of(job);
    return kp_index(m->world, m->out, m->in, job->b, &how);
}

static int call_concat(struct member *m)
{
    return kp_concat(m->world, m->out, m->in, job_of(m)->b, NULL);
}

static int call_broadcast(struct member *m)
{
    return kp_broadcast(m->world, m->in, job_of(m)->b, 0, NULL);
}

static int call_scatter(struct member *m)
{
    return kp_scatter(m->world, m->out, m->in, job_of(m)->b, 0, NULL);
}

static int call_gather(struct member *m)
{
    return kp_gather(m->world, m->out, m->in, job_of(m)->b, 0, NULL);
}

static call_function *const calls[OPERATIONS] = {
    [BARRIER] = call_barrier,     [INDEX] = call_index,     [CONCAT] = call_concat,
    [BROADCAST] = call_broadcast, [SCATTER] = call_scatter, [GATHER] = call_gather,
};

static void configure(const struct contestant *self, const struct job *job, kp_config *config)
{
    *config = (kp_config){.processors = job->n, .ports = job->k, .pin = job->pin || self->pin};
#ifdef KP_HAS_CARRIERS
    if (self->form == CARRIED_BY_FIBERS) {
        config->carrier = KP_CARRIER_FIBERS;
        config->workers = 2;
    }
#endif
#ifdef KP_HAS_DISCIPLINES
    if (self->form == MAILBOXES) {
        config->discipline = KP_ROUNDS_BY_MAILBOXES;
        config->generations = self->generations;
    }
#endif
}

bool kport_serves(const struct contestant *self, const struct job *job)
{
    if (job->operation > GATHER)
        return false;
    if (self->form == CARRIED_BY_FIBERS || self->kind == KPORT_THREADS)
        return job->fibers && (self->kind != KPORT_THREADS || job->radix) &&
               (self->kind != KPORT_SMALLER || job->operation == BARRIER);
    if (self->form == MAILBOXES)
        return job->batch && !job->fibers;
    return !job->fibers && (!self->pin || job->n > cores_allowed());
}

const char *kport_missing(const struct contestant *self, const struct job *job)
{
    (void)job;
#ifndef KP_HAS_CARRIERS
    if (self->form == CARRIED_BY_FIBERS)
        return "not built (the library has no fibers)";
#endif
#ifndef KP_HAS_DISCIPLINES
    if (self->form == MAILBOXES)
        return "not built (the library has no rounds kept by mailboxes)";
#endif
    (void)self;
    return NULL;
}

const char *kport_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply)
{
    kp_config config;
    configure(self, &request->job, &config);
    return team_of_kport(request, arena, calls[request->job.operation], &config, reply);
}

/* --- A machine made and ended --- */

static int empty(kp_proc *self, void *argument)
{
    (void)self;
    (void)argument;
    return 0;
}

int kport_create(int n, size_t stack_bytes)
{
    kp_config config = {.processors = n, .stack_bytes = stack_bytes};
    return kp_run(&config, empty, NULL, NULL);
}

int fibers_program(int n)
{
    fprintf(stderr, "peers: %d fibers: not built (the library has no fibers)\n", n);
    return 1;
}
