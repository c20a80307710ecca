#include "ports/carrier/mpi/wires.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* A wait looks SPINS times. Then it yields the core between looks, for YIELDS_US. If each processor
 * has a core, it yields more seldom and for longer, LOOKS_US. In the end it sleeps between looks,
 * for SHORTEST_US at first and for LONGEST_US at last. MPI has no function that sleeps. */
#define SPINS       100
#define YIELDS_US   300
#define LOOKS_US    10000
#define SHORTEST_US 50
#define LONGEST_US  1000

/* Messages that a processor sent may come so many looks after its notice that it has left. There is
 * a sleep between two of these looks. Looks are counted, not time, because a process that shares
 * its core may not run for long. */
#define LATE_LOOKS 200

/* A processor whose machine ends has left as often as this. */
#define FOR_EVER UINT32_MAX

/* The longest time for which a machine waits at its end for the other processes. */
#define LAST_US 60000000

/* The longest time for which a failed machine settles. */
#define DRAIN_US 2000000

uint64_t wires_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void wires_sleep_us(unsigned microseconds)
{
    nanosleep(&(struct timespec){0, (long)microseconds * 1000}, NULL);
}

/* --- Sending and receiving --- */

static int begin_local(struct wire *self, struct kp_wire_message *messages, int count, bool sends)
{
    int status = KP_OK;
    for (int i = 0; i < count && !status; i++)
        if (wires_is_local(self->process, messages[i].peer))
            status = wires_local_begin(self, &messages[i], sends);
    return status;
}

/* Returns whether one of the messages to receive has a length that is known. */
static bool any_exact(const struct kp_wire_message *messages, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++)
        any = any || messages[i].exact;
    return any;
}

static bool is_broken(const struct process *process)
{
    return atomic_load_explicit(&process->broken, KP_ORDER_UNLOCKED);
}

static int begin(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                 struct kp_wire_message *sends, int send_count)
{
    struct wire *self = (struct wire *)wire;
    /* A process that has given up may soon free the long message that it was sending. So a receiver
     * looks whether somebody has given up before it begins to receive a long message. */
    if (any_exact(receives, receive_count) && !self->holds)
        wires_look_for_farewell(self->process);
    if (is_broken(self->process))
        return KP_OK; /* the wait returns the error */
    int status = wires_remote_begin(self, receives, receive_count, sends, send_count);
    status = status ? status : begin_local(self, receives, receive_count, false);
    return status ? status : begin_local(self, sends, send_count, true);
}

/* --- Giving up --- */

static void cancel(struct wire *self)
{
    wires_local_cancel(self);
    wires_remote_cancel(self);
}

/* Keeps the larger number, because two threads may have received notices of one processor. */
static void has_left(struct process *process, const struct notice *notice)
{
    _Atomic uint32_t *known = &process->leaves[notice->processor];
    uint32_t before = atomic_load_explicit(known, KP_ORDER_UNLOCKED);
    while (before < notice->leaves &&
           !atomic_compare_exchange_weak_explicit(known, &before, notice->leaves, KP_ORDER_UNLOCKED,
                                                  KP_ORDER_UNLOCKED))
        ;
}

/* Receives one message of the tag of farewells. The message is matched and received in two steps
 * that belong together, so several threads may look at once. Returns whether there was one. */
static bool receive_farewell(struct process *process)
{
    union {
        kp_error_record why;
        struct notice notice;
    } said;
    int found = 0, length = 0;
    MPI_Message message;
    MPI_Status status;
    if (!wires_enter(process, false))
        return false;
    const int code = PMPI_Improbe(MPI_ANY_SOURCE, process->farewell_tag, process->comm, &found,
                                  &message, &status);
    found = found && !code && !PMPI_Mrecv(&said, sizeof said, MPI_BYTE, &message, &status) &&
            !PMPI_Get_count(&status, MPI_BYTE, &length);
    wires_leave(process);
    if (found && length == sizeof said.notice) {
        has_left(process, &said.notice);
    } else if (found) {
        said.why.file = NULL; /* it is an address in the other process's memory */
        (void)wires_break(process, &said.why);
    }
    return found;
}

void wires_look_for_farewell(struct process *process)
{
    while (receive_farewell(process))
        ;
}

