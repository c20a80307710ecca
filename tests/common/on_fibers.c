/* Gives every machine that would run on threads fibers instead. So the tests of threads test fibers
 * too. The environment variable ON_FIBERS_WORKERS has the number of workers (default 2).
 * ON_FIBERS_SEED has the seed of the order in which fibers run (default 0: in turn). */
#include "tests/common/on_another.h"

#include <stdlib.h>

int threads_for(int processors);

static int most_workers(void)
{
    const char *workers = getenv("ON_FIBERS_WORKERS");
    return workers ? atoi(workers) : 2;
}

int threads_for(int processors)
{
    return processors < most_workers() ? processors : most_workers();
}

kp_config another_machine(kp_config asked)
{
    if (asked.carrier != KP_CARRIER_THREADS || asked.workers != 0)
        return asked;
    const char *seed = getenv("ON_FIBERS_SEED");
    asked.carrier = KP_CARRIER_FIBERS;
    asked.workers = asked.processors > 0 ? threads_for(asked.processors) : 0;
    asked.seed = seed ? strtoull(seed, NULL, 10) : 0;
    return asked;
}
