/* OpenMP: teams of n threads, `omp barrier` around copies. */
#include "serve.h"

#include <omp.h>

/* The runtime's own barrier is a directive, not a function. */
static inline void wait_for_all(void)
{
#pragma omp barrier
}

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    int n = request->job.n, came = 0;
    struct member_times *times = calloc((size_t)n, sizeof *times);
    if (!times) {
        reply->status = NO_MEMORY;
        return;
    }
    omp_set_dynamic(0);
#pragma omp parallel num_threads(n)
    {
#pragma omp single
        came = omp_get_num_threads();
        if (came == n)
            RUN_MEMBER(request, arena, omp_get_thread_num(), &times[omp_get_thread_num()],
                       wait_for_all());
    }
    if (came != n)
        reply->status = NOT_SERVED;
    else
        join_times(times, n, reply);
    free(times);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
