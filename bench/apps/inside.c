/* Runs the whole programs (whole.h) inside the benchmark's driver. The members of a program either
 * call kport's public interface, or communicate by hand with pthread_barrier_t. */
#include "../contestant.h"
#include "whole.h"

static int call(struct member *m)
{
    const struct whole_team *team = m->team->state;
    struct talk *t = &team->talks[m->rank];
    if (m->world)
        t->link = m->world;
    return whole_run(team, t);
}

bool whole_serves(const struct contestant *self, const struct job *job)
{
    (void)self;
    return job->operation == WHOLE;
}

/* --- Calls of kport --- */

/* Stores the status of the first call that fails. All later calls of kport fail, too. */
static void keep(struct talk *t, int status)
{
    if (!t->status)
        t->status = status;
}

static void barrier(struct talk *t)
{
    keep(t, kp_barrier(t->link));
}

static void sum(struct talk *t, double *value)
{
    keep(t, kp_allreduce(t->link, KP_IN_PLACE, value, 1, KP_FLOAT64, KP_SUM, NULL));
}

static const void *broadcast(struct talk *t, size_t root, void *buffer, size_t bytes)
{
    keep(t, kp_broadcast(t->link, buffer, bytes, (int)root, NULL));
    return buffer;
}

static void concat(struct talk *t, void *array, size_t block)
{
    keep(t, kp_concat(t->link, KP_IN_PLACE, array, block, NULL));
}

static void index_blocks(struct talk *t, const void *out, void *in, size_t block)
{
    keep(t, kp_index(t->link, out, in, block, NULL));
}

static void indexv(struct talk *t, const void *out, const size_t *out_bytes, void *in,
                   const size_t *in_bytes)
{
    keep(t, kp_indexv(t->link, out, out_bytes, NULL, in, in_bytes, NULL, NULL));
}

/* Exchanges messages with both neighbours in one round. Port 0 leads to the previous member, port 1
 * to the next member. With two members there is only one port, and each member has only one
 * neighbour. */
static void swap(struct talk *t, struct edge previous, struct edge next)
{
    const struct edge edges[] = {previous, next};
    const int me = (int)t->me, peers[] = {me - 1, me + 1}, ports[] = {0, t->n > 2};
    kp_outgoing out[2];
    kp_incoming in[2];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        size_t bytes = edges[i].bytes;
        if (bytes == 0)
            continue;
        out[count] = (kp_outgoing){ports[i], peers[i], edges[i].out, bytes};
        in[count++] = (kp_incoming){ports[1 - i], peers[i], edges[i].in, bytes, .up_to = 0};
    }
    keep(t, kp_exchange(t->link, out, count, in, count));
}

static const struct talk_calls kport_calls = {.barrier = barrier,
                                              .sum = sum,
                                              .broadcast = broadcast,
                                              .concat = concat,
                                              .index = index_blocks,
                                              .indexv = indexv,
                                              .swap = swap};

const char *kport_run_whole(const struct contestant *self, const struct request *request,
                            const struct arena *arena, struct reply *reply)
{
    int n = request->job.n;
    struct whole_team team;
    kp_config config;
    const char *error = "no memory";
    kport_configure(self, &request->job, &config);
    if (self->form == CARRIED_BY_FIBERS)
        config.workers = n < cores_allowed() ? n : cores_allowed();
    if (whole_open(&team, request, &kport_calls, NULL, 0, n))
        error = team_of_kport(request, arena, call, &team, &config, reply);
    if (!error)
        whole_verify(&team, request, reply);
    whole_close(&team);
    return error;
}

/* --- Calls by hand --- */

static void wait_for_all(void *barrier_of_all)
{
    pthread_barrier_wait(barrier_of_all);
}

const char *hand_run_whole(const struct contestant *self, const struct request *request,
                           const struct arena *arena, struct reply *reply)
{
    int n = request->job.n;
    pthread_barrier_t all;
    struct sharing sharing = {.wait = wait_for_all, .barrier = &all};
    struct whole_team team;
    const char *error = "no memory";
    pthread_barrier_init(&all, NULL, (unsigned)n);
    if (whole_open_shared(&team, request, &sharing))
        error = team_of_threads(request, arena, call, &team, self->pin, reply);
    if (!error)
        whole_verify(&team, request, reply);
    whole_close_shared(&team, &sharing);
    pthread_barrier_destroy(&all);
    return error;
}
