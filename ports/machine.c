/* Makes machines, runs programs on them, attaches threads, and destroys machines. */
#include "ports/carrier/carrier.h"
#include "ports/carrier/cpus.h"
#include "ports/carrier/wire.h"
#include "ports/error.h"
#include "ports/face.h"
#include "ports/fail/watch.h"
#include "ports/machine_data.h"
#include "ports/member.h"
#include "ports/message/messages.h"
#include "ports/request/lane.h"
#include "ports/request/progress.h"
#include "ports/request/request.h"
#include "ports/sync/sync.h"
#include "ports/trace/trace.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROCESSORS  ((1 << 20) - 1) /* more would not fit into the barrier's word */
#define MOST_PORTS       MOST_PROCESSORS
#define MOST_GENERATIONS 1024

/* --- Configuration --- */

/* Fills in the defaults of a configuration, and refuses invalid values. */
static int complete(struct kp_machine_config *config)
{
    const struct {
        const char *name;
        int value, most;
        const char *zero; /* what 0 means, for the error sentence; NULL: 0 has no special meaning */
    } fields[] = {
        {"processors", config->processors, MOST_PROCESSORS, ", or 0 for one a core"},
        {"ports", config->ports, MOST_PORTS, ", or 0 for one to each other processor"},
        {"pin", config->pin, KP_PIN_NEVER, NULL},
        {"wait", (int)config->wait, KP_WAIT_PARK, NULL},
        {"discipline", (int)config->discipline, KP_ROUNDS_BY_TUNER, NULL},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].value < 0 || fields[i].value > fields[i].most)
            return kp_set_error(KP_EARGUMENT, "%s is %d; it may be %d ... %d%s", fields[i].name,
                                fields[i].value, fields[i].zero != NULL, fields[i].most,
                                fields[i].zero ? fields[i].zero : "");
    }
    if (kp_cpus_complete(config))
        return kp_error_slot()->status;
    if (config->processors == 0)
        config->processors = kp_cores_for(config);
    int n = config->processors, generations = config->generations;
    if (config->ports == 0)
        config->ports = n > 1 ? n - 1 : 1;
    if (config->pin == KP_PIN_ALWAYS && !kp_pinning()) /* seldom taken: builds without affinity */
        return kp_set_error(KP_EARGUMENT,
                            "pin is 1, and this build of kport cannot keep a thread on a core (its "
                            "Meson option `affinity`); it may be 0 or 2");
    const struct kp_carrier_row *carrier = kp_carrier_of(config);
    if (!carrier || carrier->complete(config) || kp_messages_complete(config) ||
        kp_progress_complete(config))
        return kp_error_slot()->status;
    if (generations != 0 && (generations < 2 || generations > MOST_GENERATIONS ||
                             (generations & (generations - 1)) != 0))
        return kp_set_error(KP_EARGUMENT,
                            "generations is %d; it may be a power of two, 2 ... %d, or 0",
                            generations, MOST_GENERATIONS);
    if (config->eager_bytes > SIZE_MAX / 4 / (size_t)n)
        return kp_set_error(KP_EARGUMENT,
                            "eager_bytes is %zu; with %d processors it may be 0 ... %zu",
                            config->eager_bytes, n, SIZE_MAX / 4 / (size_t)n);
    /* This makes the length a multiple of a cache line, so that packed data is aligned in every
     * buffer. */
    config->eager_bytes = (config->eager_bytes + KP_CACHE_LINE - 1) / KP_CACHE_LINE * KP_CACHE_LINE;
    if (config->wait == KP_WAIT_AUTO)
        config->wait = kp_hands_of(config) <= kp_cores_for(config) ? KP_WAIT_SPIN : KP_WAIT_YIELD;
    return KP_OK;
}

/* --- Making and ending --- */

static void unmake(kp_machine *machine)
{
    kp_progress_stop(machine);
    kp_carriers_stop(machine);
    kp_trace_leave(machine);
    for (int i = 0; machine->procs && i < machine->n; i++)
        kp_requests_drop(&machine->procs[i]);
    while (machine->groups)
        kp_shared_unregister(machine->groups);
    if (machine->attachment.free)
        machine->attachment.free(machine->attachment.data);
    for (int i = 0; machine->procs && i < machine->n; i++) {
        kp_requests_free(&machine->procs[i]);
        kp_wait_word_free(&machine->procs[i].bell);
    }
    if (machine->carrier->free)
        machine->carrier->free(machine);
    free(machine->procs);
    kp_watch_free(machine);
    pthread_mutex_destroy(&machine->lock);
    pthread_mutex_destroy(&machine->telling);
    free(machine->block);
}

