/* OpenMP: teams of n threads, `omp barrier` around copies. */
#include "place.h"
#include "serve.h"

#include <omp.h>

/* The runtime's own barrier is a directive, not a function. */
static inline void wait_for_all(void)
{
#pragma omp barrier
}

/* What core is whose is found out before anybody is bound, the first thread among them. */
static void bind_member(const struct job *job, const cpu_set_t *everywhere)
{
    cpu_set_t one;
    if (!job->pin)
        return;
    core_in(everywhere, omp_get_thread_num(), omp_get_num_threads(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    int n = request->job.n, came = 0;
    struct member_times *times = calloc((size_t)n, sizeof *times);
    if (!times) {
        reply->status = NO_MEMORY;
        return;
    }
    cpu_set_t everywhere;
    sched_getaffinity(0, sizeof everywhere, &everywhere);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(n)
    {
#pragma omp single
        came = omp_get_num_threads();
        bind_member(&request->job, &everywhere);
        if (came == n)
            RUN_MEMBER(request, arena, omp_get_thread_num(), &times[omp_get_thread_num()],
                       wait_for_all(), wait_for_all());
        /* The team's threads are kept, for jobs that bind nobody too. */
        sched_setaffinity(0, sizeof everywhere, &everywhere);
    }
    if (came != n)
        reply->status = NOT_SERVED;
    else
        join_times(&request->job, times, n, reply);
    free(times);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
