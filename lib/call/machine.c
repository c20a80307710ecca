/* Makes machines. A machine gets the part of the configuration that it uses. The machine's
 * schedules keep the part of the configuration by which algorithms are chosen. */
#include "lib/call/machine.h"

#include "lib/call/call.h"
#include "lib/call/prepared.h"
#include "lib/problem/operation.h"
#include "lib/tune/profile.h"
#include "ports/port.h"

#include <string.h>

#define DEFAULT_PLANS    ((size_t)64 << 20)
#define MOST_PER_PROCESS 4096

/* Fills in the defaults. Refuses invalid values. */
static int complete_tuning(kp_config *config)
{
    if (!(config->beta_us >= 0) || !(config->tau_us >= 0))
        return kp_set_error(KP_EARGUMENT, "beta_us is %g and tau_us %g; they may be 0 or more",
                            config->beta_us, config->tau_us);
    if ((int)config->tuning < 0 || config->tuning > KP_TUNING_MEASURED)
        return kp_set_error(KP_EARGUMENT, "tuning is %d; it may be %d ... %d", (int)config->tuning,
                            KP_TUNING_AUTO, KP_TUNING_MEASURED);
    if (config->plan_bytes == 0)
        config->plan_bytes = DEFAULT_PLANS;
    return KP_OK;
}

static struct kp_machine_config machines_own(const kp_config *config)
{
    return (struct kp_machine_config){.processors = config->processors,
                                      .ports = config->ports,
                                      .stack_bytes = config->stack_bytes,
                                      .pin = config->pin,
                                      .cpus = config->cpus,
                                      .wait = config->wait,
                                      .time_limit_ms = config->time_limit_ms,
                                      .eager_bytes = config->eager_bytes,
                                      .discipline = config->discipline,
                                      .generations = config->generations,
                                      .message_eager_bytes = config->message_eager_bytes,
                                      .unreceived_bytes = config->unreceived_bytes,
                                      .progress = config->progress,
                                      .check_buffers = config->check_buffers,
                                      .carrier = config->carrier,
                                      .workers = config->workers,
                                      .seed = config->seed,
                                      .on_failure = config->on_failure,
                                      .on_failure_arg = config->on_failure_arg,
                                      .trace = config->trace};
}

static int refuse_no_machine(void)
{
    return kp_set_error(KP_EARGUMENT, "machine is NULL; it must be where the handle goes");
}

/* `first` is the first machine of this process, if there is one. */
static int create(const kp_config *asked, bool once, struct kp_wire *wire, const kp_machine *first,
                  kp_machine **made)
{
    static const kp_config defaults;
    kp_config config = asked ? *asked : defaults;
    struct kp_machine_config own = machines_own(&config);
    own.once = once;
    own.wire = wire;
    own.follows = first && config.workers > 0;
    own.word_way = kp_way_word_call;
    own.use_mpi_name = kp_operation_use_mpi_name;
    if (!made)
        return refuse_no_machine();
    *made = NULL;
    int status = complete_tuning(&config);
    if (status)
        return status;
    struct kp_tuned tuned;
    bool by_threads = config.processors != 1 && config.carrier == KP_CARRIER_THREADS && !wire;
    kp_tuned_find(&config, by_threads, &tuned);
    memcpy(own.eager, tuned.thresholds.bytes, sizeof own.eager);
    status = kp_port_machine_create(&own, made);
    if (status) {
        kp_profile_free(tuned.own);
        return status;
    }
    config.processors = own.processors;
    config.workers = own.workers;
    struct kp_attachment *schedules = kp_port_machine_attachment(*made);
    *schedules = kp_machine_schedules(&config, &tuned);
    if (schedules->data)
        return KP_OK;
    kp_profile_free(tuned.own);
    (void)kp_machine_destroy(*made);
    *made = NULL;
    return kp_set_error(KP_EMEMORY, "no memory for a machine's schedules");
}

/* Makes a machine for each wire of this process, behind one handle. */
static int create_local(const kp_config *config, bool once, const struct kp_wires *wires,
                        kp_machine **first)
{
    kp_config own = *config;
    const char *network;
    const int count = kp_port_wires_count(wires, &own.processors, &network);
    if (config->processors != 0 && config->processors != own.processors)
        return kp_set_error(KP_EARGUMENT,
                            "processors is %d; over %s, with %d of the %d processors in this "
                            "process, it may be 0 or %d",
                            config->processors, network, count, own.processors, own.processors);
    for (int i = 0; i < count; i++) {
        kp_machine *next;
        int status = create(&own, once, kp_port_wire_at(wires, i), *first, &next);
        if (status)
            return status;
        if (*first)
            kp_port_machine_join(*first, next);
        else
            *first = next;
    }
    return KP_OK;
}

