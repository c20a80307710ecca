/* What processors tell each other beside their messages: that one gives up, that one leaves a run,
 * and notices of those that wait. All of this goes by the tag of farewells, to processes. Also the
 * end of the wires, which receives what is left. */
#include "ports/carrier/mpi/wires.h"

#include <stdlib.h>
#include <string.h>

/* A processor whose machine ends has left as often as this. */
#define FOR_EVER UINT32_MAX

/* The longest time for which a machine waits at its end, or at the end of a run, for the other
 * processes. */
#define LAST_US 60000000

/* The longest time for which a failed machine settles. */
#define DRAIN_US 2000000

#define SHORTEST_US 50
#define LONGEST_US  1000

/* What comes by the tag of farewells. Its length says which it is. */
union said {
    kp_error_record why;
    struct leaving leaving;
    struct told told;
};
_Static_assert(sizeof(kp_error_record) != sizeof(struct leaving) &&
                   sizeof(kp_error_record) != sizeof(struct told) &&
                   sizeof(struct leaving) != sizeof(struct told),
               "what is said is told apart by its length");

/* --- The notices that have come to a processor --- */

/* A newer notice of a processor takes the place of its older one of the same kind. */
static void put(struct wire *to, const struct kp_wire_notice *notice)
{
    pthread_mutex_lock(&to->lock);
    struct heard **link = &to->heard;
    while (*link &&
           ((*link)->notice.processor != notice->processor || (*link)->notice.kind != notice->kind))
        link = &(*link)->next;
    struct heard *heard = *link ? *link : malloc(sizeof *heard);
    if (heard) {
        *heard = (struct heard){*link ? heard->next : NULL, *notice};
        *link = heard;
        atomic_store_explicit(&to->has_heard, true, KP_ORDER_UNLOCKED);
    }
    pthread_mutex_unlock(&to->lock);
}

static bool take(struct wire *self, struct kp_wire_notice *notice)
{
    if (!atomic_load_explicit(&self->has_heard, KP_ORDER_UNLOCKED))
        return false;
    pthread_mutex_lock(&self->lock);
    struct heard *heard = self->heard;
    if (heard)
        self->heard = heard->next;
    atomic_store_explicit(&self->has_heard, self->heard != NULL, KP_ORDER_UNLOCKED);
    pthread_mutex_unlock(&self->lock);
    if (heard)
        *notice = heard->notice;
    free(heard);
    return heard;
}

bool wires_hear(struct kp_wire *wire, unsigned limit_us, struct kp_wire_notice *notice)
{
    struct wire *self = (struct wire *)wire;
    const uint64_t begun = limit_us > 0 ? wires_now_us() : 0;
    wires_look_for_farewell(self->process);
    while (!take(self, notice)) {
        if (limit_us == 0 || wires_now_us() - begun >= limit_us)
            return false;
        if (wire->others)
            (void)wire->others(wire, true);
        wires_sleep_us(SHORTEST_US);
        wires_look_for_farewell(self->process);
    }
    return true;
}

/* A synchronous send is done when its receiver has begun to receive it. So at most one notice to
 * each process is under way, however long that process does not listen. */
bool wires_notify(struct kp_wire *wire, int to, const struct kp_wire_notice *notice)
{
    struct wire *self = (struct wire *)wire;
    const struct process *process = self->process;
    const int rank = to / process->per_process;
    struct telling *telling = &self->tellings[rank];
    int done = 0;
    if (rank == process->rank) {
        put(&process->own[to % process->per_process], notice);
        return true;
    }
    (void)wires_enter(process, true);
    if (!PMPI_Test(&telling->request, &done, MPI_STATUS_IGNORE) && done) {
        telling->told = (struct told){to, *notice};
        done = !PMPI_Issend(&telling->told, sizeof telling->told, MPI_BYTE, rank,
                            process->farewell_tag, process->comm, &telling->request);
    }
    wires_leave(process);
    return done;
}

static bool notices_sent(struct wire *self)
{
    bool all = true;
    (void)wires_enter(self->process, true);
    for (int i = 0; i < self->process->size; i++) {
        int done = 1;
        all = !PMPI_Test(&self->tellings[i].request, &done, MPI_STATUS_IGNORE) && done && all;
    }
    wires_leave(self->process);
    return all;
}

/* --- Leaving --- */

/* Keeps the larger number, because two threads may have received what one processor said. */
static void has_left(struct process *process, const struct leaving *leaving)
{
    pthread_mutex_lock(&process->lock);
    _Atomic uint32_t *known = &process->leaves[leaving->processor];
    if (atomic_load_explicit(known, KP_ORDER_UNLOCKED) < leaving->leaves) {
        if (leaving->leaves != FOR_EVER)
            process->ends[leaving->processor][leaving->leaves % 2] = leaving->end;
        process->packets.due[leaving->processor] = leaving->packets;
        atomic_store_explicit(known, leaving->leaves, KP_ORDER_UNLOCKED);
    }
    pthread_mutex_unlock(&process->lock);
}

/* Receives one message of the tag of farewells. The message is matched and received in two steps
 * that belong together, so several threads may look at once. Returns whether there was one. */