bool wires_has_left(const struct wire *self, int processor)
{
    return atomic_load_explicit(&self->process->leaves[processor], KP_ORDER_UNLOCKED) >
           self->leaves;
}

void wires_await_notices(struct wire *self)
{
    for (int i = 0; i < self->process->size; i++)
        (void)PMPI_Wait(&self->notices[i], MPI_STATUS_IGNORE);
}

/* Before it leaves, a processor receives what others have said. So no more than a run's notices are
 * ever under way. */
static void leave_as(struct wire *self, uint32_t leaves)
{
    struct process *process = self->process;
    wires_look_for_farewell(process);
    (void)wires_enter(process, true);
    wires_await_notices(self);
    self->leaves = leaves;
    self->notice = (struct notice){(uint32_t)self->wire.processor, leaves};
    for (int i = 0; i < process->size; i++) {
        if (i != process->rank)
            (void)PMPI_Isend(&self->notice, sizeof self->notice, MPI_BYTE, i, process->farewell_tag,
                             process->comm, &self->notices[i]);
    }
    wires_leave(process);
    has_left(process, &self->notice);
}

static void leave(struct kp_wire *wire)
{
    struct wire *self = (struct wire *)wire;
    wires_let_go(self);
    leave_as(self, self->leaves + 1);
}

static void tell_others(struct process *process)
{
    (void)wires_enter(process, true);
    for (int i = 0; i < process->size; i++) {
        if (i != process->rank &&
            !PMPI_Isend(&process->why, sizeof process->why, MPI_BYTE, i, process->farewell_tag,
                        process->comm, &process->farewells[process->farewell_count]))
            process->farewell_count++;
    }
    wires_leave(process);
}

static void give_up(struct kp_wire *wire, const kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    wires_let_go(self);
    /* The process that gave up first has told all processes. */
    if (wires_break(self->process, why))
        tell_others(self->process);
    cancel(self);
}

/* Returns whether all messages that tell of the failure are sent. */
static bool farewells_done(struct process *process)
{
    int left = 0;
    (void)wires_enter(process, true);
    for (int i = 0; i < process->farewell_count; i++) {
        int done = 0;
        if (!PMPI_Test(&process->farewells[i], &done, MPI_STATUS_IGNORE) && !done)
            process->farewells[left++] = process->farewells[i];
    }
    process->farewell_count = left;
    wires_leave(process);
    return left == 0;
}

/* What a process that settles after a failure does for the others: it receives all messages that
 * nobody here wants any more, so that their senders settle, too. */
struct dropping {
    MPI_Request message, barrier;
    char *bytes;
    bool all; /* all processes have sent all their messages */
};

/* Receives one message, or a part of it. The barrier of all processes, which have sent all messages
 * then, comes when this process is `done`. */
static void drop(const struct process *process, bool done, struct dropping *dropping)
{
    MPI_Message message;
    MPI_Status status;
    int found = 0, length = 0, over = 1;
    (void)wires_enter(process, true);
    if (dropping->message == MPI_REQUEST_NULL &&
        !PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, process->comm, &found, &message, &status) &&
        found) {
        (void)PMPI_Get_count(&status, MPI_BYTE, &length);
        dropping->bytes = malloc((size_t)length + 1);
        if (dropping->bytes)
            (void)PMPI_Imrecv(dropping->bytes, length, MPI_BYTE, &message, &dropping->message);
    }
    if (!PMPI_Test(&dropping->message, &over, MPI_STATUS_IGNORE) && over) {
        free(dropping->bytes);
        dropping->bytes = NULL;
    }
    if (done && dropping->barrier == MPI_REQUEST_NULL)
        (void)PMPI_Ibarrier(process->comm, &dropping->barrier);
    if (done && !found && dropping->message == MPI_REQUEST_NULL &&
        !PMPI_Test(&dropping->barrier, &over, MPI_STATUS_IGNORE))
        dropping->all = over;
    wires_leave(process);
}

/* Returns whether all processors have left for ever, so that no more notices come. If one came
 * after the end of the communicator, it would be taken for a notice of the next communicator, which
 * may have the same number in MPI. */
static bool notices_done(struct process *process)
{
    bool all = true;
    wires_look_for_farewell(process);
    for (int i = 0; i < process->wires.processors; i++)
        all = all && atomic_load_explicit(&process->leaves[i], KP_ORDER_UNLOCKED) == FOR_EVER;
    return all;
}

