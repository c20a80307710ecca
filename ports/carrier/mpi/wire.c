#include "ports/carrier/mpi/wires.h"

#include <sched.h>
#include <time.h>

/* Each look fetches cache lines that the sender of a message is about to write. Looks that follow
 * each other at once (MPI_Test in a loop) make a message of 512 bytes between two processes take
 * half as long again, so what a wait does between two looks is no loss.
 *
 * A wait looks SPINS times. Then it yields the core between looks, for YIELDS_US. If each processor
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

/* Returns whether one of the messages is so long that it does not go at once. */
static bool any_long(const struct kp_wire_message *messages, int count)
{
    int i = 0;
    while (i < count && messages[i].length <= AT_ONCE_MOST)
        i++;
    return i < count;
}

static int begin(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                 struct kp_wire_message *sends, int send_count)
{
    struct wire *self = (struct wire *)wire;
    /* A process that has given up may soon free the long message that it was sending, and receives
     * nothing. So a processor looks whether somebody has given up before it begins to receive or to
     * send a long message. */
    if (!self->holds && (any_long(receives, receive_count) || any_long(sends, send_count)))
        wires_look_for_farewell(self->process);
    if (wires_is_broken(self->process))
        return KP_OK; /* the wait returns the error */
    int status = wires_remote_begin(self, receives, receive_count, sends, send_count);
    status = status ? status : begin_local(self, receives, receive_count, false);
    return status ? status : begin_local(self, sends, send_count, true);
}

void wires_cancel(struct wire *self)
{
    wires_local_cancel(self);
    wires_remote_cancel(self);
}

static int all_awaited(struct kp_wire *wire, int *processors, int most)
{
    struct wire *self = (struct wire *)wire;
    const int local = wires_local_awaited(self);
    int count = wires_remote_list(self, processors, most);
    if (local >= 0 && count < most)
        processors[count++] = local;
    return count;
}

/* --- Waiting --- */

struct patience {
    enum kp_wire_what what;
    unsigned limit_ms;
    int looks;
    uint64_t begun_us; /* when the spinning ended */
    unsigned sleep_us;
    unsigned waited_ms;
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
            (struct patience){patience->what, patience->limit_ms, SPINS, now, SHORTEST_US, 0, 0};
    const uint64_t waited = now - patience->begun_us, limit = 1000 * (uint64_t)patience->limit_ms;
    if (limit > 0 && waited >= limit)
        return false;
    const bool own_core = self->process->own_cores;
    if (waited < (own_core ? LOOKS_US : YIELDS_US)) {
        if (!own_core || patience->looks % SPINS == 0)
            sched_yield();
        return true;
    }
    patience->waited_ms = (unsigned)(waited / 1000);
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

/* Looks what a long wait is for. Returns the status of the error that it finds, or 0. */
static int look_around(struct wire *self, struct patience *patience, kp_error_record *why)
{
    const int processor = lost(self, patience);
    if (processor >= 0) {
        why->processor = processor;
        return KP_ELOST;
    }
    const bool watches = patience->sleep_us == LONGEST_US && self->wire.watch;
    return watches ? self->wire.watch(&self->wire, patience->waited_ms, why) : KP_OK;
}

static int late(struct wire *self, kp_error_record *why)
{
    why->processor = wires_remote_awaited(self);
    if (why->processor < 0)
        why->processor = wires_local_awaited(self);
    return KP_ETIMEOUT;
}

static int wait_for(struct kp_wire *wire, enum kp_wire_what what, unsigned limit_ms,
                    kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    struct patience patience = {.what = what, .limit_ms = limit_ms};
    int status = KP_OK;
    for (bool goes_on = true; goes_on && !status;) {
        if (wires_is_broken(self->process)) {
            status = wires_why_broken(self->process, why);
            break;
        }
        /* A thread that has waited for long no longer leaves the MPI lock to others. */
        status = wires_remote_test(self, what, patience.begun_us > 0, why);
        goes_on = !status && !(wires_remote_done(self, what) && wires_local_done(self, what));
        if (goes_on && !rest(self, &patience))
            status = late(self, why);
        else if (goes_on && patience.sleep_us > SHORTEST_US)
            status = look_around(self, &patience, why);
    }
    wires_let_go(self);
    if (status)
        wires_cancel(self);
    return status;
}

const struct kp_wire wires_functions = {
    .begin = begin,
    .wait = wait_for,
    .give_up = wires_give_up,
    .leave = wires_leave_run,
    .has_ended = wires_has_ended,
    .notify = wires_notify,
    .hear = wires_hear,
    .awaited = all_awaited,
};
