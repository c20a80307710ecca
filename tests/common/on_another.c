/* Changes the configuration of every machine that a test makes. The linker redirects the test's
 * calls of kp_run and kp_machine_create to this file (--wrap). The function another_machine, in
 * on_fibers.c or on_pinned.c, returns the changed configuration. */
#include "tests/common/on_another.h"

int __real_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);
int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);
int __real_kp_machine_create(const kp_config *config, kp_machine **machine);
int __wrap_kp_machine_create(const kp_config *config, kp_machine **machine);

static kp_config instead_of(const kp_config *asked)
{
    kp_config config = {0};
    if (asked)
        config = *asked;
    return another_machine(config);
}

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report)
{
    kp_config other = instead_of(config);
    return __real_kp_run(&other, program, arg, report);
}

int __wrap_kp_machine_create(const kp_config *config, kp_machine **machine)
{
    kp_config other = instead_of(config);
    return __real_kp_machine_create(&other, machine);
}