/* Makes the parts of a machine. After an error, the caller calls unmake, which frees these
 * parts. */
static int make(kp_machine *machine)
{
    int status = KP_OK, n = machine->n;
    const bool asymmetric = kp_requests_listen_seldom(&machine->config) && kp_has_barrier_of_all();
    machine->procs = kp_lines_zeroed((size_t)n, sizeof *machine->procs);
    if (!machine->procs)
        return kp_set_error(KP_EMEMORY, "no memory for %d processors", n);
    for (int i = 0; i < n; i++) {
        machine->procs[i].machine = machine;
        machine->procs[i].number = i;
        machine->procs[i].parked = &machine->procs[i].own;
        machine->procs[i].asymmetric = asymmetric;
    }
    if (machine->carrier->make)
        status = machine->carrier->make(machine);
    for (int i = 0; i < n && !status; i++) {
        kp_proc *proc = &machine->procs[i];
        atomic_store_explicit(&proc->bell.value, kp_first_counters.rings, KP_ORDER_RESET);
        status = kp_wait_word_make(machine, &proc->bell, i);
    }
    if (!status && machine->config.wire)
        status = kp_watch_make(machine);
    if (!status)
        status = kp_trace_join(machine);
    if (!status)
        status = kp_shared_create(machine, NULL, n, NULL, &machine->world);
    if (status)
        return status;
    machine->groups = machine->world;
    for (int i = 0; i < n; i++) {
        machine->procs[i].world = &machine->world->members[i];
        machine->world->members[i].self = &machine->procs[i];
    }
    /* kp_carry also registers the handlers for forks and for threads that end. */
    return kp_carry(kp_carried());
}

int kp_port_machine_create(struct kp_machine_config *config, kp_machine **made)
{
    int status = complete(config);
    if (status)
        return status;
    void *block;
    kp_machine *machine = kp_handle_memory(1, sizeof *machine, &block);
    if (!machine)
        return kp_set_error(KP_EMEMORY, "no memory for a machine");
    machine->block = block;
    machine->first_local = machine;
    machine->number = kp_handle_number();
    machine->config = *config;
    machine->n = config->processors;
    machine->k = config->ports;
    machine->carrier = kp_carrier_of(config);
    machine->hands = kp_hands_of(config);
    machine->cores = kp_keeping_cores(config, machine->hands);
    pthread_mutex_init(&machine->lock, NULL);
    pthread_mutex_init(&machine->telling, NULL);
    atomic_store_explicit(&machine->go.value, kp_first_counters.runs, KP_ORDER_RESET);
    status = make(machine);
    machine->forks = kp_fork_count();
    status = status ? status : kp_progress_start(machine);
    if (status) {
        unmake(machine);
        return status;
    }
    kp_machine_reset(machine);
    kp_live_lock();
    kp_live_add(&machine->live, machine, KP_LIVE_MACHINE);
    kp_live_unlock();
    *made = machine;
    return KP_OK;
}

/* Returns KP_EBUSY if the machine is in use, with one of two sentences. The caller holds the lock
 * of the table of live objects, without which no use begins. */
static int refuse_busy(kp_machine *machine, const char *in_run, const char *attached)
{
    int status = KP_OK;
    for (kp_machine *local = machine; local && !status; local = local->next_local) {
        pthread_mutex_lock(&local->lock);
        enum kp_machine_use use = kp_machine_use_of(local);
        pthread_mutex_unlock(&local->lock);
        if (use != KP_USE_NONE)
            status = kp_set_error(KP_EBUSY, "%s", use == KP_USE_RUN ? in_run : attached);
    }
    return status;
}

/* Takes an unused machine out of the table of live objects, so that its handle becomes invalid. */
static int retire(kp_machine *machine)
{
    if (!kp_live_has(machine, KP_LIVE_MACHINE))
        return kp_refuse_machine();
    if (machine->forks == kp_fork_count() &&
        refuse_busy(machine,
                    "a run is under way on this machine; it may be destroyed when that is over",
                    "a processor is still attached to this machine; it may be destroyed when all "
                    "have detached"))
        return kp_error_slot()->status;
    for (kp_machine *local = machine; local; local = local->next_local)
        kp_live_remove(&local->live);
    return KP_OK;
}

