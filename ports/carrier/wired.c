/* The carrier of a machine over a wire. Such a machine has one processor in this process. A thread
 * of the caller attaches to the machine and carries this processor. It waits in the wire's function
 * `wait`. */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/machine_data.h"

static int complete(struct kp_machine_config *config)
{
    if (config->workers != 0 || config->seed != 0)
        return kp_set_error(
            KP_EARGUMENT,
            "%s is %llu; over a wire, where each processor has a thread of the "
            "caller's, it may be 0",
            config->workers ? "workers" : "seed",
            (unsigned long long)(config->workers ? (uint64_t)config->workers : config->seed));
    if (config->discipline == KP_ROUNDS_BY_MAILBOXES)
        return kp_set_error(KP_EARGUMENT,
                            "discipline is %d (mailboxes), which lie in memory that processors "
                            "share; over a wire it may be 0",
                            (int)config->discipline);
    if (config->trace)
        return kp_set_error(KP_EARGUMENT, "trace is given, and nothing is recorded over a wire; it "
                                          "may be NULL");
    config->discipline = KP_ROUNDS_BY_BARRIER;
    config->pin = KP_PIN_NEVER;
    return KP_OK;
}

static int prepare(kp_machine *machine)
{
    (void)machine;
    return kp_set_error(KP_EARGUMENT, "the machine is one over a wire, whose processor is carried "
                                      "by a thread of the caller's; a thread may attach to it");
}

const struct kp_carrier_row kp_wired_row = {
    .attaches = true,
    .complete = complete,
    .prepare = prepare,
    .note = kp_note_thread,
};
