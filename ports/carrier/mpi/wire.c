#include "ports/carrier/mpi/wires.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Each look fetches cache lines that the sender of a message is about to write. Looks that follow
 * each other at once (MPI_Test in a loop) make a message of 512 bytes between two processes take
 * half as long again, so what a wait does between two looks is no loss.
 *
 * A wait looks SPINS times. Then it yields the core between looks, for YIELDS_US. If each processor
 * has a core, it yields more seldom and for longer, LOOKS_US. In the end it sleeps between looks,
 * for SHORTEST_US at first and for LONGEST_US at last. MPI has no function that sleeps.
 *
 * If threads of this process share a core, what a wait is for may come from one of them. So it
 * looks fewer times before it yields: LOCAL_SPINS if it waits for this process alone, else
 * REMOTE_SPINS. These are more, because an MPI may yield in each look itself, and two yields take
 * longer than one.
 *
 * If the thread carries several processors as fibers, the others run between two looks. It yields
 * or sleeps only if none of them has anything to do. */
#define SPINS        100
#define LOCAL_SPINS  2
#define REMOTE_SPINS 10
#define YIELDS_US    300
#define LOOKS_US     10000
#define SHORTEST_US  50
#define LONGEST_US   1000

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

/* --- Cancelling --- */

/* Counts the messages of a wire that could not be cancelled. */
static void count_held(struct wire *root, const struct wire *self)
{
    const int held = self->receives.count + self->sends.count;
    root->wire.held += held;
    if (held > 0)
        root->wire.held_with = wires_remote_awaited(self);
}

void wires_cancel(struct wire *self)
{
    struct wire *root = self->root;
    wires_local_cancel(self);
    wires_remote_cancel(self);
    for (struct wire *branch = self->branches; branch; branch = branch->next_branch) {
        wires_local_cancel(branch);
        wires_remote_cancel(branch);
    }
    root->wire.held = 0;
    count_held(root, root);
    for (struct wire *branch = root->branches; branch; branch = branch->next_branch)
        count_held(root, branch);
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
    bool had_news;  /* since this one let the other processors of its thread run, it has rested */
    uint64_t around_us; /* when the wait last looked around */
    bool is_long;       /* wires_share_note knows of it */
};

/* What is to be done after a rest. */
enum rested {
    LOOK,
    LOOK_AROUND,
    LATE /* the time limit is over */
};

/* Lets the other processors of the thread run. Returns whether they have anything to do. */
static bool let_others_run(struct wire *self, struct patience *patience)
{
    if (!self->wire.others)
        return false;
    const bool news = patience->looks == 0 || patience->had_news;
    patience->had_news = false;
    return self->wire.others(&self->wire, news);
}

static void sleep_a_little(struct wire *self, struct patience *patience)
{
    if (!self->wire.others && patience->what != KP_WIRE_UNTIL &&
        wires_remote_done(self, patience->what))
        wires_local_sleep(self, patience->what, LONGEST_US);
    else
        wires_sleep_us(patience->sleep_us);
}

/* Returns how often a wait looks before it yields. */
static int spins_of(const struct wire *self, enum kp_wire_what what)
{
    const struct process *process = self->process;
    if (process->own_cores || process->threads == 1)
        return SPINS;
    return wires_remote_done(self, what) ? LOCAL_SPINS : REMOTE_SPINS;
}

/* Waits a little. */
static enum rested rest(struct wire *self, struct patience *patience)
{
    const bool busy = let_others_run(self, patience);
    if (patience->looks++ < spins_of(self, patience->what))
        return LOOK;
    wires_let_go(self);
    const uint64_t now = wires_now_us();
    if (patience->begun_us == 0)
        *patience = (struct patience){.what = patience->what,
                                      .limit_ms = patience->limit_ms,
                                      .looks = patience->looks,
                                      .begun_us = now,
                                      .sleep_us = SHORTEST_US};
    const uint64_t waited = now - patience->begun_us, limit = 1000 * (uint64_t)patience->limit_ms;
    if (limit > 0 && waited >= limit)
        return LATE;
    const bool own_core = self->process->own_cores;
    if (waited < (own_core ? LOOKS_US : YIELDS_US)) {
        patience->had_news = !busy && (!own_core || patience->looks % SPINS == 0);
        if (patience->had_news)
            sched_yield();
        return LOOK;
    }
    if (busy && now - patience->around_us < patience->sleep_us)
        return LOOK;
    patience->around_us = now;
    wires_share_note(self->process, patience->is_long ? 0 : 1);
    patience->is_long = true;
    patience->waited_ms = (unsigned)(waited / 1000);
    wires_look_for_farewell(self->process);
    if (!busy)
        sleep_a_little(self, patience);
    patience->had_news = !busy;
    patience->sleep_us = 2 * patience->sleep_us < LONGEST_US ? 2 * patience->sleep_us : LONGEST_US;
    return LOOK_AROUND;
}

static int lost_by(struct wire *self)
{
    const int processor = wires_remote_lost(self);
    return processor < 0 ? wires_local_lost(self) : processor;
}

/* Returns an awaited processor that has left, or -1. Messages that it sent before may come after
 * its notice, so it is lost only if they have not come for a while. */
