/* A contestant of the benchmark: the thread communicators of the library BLIS. A communicator has a
 * barrier and a broadcast of an address. For a broadcast of data, member 0 broadcasts the address
 * of its buffer, and all members copy from there. */
#include "../serve.h"
#include "pin.h"

#include <blis-pthread/blis.h>

struct blis_member {
    pthread_t thread;
    int rank;
    const struct request *request;
    const struct arena *arena;
    thrcomm_t *all;
    struct member_times times;
};

static void call(const struct blis_member *m)
{
    const struct job *job = &m->request->job;
    if (job->operation == BROADCAST) {
        char *in = in_of(m->arena, m->rank);
        const char *told = bli_thrcomm_bcast(m->rank, in, m->all);
        if (m->rank != 0)
            memcpy(in, told, job->b);
    }
    bli_thrcomm_barrier(m->rank, m->all);
}

static void *run(void *argument)
{
    struct blis_member *m = argument;
    struct job_steps steps;
    pin_self(&m->request->job, m->rank);
    steps_of(&m->request->job, m->arena, 0, &steps);
    RUN_CALLS(m->request, m->arena, m->rank, &steps, &m->times,
              bli_thrcomm_barrier(m->rank, m->all), call(m));
    return NULL;
}

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    int n = request->job.n;
    thrcomm_t all;
    struct blis_member *members = calloc((size_t)n, sizeof *members);
    struct member_times *times = calloc((size_t)n, sizeof *times);
    bli_thrcomm_init(n, &all);
    for (int i = 0; members && times && i < n; i++) {
        members[i] =
            (struct blis_member){.rank = i, .request = request, .arena = arena, .all = &all};
        if (pthread_create(&members[i].thread, NULL, run, &members[i]) != 0)
            exit(1); /* the threads that have started wait for this thread and cannot be ended */
    }
    for (int i = 0; members && times && i < n; i++) {
        pthread_join(members[i].thread, NULL);
        times[i] = members[i].times;
    }
    if (members && times)
        join_times(&request->job, times, n, reply);
    else
        reply->status = NO_MEMORY;
    free(times);
    free(members);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