int kp_machine_destroy(kp_machine *machine)
{
    if (!machine)
        return KP_OK;
    kp_live_lock();
    int status = retire(machine);
    kp_live_unlock();
    /* In the child of a fork, the machine's locks may stay locked. The process's end frees the
     * memory. */
    if (status || machine->forks != kp_fork_count())
        return status;
    struct kp_wires *wires = machine->wires;
    if (wires && !wires->settle(wires))
        return KP_OK;
    if (wires && !machine->given_up)
        status = kp_watch_compare_ends(machine);
    const kp_error_record kept = *kp_error_slot();
    for (kp_machine *local = machine, *next; local; local = next) {
        next = local->next_local;
        unmake(local);
    }
    if (wires)
        wires->close(wires);
    if (status) /* untaken: no attached threads of the tests make calls that differ */
        *kp_error_slot() = kept;
    return status;
}

void kp_port_machine_join(kp_machine *first, kp_machine *next)
{
    while (first->next_local)
        first = first->next_local;
    first->next_local = next;
    next->first_local = first->first_local;
}

int kp_port_machine_here(const kp_machine *machine, int *first, const char **network)
{
    const struct kp_wires *wires = machine->wires;
    *first = wires ? wires->first : 0;
    *network = wires ? wires->network : NULL;
    return wires ? wires->count : machine->n;
}

int kp_face_first_processor(const kp_machine *machine)
{
    int first;
    const char *network;
    (void)kp_port_machine_here(machine, &first, &network);
    return first;
}

void kp_port_machine_own(kp_machine *first, struct kp_wires *wires)
{
    first->wires = wires;
}