static int lost(struct wire *self, struct patience *patience)
{
    int processor = lost_by(self);
    for (struct wire *branch = self->branches; branch && processor < 0;
         branch = branch->next_branch)
        processor = lost_by(branch);
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

static bool is_done(struct wire *self, enum kp_wire_what what)
{
    return what != KP_WIRE_UNTIL && wires_remote_done(self, what) && wires_local_done(self, what);
}

/* Lets the machine do what it has to do beside the wait. Returns whether the wait is over. */
static bool go_on(struct wire *self, enum kp_wire_what what)
{
    wires_let_go(self); /* the machine may use branches of this wire */
    return self->wire.go_on(&self->wire) && what == KP_WIRE_UNTIL;
}

/* Looks what is done. Stores whether the wait is over, and returns the status of an error. */
static inline int look(struct wire *self, enum kp_wire_what what, bool waits, bool *over,
                       kp_error_record *why)
{
    int status = KP_OK;
    if (wires_is_broken(self->process))
        status = wires_why_broken(self->process, why);
    else if (what != KP_WIRE_UNTIL)
        status = wires_remote_test(self, what, waits, why);
    *over = status || is_done(self, what);
    return status;
}

/* Ends a wait that the first look has not ended, or one that failed with `status`. This is a
 * function of its own, so that a wait which the first look ends saves no registers for it. */
__attribute__((noinline)) static int wait_on(struct wire *self, enum kp_wire_what what,
                                             unsigned limit_ms, int status, kp_error_record *why)
{
    struct patience patience = {.what = what, .limit_ms = limit_ms};
    if (self->process->share)
        wires_share_leave(self);
    for (bool over = status; !over && !(self->wire.go_on && go_on(self, what));) {
        const enum rested rested = rest(self, &patience);
        if (rested == LATE)
            status = late(self, why);
        else if (rested == LOOK_AROUND)
            status = look_around(self, &patience, why);
        /* A thread that has waited for long no longer leaves the MPI lock to others. */
        over = status != KP_OK;
        if (!over)
            status = look(self, what, patience.begun_us > 0, &over, why);
    }
    wires_let_go(self);
    if (patience.is_long)
        wires_share_note(self->process, -1);
    if (status)
        wires_cancel(self);
    return status;
}

static int wait_for(struct kp_wire *wire, enum kp_wire_what what, unsigned limit_ms,
                    kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    bool over;
    const int status = look(self, what, false, &over, why);
    if (status || !over)
        return wait_on(self, what, limit_ms, status, why);
    wires_let_go(self);
    return KP_OK;
}

static int swap(struct kp_wire *wire, struct kp_wire_message *receive, struct kp_wire_message *send,
                unsigned limit_ms, kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    const int status = wires_is_broken(self->process) ? wires_why_broken(self->process, why)
                                                      : wires_remote_swap(self, receive, send, why);
    return status == KP_OK ? KP_OK
                           : wait_on(self, KP_WIRE_ALL, limit_ms,
                                     status == KP_WIRE_WAITS ? KP_OK : status, why);
}

static int test(struct kp_wire *wire, enum kp_wire_what what, kp_error_record *why)
{
    struct wire *self = (struct wire *)wire;
    int status = wires_is_broken(self->process) ? wires_why_broken(self->process, why) : KP_OK;
    wires_let_go(self);
    status = status ? status : wires_remote_test(self, what, false, why);
    if (status)
        wires_cancel(self);
    return status || is_done(self, what) ? status : KP_WIRE_WAITS;
}

/* --- Branches --- */

static struct kp_wire *branch(struct kp_wire *wire)
{
    struct wire *root = (struct wire *)wire, *made = root->spare_branches;
    if (made) {
        root->spare_branches = made->next_branch;
    } else {
        if (!(made = calloc(1, sizeof *made)))
            return NULL;
        made->wire = (struct kp_wire){.processor = root->wire.processor,
                                      .most_tag = root->wire.most_tag,
                                      .lone_bits = root->wire.lone_bits,
                                      .begin = wires_begin,
                                      .test = test,
                                      .awaited = all_awaited};
        made->process = root->process;
        made->root = root;
        made->local = root->local;
        pthread_mutex_init(&made->lock, NULL);
        pthread_cond_init(&made->woken, NULL);
    }
    made->next_branch = root->branches;
    root->branches = made;
    return &made->wire;
}

static void join(struct kp_wire *wire, struct kp_wire *branch)
{
    struct wire *root = (struct wire *)wire, **link = &root->branches;
    while (&(*link)->wire != branch)
        link = &(*link)->next_branch;
    struct wire *joined = *link;
    *link = joined->next_branch;
    joined->next_branch = root->spare_branches;
    root->spare_branches = joined;
}

static bool done(struct wire *self)
{
    kp_error_record ignored;
    (void)wires_remote_test(self, KP_WIRE_ALL, true, &ignored);
    return wires_remote_done(self, KP_WIRE_ALL);
}

bool wires_all_done(struct wire *self)
{
    bool all = done(self);
    for (struct wire *branch = self->branches; branch; branch = branch->next_branch)
        all = done(branch) && all;
    for (struct wire *branch = self->spare_branches; branch; branch = branch->next_branch)
        all = done(branch) && all;
    return all;
}

static void free_list(struct wire *branch)
{
    for (struct wire *next; branch; branch = next) {
        next = branch->next_branch;
        wires_free(branch);
        free(branch);
    }
}

void wires_free_branches(struct wire *self)
{
    free_list(self->branches);
    free_list(self->spare_branches);
}

const struct kp_wire wires_functions = {
    .begin = wires_begin,
    .wait = wait_for,
    .swap = swap,
    .give_up = wires_give_up,
    .leave = wires_leave_run,
    .has_ended = wires_has_ended,
    .notify = wires_notify,
    .hear = wires_hear,
    .awaited = all_awaited,
    .test = test,
    .branch = branch,
    .join = join,
    .post = wires_post,
    .take = wires_take,
    .is_gone = wires_is_gone,
};
