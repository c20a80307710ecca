/* Linked into a test of the machine with --wrap: every machine that the test makes on threads is
 * made on fibers, so that what holds for the one is tested of the other. ON_FIBERS_WORKERS says on
 * how many workers (2), ON_FIBERS_SEED in which order. */
#include <kport/machine.h>

#include <stdlib.h>

int __real_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);
int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);
int __real_kp_machine_create(const kp_config *config, kp_machine **machine);
int __wrap_kp_machine_create(const kp_config *config, kp_machine **machine);

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

static kp_config with_fibers(const kp_config *asked)
{
    kp_config config = {0};
    if (asked)
        config = *asked;
    if (config.carrier != KP_CARRIER_THREADS || config.workers != 0)
        return config;
    const char *seed = getenv("ON_FIBERS_SEED");
    config.carrier = KP_CARRIER_FIBERS;
    config.workers = config.processors > 0 ? threads_for(config.processors) : 0;
    config.seed = seed ? strtoull(seed, NULL, 10) : 0;
    return config;
}

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report)
{
    kp_config other = with_fibers(config);
    return __real_kp_run(&other, program, arg, report);
}

int __wrap_kp_machine_create(const kp_config *config, kp_machine **machine)
{
    kp_config other = with_fibers(config);
    return __real_kp_machine_create(&other, machine);
}