/* All groups but the world end, and with them their handles, lanes and requests. */
void kp_machine_reset(kp_machine *machine)
{
    for (int i = 0; i < machine->n; i++)
        kp_requests_drop(&machine->procs[i]);
    kp_lanes_free(machine->world);
    while (machine->groups != machine->world)
        kp_shared_unregister(machine->groups);
    kp_shared_forget_failed(machine->world);
    kp_shared_reset(machine->world);
    for (int i = 0; i < machine->n; i++) {
        kp_proc *proc = &machine->procs[i];
        proc->members = NULL;
        memset(proc->known_members, 0, sizeof proc->known_members);
        memset(proc->known_plans, 0, sizeof proc->known_plans);
        atomic_store_explicit(&proc->state, KP_PROC_EMPTY, KP_ORDER_STATE);
        proc->failed = proc->unusual = false;
        proc->left = NULL;
        proc->c1 = proc->c2 = 0;
        kp_no_error(&proc->error);
        proc->error_told = proc->end_told = false;
        atomic_store_explicit(&proc->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
        kp_parked_hide(proc->parked);
        atomic_store_explicit(&proc->file, NULL, KP_ORDER_NOTE);
    }
    atomic_store_explicit(&machine->idle, (uint64_t)kp_first_counters.changes << 32,
                          KP_ORDER_RESET);
    memset(&machine->first, 0, sizeof machine->first);
    machine->spent = false;
}

/* --- Runs --- */

int kp_machine_look(const kp_machine *machine)
{
    if (!kp_live_has(machine, KP_LIVE_MACHINE))
        return kp_refuse_machine();
    if (machine->forks != kp_fork_count())
        return kp_set_error(KP_EFAILED, "the machine belongs to the parent of this process; after "
                                        "a fork the child may make its own");
    return KP_OK;
}

/* Returns whether a failure has ended a wire of the machine, and sets the error in this case. */
static bool is_given_up(kp_machine *machine)
{
    bool given_up = false;
    for (kp_machine *local = machine; local; local = local->next_local) {
        pthread_mutex_lock(&local->lock);
        /* untaken: no test uses several processors of a process after a failure */
        given_up = given_up || local->given_up;
        pthread_mutex_unlock(&local->lock);
    }
    if (given_up)
        kp_set_error(KP_EFAILED, "a failure has made this machine unusable, because messages may "
                                 "still be under way; a new machine may be made");
    return given_up;
}

static void use_all(kp_machine *machine, enum kp_machine_use use)
{
    for (kp_machine *local = machine; local; local = local->next_local) {
        pthread_mutex_lock(&local->lock);
        atomic_store_explicit(&local->use, use, KP_ORDER_STATE);
        pthread_mutex_unlock(&local->lock);
    }
}

static int take_machine(kp_machine *machine)
{
    if (kp_machine_look(machine) || is_given_up(machine) ||
        refuse_busy(machine, "a run is under way on this machine; it may have one at a time",
                    "threads are attached to the machine; it may run when all have detached"))
        return kp_error_slot()->status;
    use_all(machine, KP_USE_RUN);
    return KP_OK;
}

/* Returns whether the error of a machine over a wire came from another processor. */
static bool is_passed_on(const kp_machine *machine)
{
    return machine->first.status == KP_EPEER || machine->first.status == KP_ELOST;
}

static void write_report(const kp_machine *machine, kp_report *report)
{
    if (report->error.status == KP_OK || (machine->first.status && !is_passed_on(machine)))
        report->error = machine->first;
    for (int i = 0; i < machine->n; i++) {
        const kp_proc *proc = &machine->procs[i];
        if (proc->c1 > report->c1 || (proc->c1 == report->c1 && proc->c2 > report->c2)) {
            report->c1 = proc->c1;
            report->c2 = proc->c2;
        }
    }
}

void kp_machine_settle(kp_machine *machine)
{
    for (struct kp_shared *s = machine->groups; s; s = s->next)
        kp_shared_settle(s);
}

static void prepare_run(kp_machine *machine, kp_program *program, void *argument)
{
    pthread_mutex_lock(&machine->lock); /* because kp_machine_dump may be reading the processors */
    kp_machine_reset(machine);
    const struct kp_wire *wire = machine->config.wire;
    const int first = wire ? wire->processor : 0, end = wire ? first + 1 : machine->n;
    for (int i = first; i < end; i++)
        atomic_store_explicit(&machine->procs[i].state, KP_PROC_RUNNING, KP_ORDER_STATE);
    pthread_mutex_unlock(&machine->lock);
    machine->program = program;
    machine->argument = argument;
    atomic_store_explicit(&machine->remaining.value, (uint32_t)machine->hands, KP_ORDER_PUBLISH);
}

static void begin_run(kp_machine *machine)
{
    /* The addition is a release of the program and of the reset machine (partner: the wait of the
     * machine's threads). */
    atomic_fetch_add_explicit(&machine->go.value, 1, KP_ORDER_PUBLISH);
    kp_wake_all(&machine->go);
}

static void end_run(kp_machine *machine)
{
    const struct kp_waiter patient = {.yields = 0};
    for (uint32_t remaining = (uint32_t)machine->hands; remaining > 0;)
        remaining = kp_wait_change(&machine->remaining, remaining, &patient);
    if (!machine->config.wire)
        kp_machine_settle(machine);
}

/* Starts the threads of all processors of this process. If one cannot be started, no program runs,
 * and processors beyond a wire learn that none will come. */
static bool start_all(kp_machine *machine, int *started)
{
    for (kp_machine *local = machine; local; local = local->next_local) {
        int own;
        int status = kp_carriers_start(local, &own);
        *started += own;
        if (!status)
            continue;
        pthread_mutex_lock(&local->lock);
        /* The world may be one that an earlier run has left, which has failed already. */
        const kp_error_record why = *kp_error_slot();
        kp_machine_reset(local);
        local->first = why;
        if (local->config.wire)
            kp_sync_fail(local->world, &local->first);
        pthread_mutex_unlock(&local->lock);
        return false;
    }
    return true;
}

int kp_machine_run(kp_machine *machine, kp_program *program, void *arg, kp_report *asked)
{
    kp_report unasked, *report = asked ? asked : &unasked;
    memset(report, 0, sizeof *report);
    if (!machine || !program)
        return kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s",
                            !machine ? "machine" : "program",
                            !machine ? "what kp_machine_create made" : "a function");
    kp_live_lock();
    int status = take_machine(machine);
    kp_live_unlock();
    if (status)
        return status;
    if (start_all(machine, &report->started)) {
        for (kp_machine *local = machine; local; local = local->next_local)
            prepare_run(local, program, arg);
        for (kp_machine *local = machine; local; local = local->next_local)
            begin_run(local);
        for (kp_machine *local = machine; local; local = local->next_local)
            end_run(local);
        if (machine->config.wire)
            kp_wired_end_run(machine);
    }
    for (kp_machine *local = machine; local; local = local->next_local)
        write_report(local, report);
    use_all(machine, KP_USE_NONE);
    if (report->error.status)
        *kp_error_slot() = report->error;
    return report->error.status;
}

/* --- The caller's own threads --- */

static int take_processor(kp_machine *machine, int processor)
{
    kp_proc *proc = &machine->procs[processor];
    if (kp_machine_use_of(machine) == KP_USE_RUN)
        return kp_set_error(KP_EBUSY,
                            "a run is under way on this machine; a thread may attach when it "
                            "is over");
    if (atomic_load_explicit(&proc->state, KP_ORDER_STATE) == KP_PROC_RUNNING)
        return kp_set_error(KP_EBUSY, "processor %d has a thread already; it may have one",
                            processor);
    if (kp_machine_use_of(machine) == KP_USE_NONE)
        kp_machine_reset(machine);
    if (machine->spent)
        return kp_set_error(KP_EBUSY,
                            "a thread has detached already; processor %d can be attached after all "
                            "threads have detached",
                            processor);
    atomic_store_explicit(&machine->use, KP_USE_ATTACHED, KP_ORDER_STATE);
    machine->attached++;
    proc->detached = false;
    atomic_store_explicit(&proc->state, KP_PROC_RUNNING, KP_ORDER_STATE);
    return KP_OK;
}