bool wires_drain(struct process *process)
{
    kp_error_record ignored;
    struct dropping dropping = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, NULL, false};
    for (int i = 0; i < process->per_process; i++)
        leave_as(&process->own[i], FOR_EVER);
    for (const uint64_t begun = wires_now_us();; wires_sleep_us(SHORTEST_US)) {
        bool done = farewells_done(process);
        for (int i = 0; i < process->per_process; i++) {
            (void)wires_remote_test(&process->own[i], KP_WIRE_ALL, true, &ignored);
            done = done && wires_remote_done(&process->own[i], KP_WIRE_ALL);
        }
        const bool broken = is_broken(process);
        if (broken)
            drop(process, done, &dropping);
        process->all_settled = dropping.all || (!broken && done && notices_done(process));
        if (process->all_settled || wires_now_us() - begun > (broken ? DRAIN_US : LAST_US))
            return done;
    }
}

/* --- Waiting --- */

struct patience {
    enum kp_wire_what what;
    unsigned limit_ms;
    int looks;
    uint64_t begun_us; /* when the spinning ended */
    unsigned sleep_us;
    int looks_lost; /* how many looks ago an awaited processor was known to have left */
};

/* Waits a little. Returns false if the time limit is over. */
static bool rest(struct wire *self, struct patience *patience)
{
    if (patience->looks++ < SPINS)
        return true;
    wires_let_go(self);
    const uint64_t now = wires_now_us();
    if (patience->begun_us == 0)
        *patience =
            (struct patience){patience->what, patience->limit_ms, SPINS, now, SHORTEST_US, 0};
    const uint64_t waited = now - patience->begun_us, limit = 1000 * (uint64_t)patience->limit_ms;
    if (limit > 0 && waited >= limit)
        return false;
    const bool own_core = self->process->own_cores;
    if (waited < (own_core ? LOOKS_US : YIELDS_US)) {
        if (!own_core || patience->looks % SPINS == 0)
            sched_yield();
        return true;
    }
    wires_look_for_farewell(self->process);
    if (wires_remote_done(self, patience->what))
        wires_local_sleep(self, patience->what, LONGEST_US);
    else
        wires_sleep_us(patience->sleep_us);
    patience->sleep_us = 2 * patience->sleep_us < LONGEST_US ? 2 * patience->sleep_us : LONGEST_US;
    return true;
}

/* Returns an awaited processor that has left, or -1. Messages that it sent before may come after
 * its notice, so it is lost only if they have not come for a while. */
static int lost(struct wire *self, struct patience *patience)
{
    int processor = wires_remote_lost(self);
    if (processor < 0)
        processor = wires_local_lost(self);
    patience->looks_lost = processor < 0 ? 0 : patience->looks_lost + 1;
    return patience->looks_lost > LATE_LOOKS ? processor : -1;
}

static int wait_for(struct kp_wire *wire, enum kp_wire_what what, unsigned limit_ms,
                    kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    struct process *process = self->process;
    struct patience patience = {.what = what, .limit_ms = limit_ms};
    int status = KP_OK;
    for (bool goes_on = true; goes_on && !status;) {
        if (is_broken(process)) {
            pthread_mutex_lock(&process->lock);
            *why = process->why;
            pthread_mutex_unlock(&process->lock);
            status = why->status;
            break;
        }
        /* A thread that has waited for long no longer leaves the MPI lock to others. */
        status = wires_remote_test(self, what, patience.begun_us > 0, why);
        goes_on = !status && !(wires_remote_done(self, what) && wires_local_done(self, what));
        if (goes_on && !rest(self, &patience)) {
            status = KP_ETIMEOUT;
            why->processor = wires_remote_awaited(self);
            if (why->processor < 0)
                why->processor = wires_local_awaited(self);
        } else if (goes_on && patience.sleep_us > SHORTEST_US) {
            const int processor = lost(self, &patience);
            if (processor >= 0) {
                status = KP_ELOST;
                why->processor = processor;
            }
        }
    }
    wires_let_go(self);
    if (status)
        cancel(self);
    return status;
}

const struct kp_wire wires_functions = {
    .begin = begin,
    .wait = wait_for,
    .give_up = give_up,
    .leave = leave,
};