/* Returns a number that differs if anything differs on which all processes must agree. */
static uint64_t agreed(const kp_config *config)
{
    const double times[2] = {config->beta_us, config->tau_us};
    uint64_t bits[2], hash = kp_hash((uint64_t)config->ports, (uint64_t)config->tuning);
    memcpy(bits, times, sizeof bits);
    hash = kp_hash(kp_hash(hash, bits[0]), bits[1]);
    hash = kp_hash(hash, (uint64_t)config->workers);
    return kp_hash(hash, kp_revision_table(true));
}

static int create_over_processes(const kp_config *config, bool once, kp_machine **machine)
{
    struct kp_wires *wires;
    if (config->per_process < 0 || config->per_process > MOST_PER_PROCESS)
        return kp_set_error(KP_EARGUMENT, "per_process is %d; it may be 0 ... %d",
                            config->per_process, MOST_PER_PROCESS);
    if (config->cpus)
        return kp_set_error(KP_EARGUMENT,
                            "cpus is \"%.60s\"; with carrier %d (processes of an MPI) it may be "
                            "NULL, because mpirun binds the processes",
                            config->cpus, KP_CARRIER_MPI);
    if (config->pin == KP_PIN_ALWAYS)
        return kp_set_error(KP_EARGUMENT,
                            "pin is %d; with carrier %d (processes of an MPI) it may be %d or %d, "
                            "because mpirun binds the processes",
                            config->pin, KP_CARRIER_MPI, KP_PIN_AUTO, KP_PIN_NEVER);
    if (!machine)
        return refuse_no_machine();
    const int per_process = config->per_process ? config->per_process : 1;
    int status = kp_port_wires_open(config->mpi_comm, per_process,
                                    config->workers > 0 ? config->workers : per_process, &wires);
    if (status)
        return status;
    kp_machine *first = NULL;
    status = kp_port_wires_agree(wires, create_local(config, once, wires, &first), agreed(config));
    if (!status) {
        kp_port_machine_own(first, wires);
        *machine = first;
        return KP_OK;
    }
    kp_error_record kept = *kp_error_slot();
    (void)kp_machine_destroy(first);
    kp_port_wires_close(wires);
    *kp_error_slot() = kept;
    return status;
}

/* Makes a machine, with one wire for each processor of this process if the configuration asks for
 * processes of an MPI. */
static int create_any(const kp_config *config, bool once, kp_machine **machine)
{
    if (machine)
        *machine = NULL;
    if (config && config->carrier == KP_CARRIER_MPI)
        return create_over_processes(config, once, machine);
    if (config && (config->per_process || config->mpi_comm))
        return kp_set_error(KP_EARGUMENT,
                            "%s is given with carrier %d%s; with that it may be 0, because it is "
                            "for carrier %d (processes of an MPI)",
                            config->mpi_comm ? "mpi_comm" : "per_process", (int)config->carrier,
                            config->carrier == KP_CARRIER_THREADS  ? " (threads)"
                            : config->carrier == KP_CARRIER_FIBERS ? " (fibers)"
                                                                   : "",
                            KP_CARRIER_MPI);
    return create(config, once, NULL, NULL, machine);
}

int kp_machine_create(const kp_config *config, kp_machine **machine)
{
    return create_any(config, false, machine);
}

int kp_machine_create_over(const kp_config *config, struct kp_wire *wire, kp_machine **machine)
{
    return create(config, false, wire, NULL, machine);
}

int kp_machine_way(kp_machine *machine, int rank, const kp_problem *problem, bool named, char *text,
                   size_t size)
{
    struct kp_prepared prepared = {.serving = NULL};
    kp_group *member = kp_port_member_at(machine, rank);
    int status = kp_prepare(member, problem, false, &prepared);
    if (status)
        return status;
    if (!named && kp_operation_row(problem->operation)->lengths &&
        kp_lengths_word(member, problem->operation, text, size)) {
        kp_prepared_end(&prepared);
        return KP_OK;
    }
    prepared.code = kp_lower(member, &prepared);
    kp_way_word(&prepared, member, text, size);
    kp_prepared_end(&prepared);
    return KP_OK;
}

void kp_machine_word_thresholds(kp_machine *machine, char *text, size_t size)
{
    kp_thresholds_word(&kp_machine_tuned(kp_port_member_at(machine, 0))->thresholds, text, size);
}

int kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report)
{
    kp_machine *machine;
    if (report)
        memset(report, 0, sizeof *report);
    int status = create_any(config, true, &machine);
    if (status) {
        if (report)
            report->error = *kp_error_slot();
        return status;
    }
    status = kp_machine_run(machine, program, arg, report);
    kp_error_record kept = *kp_error_slot();
    if (report && status && report->error.status == KP_OK) /* the run was refused */
        report->error = kept;
    kp_machine_destroy(machine);
    *kp_error_slot() = kept;
    return status;
}
