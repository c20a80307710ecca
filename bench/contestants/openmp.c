/* A contestant of the benchmark: OpenMP. A team of n threads copies data between two barriers,
 * which are `omp barrier` directives. */
#include "../apps/whole.h"
#include "../serve.h"
#include "pin.h"

#include <omp.h>

/* Passes OpenMP's barrier, which is a directive and not a function. */
static inline void wait_for_all(void)
{
#pragma omp barrier
}

/* Pins the calling thread. `everywhere` is the set of the process's cores. The set was read before
 * any thread was pinned, because the first thread is pinned, too. */
static void bind_member(const struct job *job, const cpu_set_t *everywhere)
{
    cpu_set_t one;
    if (!job->pin)
        return;
    core_in(everywhere, omp_get_thread_num(), omp_get_num_threads(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void meet(void *nothing)
{
    (void)nothing;
    wait_for_all();
}

/* Runs the calling thread as a member. `team` is the team of a whole program, or NULL. */
static void run_member(const struct request *request, const struct arena *arena,
                       const struct whole_team *team, struct member_times *times)
{
    int rank = omp_get_thread_num();
    if (team)
        whole_times(team, &team->talks[rank], request, &times[rank]);
    else
        RUN_MEMBER(request, arena, rank, &times[rank], wait_for_all(), wait_for_all());
}

/* Runs all members. Returns false if OpenMP has started fewer than n threads. */
static bool run_members(const struct request *request, const struct arena *arena,
                        const struct whole_team *team, struct member_times *times)
{
    int n = request->job.n, came = 0;
    cpu_set_t everywhere;
    sched_getaffinity(0, sizeof everywhere, &everywhere);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(n)
    {
#pragma omp single
        came = omp_get_num_threads();
        bind_member(&request->job, &everywhere);
        if (came == n)
            run_member(request, arena, team, times);
        /* Unpins the thread, because OpenMP uses its threads again for later jobs, which may not
         * want pinning. */
        sched_setaffinity(0, sizeof everywhere, &everywhere);
    }
    return came == n;
}

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    int n = request->job.n;
    bool whole = request->job.operation == WHOLE;
    struct sharing sharing = {.wait = meet};
    struct whole_team team = {0};
    struct member_times *times = calloc((size_t)n, sizeof *times);
    if (!times || (whole && !whole_open_shared(&team, request, &sharing))) {
        reply->status = NO_MEMORY;
    } else if (!run_members(request, arena, whole ? &team : NULL, times)) {
        reply->status = NOT_SERVED;
    } else {
        join_times(&request->job, times, n, reply);
        if (whole)
            whole_verify(&team, request, reply);
    }
    if (whole)
        whole_close_shared(&team, &sharing);
    free(times);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
