/* Linked into a test of the machine with --wrap: every machine that the test makes on threads has
 * each kept on a core, so that what holds for one counter is tested of one for each core. */
#include <kport/machine.h>

int __real_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);
int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);
int __real_kp_machine_create(const kp_config *config, kp_machine **machine);
int __wrap_kp_machine_create(const kp_config *config, kp_machine **machine);

static kp_config with_pins(const kp_config *asked)
{
    kp_config config = {0};
    if (asked)
        config = *asked;
    if (config.carrier == KP_CARRIER_THREADS && config.pin == 0)
        config.pin = kp_pinning() != NULL;
    return config;
}

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report)
{
    kp_config other = with_pins(config);
    return __real_kp_run(&other, program, arg, report);
}

int __wrap_kp_machine_create(const kp_config *config, kp_machine **machine)
{
    kp_config other = with_pins(config);
    return __real_kp_machine_create(&other, machine);
}