static bool receive_farewell(struct process *process)
{
    union said said;
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
    if (found && length == sizeof said.leaving) {
        has_left(process, &said.leaving);
    } else if (found && length == sizeof said.told) {
        put(&process->own[said.told.to % process->per_process], &said.told.notice);
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
           self->root->leaves;
}

bool wires_has_ended(struct kp_wire *wire, int processor, uint64_t run, struct kp_wire_end *end)
{
    struct process *process = ((struct wire *)wire)->process;
    pthread_mutex_lock(&process->lock);
    const bool ended = atomic_load_explicit(&process->leaves[processor], KP_ORDER_UNLOCKED) >= run;
    *end = process->ends[processor][run % 2];
    pthread_mutex_unlock(&process->lock);
    return ended;
}

void wires_await_notices(struct wire *self)
{
    for (int i = 0; i < self->process->size; i++)
        (void)PMPI_Wait(&self->notices[i], MPI_STATUS_IGNORE);
}

/* Before it leaves, a processor receives what others have said. So no more than a run's notices are
 * ever under way. */
static void leave_as(struct wire *self, uint32_t leaves, struct kp_wire_end end)
{
    struct process *process = self->process;
    wires_look_for_farewell(process);
    (void)wires_enter(process, true);
    wires_await_notices(self);
    self->leaves = leaves;
    for (int i = 0; i < process->size; i++) {
        struct leaving *leaving = &self->leavings[i];
        *leaving =
            (struct leaving){(uint32_t)self->wire.processor, leaves, self->packets_out[i], end};
        if (i != process->rank)
            (void)PMPI_Isend(leaving, sizeof *leaving, MPI_BYTE, i, process->farewell_tag,
                             process->comm, &self->notices[i]);
    }
    wires_leave(process);
    has_left(process, &self->leavings[process->rank]);
}

void wires_leave_run(struct kp_wire *wire, const struct kp_wire_end *end)
{
    struct wire *self = (struct wire *)wire;
    wires_let_go(self);
    leave_as(self, self->leaves + 1, *end);
}

/* Returns whether all processors have left as often as those of this process. */
static bool all_have_left(const struct process *process)
{
    uint32_t own = FOR_EVER;
    for (int i = 0; i < process->per_process; i++)
        own = process->own[i].leaves < own ? process->own[i].leaves : own;
    for (int i = 0; i < process->wires.processors; i++)
        if (atomic_load_explicit(&process->leaves[i], KP_ORDER_UNLOCKED) < own)
            return false;
    return true;
}

/* Returns whether all packets have come that the processors had posted when they left. */
static bool all_packets_are_in(struct process *process)
{
    int i = 0;
    wires_packets_receive(process);
    while (i < process->wires.processors && wires_packets_are_in(process, i))
        i++;
    return i == process->wires.processors;
}

int wires_await_ends(struct kp_wires *wires, kp_error_record *why)
{
    struct process *process = (struct process *)wires;
    unsigned sleep_us = SHORTEST_US;
    for (const uint64_t begun = wires_now_us();; wires_sleep_us(sleep_us)) {
        wires_look_for_farewell(process);
        if (wires_is_broken(process))
            return wires_why_broken(process, why);
        if ((all_have_left(process) && all_packets_are_in(process)) ||
            wires_now_us() - begun > LAST_US)
            return KP_OK;
        sleep_us = 2 * sleep_us < LONGEST_US ? 2 * sleep_us : LONGEST_US;
    }
}

/* --- Giving up --- */

int wires_why_broken(struct process *process, kp_error_record *why)
{
    pthread_mutex_lock(&process->lock);
    *why = process->why;
    pthread_mutex_unlock(&process->lock);
    return why->status;
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

void wires_give_up(struct kp_wire *wire, const kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    wires_let_go(self);
    /* The process that gave up first has told all processes. */
    if (wires_break(self->process, why))
        tell_others(self->process);
    wires_cancel(self);
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

/* Only one thread drops at a time, because the message that is being dropped is the process's. */
bool wires_drop(struct process *process)
{
    struct dropping *dropping = &process->dropping;
    MPI_Message message;
    MPI_Status status;
    int found = 0, length = 0, over = 0;
    pthread_mutex_lock(&dropping->lock);
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
    wires_leave(process);
    pthread_mutex_unlock(&dropping->lock);
    return found || !over;
}

/* --- The end --- */

/* Drops what comes. When this process is `done`, takes part in a barrier of all processes, and
 * returns whether it is over: then all processes have sent all their messages. */
static bool drop_all(struct process *process, bool done, MPI_Request *barrier)
{
    int over = 0;
    const bool dropped = wires_drop(process);
    if (!done)
        return false;
    (void)wires_enter(process, true);
    if (*barrier == MPI_REQUEST_NULL)
        (void)PMPI_Ibarrier(process->comm, barrier);
    if (!dropped)
        (void)PMPI_Test(barrier, &over, MPI_STATUS_IGNORE);
    wires_leave(process);
    return over;
}

/* Returns whether all processors have left for ever, so that nothing more comes. Drops what nobody
 * has received. If a message were left at the end of the communicator, it would be taken for one of
 * the next communicator, which may have the same number in MPI. */
static bool nothing_comes(struct process *process)
{
    wires_look_for_farewell(process);
    return all_have_left(process) && !wires_drop(process);
}

bool wires_drain(struct process *process)
{
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (int i = 0; i < process->per_process; i++)
        leave_as(&process->own[i], FOR_EVER, (struct kp_wire_end){0});
    for (const uint64_t begun = wires_now_us();; wires_sleep_us(SHORTEST_US)) {
        bool done = farewells_done(process);
        for (int i = 0; i < process->per_process; i++) {
            done = wires_all_done(&process->own[i]) && wires_packets_sent(&process->own[i]) &&
                   notices_sent(&process->own[i]) && done;
        }
        const bool is_broken = wires_is_broken(process);
        process->all_settled =
            is_broken ? drop_all(process, done, &barrier) : done && nothing_comes(process);
        if (process->all_settled || wires_now_us() - begun > (is_broken ? DRAIN_US : LAST_US))
            return done;
    }
}