static int refuse_remote(const kp_machine *machine, int processor)
{
    const kp_machine *last = machine;
    while (last->next_local)
        last = last->next_local;
    const int first = machine->config.wire->processor, end = last->config.wire->processor;
    if (first == end)
        return kp_set_error(KP_EARGUMENT, "processor is %d; in this process it may be %d",
                            processor, first);
    return kp_set_error(KP_EARGUMENT, "processor is %d; in this process it may be %d ... %d",
                        processor, first, end);
}

kp_machine *kp_machine_local(const kp_machine *machine, int processor)
{
    kp_machine *local = machine->first_local;
    while (local && local->config.wire->processor != processor)
        local = local->next_local;
    return local;
}

/* The caller holds the lock of the table of live objects. */
static int attach(kp_machine *machine, int processor)
{
    if (is_given_up(machine))
        return kp_error_slot()->status;
    if (!machine->carrier->attaches)
        return kp_set_error(KP_EARGUMENT,
                            "the machine's processors are fibers, which it runs itself; a thread "
                            "may attach to a machine whose carrier is %d (threads)",
                            KP_CARRIER_THREADS);
    if (processor < 0 || processor >= machine->n)
        return kp_set_error(KP_EARGUMENT, "processor is %d; it may be 0 ... %d", processor,
                            machine->n - 1);
    if (machine->config.wire && processor != machine->config.wire->processor)
        return refuse_remote(machine, processor);
    if (kp_carried())
        return kp_set_error(KP_EBUSY,
                            "the thread carries processor %d already; it may carry one at a time",
                            kp_carried()->number);
    if (kp_carry(&machine->procs[processor])) /* untaken: only if libc has no memory */
        return kp_error_slot()->status;
    pthread_mutex_lock(&machine->lock);
    int status = take_processor(machine, processor);
    pthread_mutex_unlock(&machine->lock);
    if (status)
        (void)kp_carry(NULL);
    else
        kp_hold_thread(machine);
    return status;
}

int kp_machine_attach(kp_machine *machine, int processor, kp_proc **self)
{
    if (!machine || !self)
        return kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s",
                            !machine ? "machine" : "self",
                            !machine ? "what kp_machine_create made" : "where the handle goes");
    kp_live_lock();
    int status = kp_machine_look(machine);
    if (!status) {
        kp_machine *local = machine->config.wire ? kp_machine_local(machine, processor) : NULL;
        machine = local ? local : machine;
        status = attach(machine, processor);
    }
    kp_live_unlock();
    *self = status ? NULL : &machine->procs[processor];
    return status;
}

void kp_processor_left(kp_proc *self)
{
    kp_machine *machine = self->machine;
    pthread_mutex_lock(&machine->lock);
    machine->spent = self->detached = true;
    if (--machine->attached == 0) {
        kp_machine_settle(machine);
        atomic_store_explicit(&machine->use, KP_USE_NONE, KP_ORDER_STATE);
    }
    pthread_mutex_unlock(&machine->lock);
}

int kp_machine_detach(kp_proc *self)
{
    if (!self || kp_carried() != self)
        return kp_refuse_proc(self);
    if (kp_machine_use_of(self->machine) != KP_USE_ATTACHED)
        return kp_set_error(KP_EWRONGTHREAD, "the processor's thread is the machine's own, which "
                                             "ends its part by returning from the program; one "
                                             "that attached itself may detach");
    kp_machine *machine = self->machine;
    bool ours = machine->forks == kp_fork_count();
    /* The unfinished call may still use the processor. Seldom taken: only in a fork's child. */
    if (ours && kp_proc_is_inside(self))
        return kp_proc_jumped(self);
    (void)kp_carry(NULL);
    if (!ours) /* seldom taken: only in a fork's child */
        return KP_OK;
    kp_progress_take(self);
    int status = kp_requests_left(self);
    status = status ? status : kp_exchange_left_of(self);
    status = status ? status : kp_messages_left_of(self);
    kp_error_record kept = *kp_error_slot();
    if (status)
        (void)kp_proc_set_error(self, &kept); /* the others are told why */
    kp_proc_detached(self);
    kp_release_thread(machine);
    kp_processor_left(self);
    if (status)
        *kp_error_slot() = kept;
    return status;
}
