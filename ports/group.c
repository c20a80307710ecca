/* Makes and frees groups. A group has one member for each of its processors, and a part that all
 * members share. Two calls with the same list of processors get the same group. A copy of a group
 * (kp_group_dup) is found by the number of the group and that of the copy, which each member
 * counts.
 *
 * Where members share memory, none waits for another here. The first member that asks for a group
 * makes the shared part and all members. The others find the group in the machine's registry. Over
 * a wire each member makes the group for itself, and then waits until all agree on its context
 * (sync/wired.c). */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/machine_data.h"
#include "ports/member.h"
#include "ports/message/messages.h"
#include "ports/request/lane.h"
#include "ports/sync/sync.h"
#include "ports/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *kp_lines(size_t count, size_t bytes)
{
    void *memory;
    if (bytes > 0 && count > SIZE_MAX / bytes) /* untaken: the callers refuse such sizes */
        return NULL;
    return posix_memalign(&memory, KP_LINES_APART, count * bytes) == 0 ? memory : NULL;
}

void *kp_lines_zeroed(size_t count, size_t bytes)
{
    void *memory = kp_lines(count, bytes);
    return memory ? memset(memory, 0, count * bytes) : NULL;
}

void kp_lines_touch(void *memory, size_t bytes)
{
#if defined(__linux__) && defined(MADV_POPULATE_WRITE)
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (size_t)(uintptr_t)memory % page;
    /* A system that cannot do this gives the pages when they are first used. */
    (void)madvise((char *)memory - before, bytes + before, MADV_POPULATE_WRITE);
#else
    (void)memory, (void)bytes;
#endif
}

void kp_rows_leave(void *memory, size_t bytes)
{
#if defined(__linux__) && defined(MADV_NOHUGEPAGE)
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (size_t)(uintptr_t)memory % page;
    const size_t skipped = before > 0 ? page - before : 0;
    if (!kp_has_several_nodes() || bytes < skipped + page)
        return;
    char *first = (char *)memory + skipped;
    const size_t whole = (bytes - skipped) / page * page;
    /* A huge page would have the rows of many members, all on the node of one. A system that
     * refuses, as for locked memory, leaves the pages where they are. */
    (void)madvise(first, whole, MADV_NOHUGEPAGE);
    (void)madvise(first, whole, MADV_DONTNEED);
#else
    (void)memory, (void)bytes;
#endif
}

/* Returns how often a fiber looks while it waits. If its worker has no other fiber, the fiber looks
 * as often as a thread: a worker that finds a change must first make the fiber ready. With a seed
 * it never looks, because the order must not depend on the time that another fiber takes. */
static int looks_of_fiber(const struct kp_machine_config *config)
{
    const bool looks = config->seed == 0 && !kp_threads_are_shared(config);
    return looks ? kp_looks_of(config->wait).spins : 0;
}

static void member_init(struct kp_shared *shared, int rank)
{
    struct kp_group *member = &shared->members[rank];
    const kp_machine *machine = shared->machine;
    member->shared = shared;
    member->number = shared->number;
    member->rank = rank;
    if (machine->carrier->wait)
        member->waiter.spins = looks_of_fiber(&machine->config);
    else
        member->waiter = kp_looks_of(machine->config.wait);
    member->waiter.parking = machine->carrier->parking;
    member->waiter.unparked = machine->carrier->unparked;
    member->waiter.limit_ms = machine->config.time_limit_ms;
    member->waiter.waiting_member = member;
}

struct kp_counters kp_first_counters;

static void drop_attachment(kp_group *member)
{
    if (member->attachment.free)
        member->attachment.free(member->attachment.data);
    member->attachment = (struct kp_attachment){.data = NULL};
}

void kp_shared_forget_failed(struct kp_shared *shared)
{
    bool alike = true;
    for (int i = 0; i < shared->size; i++) {
        const struct kp_group *member = &shared->members[i];
        const kp_proc *proc = &shared->machine->procs[shared->processors[i]];
        alike = alike && !member->dead && !proc->failed && !kp_proc_is_inside(proc) &&
                member->calls == shared->members[0].calls;
    }
    for (int i = 0; i < shared->size && !alike; i++)
        drop_attachment(&shared->members[i]);
}

void kp_shared_reset(struct kp_shared *shared)
{
    const struct kp_counters first = kp_first_counters;
    atomic_store_explicit(&shared->lent, 0, KP_ORDER_WITHIN_EPISODE);
    atomic_store_explicit(&shared->invalid, 0, KP_ORDER_WITHIN_EPISODE);
    for (int i = 0; i < KP_BESIDE; i++)
        atomic_store_explicit(&shared->beside[i], 0, KP_ORDER_WITHIN_EPISODE);
    for (int i = 0; i < KP_GENERATIONS; i++)
        atomic_store_explicit(&shared->readers[i], 0, KP_ORDER_RESET);
    for (int i = 0; i < shared->size; i++) {
        struct kp_group *member = &shared->members[i];
        member->seen = first.words;
        member->episodes = first.episodes;
        member->lent = 0; /* a failed run may have left different values at the members */
        member->dead = member->has_late = false;
        member->published.started = (struct kp_site){.line = 0};
        member->within = false;
        member->calls = 0;
        member->copies = 0;
        member->since = 0;
        member->published.plain = (struct kp_call){0};
        member->published.call = &member->published.plain;
        member->published.refused = NULL;
        atomic_store_explicit(&member->published.episodes, first.episodes, KP_ORDER_WITHIN_EPISODE);
        kp_exchange_free(member); /* its slots have old episode numbers */
    }
    kp_sync_reset(shared);
    kp_trace_members_reset(shared);
    shared->failed = false;
    shared->told = 0;
}

int kp_shared_create(kp_machine *machine, const int *processors, int count,
                     struct kp_shared *lane_of, struct kp_shared **made)
{
    struct kp_shared *shared = kp_lines_zeroed(1, sizeof *shared);
    if (!shared)
        goto no_memory;
    shared->machine = machine;
    shared->lane_of = lane_of;
    shared->size = count;
    shared->ports = count == 1 ? 1 : machine->k < count - 1 ? machine->k : count - 1;
    shared->number = kp_handle_number();
    shared->processors = malloc((size_t)count * sizeof *processors);
    shared->members =
        kp_handle_memory((size_t)count, sizeof *shared->members, &shared->members_block);
    if (!shared->processors || !shared->members)
        goto no_memory;
    for (int i = 0; i < count; i++) {
        shared->processors[i] = processors ? processors[i] : i;
        member_init(shared, i);
    }
    shared->generation.of = shared->pair[0].of = shared->pair[1].of = shared;
    kp_sync_choose(shared);
    if (!kp_eager_make(shared) || kp_sync_make(shared) || !kp_trace_members_make(shared))
        goto no_memory;
    kp_shared_reset(shared);
    *made = shared;
    return KP_OK;

no_memory:;
    size_t buffer = shared ? shared->buffer_bytes : 0;
    kp_shared_free(shared);
    return kp_set_error(KP_EMEMORY,
                        "no memory for a group of %d processors with eager buffers of %zu bytes",
                        count, buffer);
}

void kp_shared_free(struct kp_shared *shared)
{
    if (!shared)
        return;
    kp_lanes_free(shared);
    for (int i = 0; shared->members && i < shared->size; i++) {
        struct kp_group *member = &shared->members[i];
        drop_attachment(member);
        kp_exchange_free(member);
    }
    kp_sync_free(shared);
    free(shared->traces);
    free(shared->members_block);
    kp_eager_free(shared);
    free(shared->processors);
    free(shared);
}

/* --- The registry: the machine's list of groups. The callers hold the machine's lock. --- */

/* What a member asks for: the group of a list of processors, or a copy of a group. */
struct asked {
    const int *processors;
    int count, rank;           /* the caller's rank */
    uint64_t original, number; /* the number of the group that is copied, and of the copy; or 0 */
};

static struct kp_shared *find(const kp_machine *machine, const struct asked *asked)
{
    for (struct kp_shared *s = machine->groups; s; s = s->next) {
        if (s != machine->world && !s->lane_of && s->size == asked->count &&
            s->original == asked->original && s->copy == asked->number &&
            memcmp(s->processors, asked->processors,
                   (size_t)asked->count * sizeof *asked->processors) == 0)
            return s;
    }
    return NULL;
}

void kp_shared_settle(struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++) {
        if (kp_exchange_end(&shared->members[i]) || kp_messages_left(&shared->members[i]))
            kp_first_failure(shared->machine, kp_error_slot());
    }
    if (kp_mail_differs(shared))
        kp_first_failure(shared->machine, kp_error_slot());
}

void kp_shared_unregister(struct kp_shared *shared)
{
    struct kp_shared **link = &shared->machine->groups;
    while (*link && *link != shared)
        link = &(*link)->next;
    if (*link)
        *link = shared->next;
    for (int i = 0; shared->lane_of && i < KP_LANES; i++) {
        if (shared->lane_of->lanes[i] == shared)
            shared->lane_of->lanes[i] = NULL;
    }
    kp_shared_free(shared);
}

/* Removes a group after its last handle has been freed. */
static void forget(struct kp_shared *shared)
{
    kp_shared_settle(shared);
    kp_shared_unregister(shared);
}

/* Makes a new group fail if one of its processors has ended, so that no member waits in vain. */
static void fail_if_incomplete(struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++) {
        const kp_proc *member = &shared->machine->procs[shared->processors[i]];
        if (member->failed ||
            atomic_load_explicit(&member->state, KP_ORDER_STATE) == KP_PROC_ENDED) {
            kp_sync_fail(shared, &member->end);
            return;
        }
    }
}

void kp_shared_register(struct kp_shared *shared)
{
    kp_machine *machine = shared->machine;
    shared->next = machine->groups;
    machine->groups = shared;
    fail_if_incomplete(shared);
}

static int take_member(kp_proc *self, const struct asked *asked, kp_group **group)
{
    kp_machine *machine = self->machine;
    struct kp_shared *shared = find(machine, asked);
    if (!shared) {
        int status = kp_shared_create(machine, asked->processors, asked->count, NULL, &shared);
        if (status)
            return status;
        shared->original = asked->original;
        shared->copy = asked->number;
        kp_shared_register(shared);
    }
    struct kp_group *member = &shared->members[asked->rank];
    member->self = self;
    if (member->held++ == 0) {
        member->next_held = self->members;
        self->members = member;
    }
    shared->held++;
    *group = member;
    return KP_OK;
}

/* Checks a list of processors. Returns the caller's position in it, or the error's status. */
static int find_rank(const kp_proc *self, const int *processors, int count)
{
    int n = self->machine->n, rank = -1;
    unsigned char *seen = calloc((size_t)n, 1);
    if (!seen)
        return kp_set_error(KP_EMEMORY, "no memory to check a list of %d processors", count);
    int status = KP_OK;
    for (int i = 0; i < count && !status; i++) {
        int p = processors[i];
        if (p < 0 || p >= n)
            status =
                kp_set_error(KP_EARGUMENT, "processors[%d] is %d; it may be 0 ... %d", i, p, n - 1);
        else if (seen[p]++)
            status = kp_set_error(KP_EARGUMENT,
                                  "processors[%d] is %d, which stands in the list "
                                  "already; each may stand there once",
                                  i, p);
        else if (p == self->number)
            rank = i;
    }
    free(seen);
    if (!status && rank < 0)
        status = kp_set_error(KP_EARGUMENT,
                              "the list of %d processors lacks the caller, %d; it has to "
                              "be one of them",
                              count, self->number);
    return status ? status : rank;
}

/* Makes the processor forget the member. Also empties its tables of known members and plans,
 * because some plans may belong to this member. */
static void let_go(kp_proc *self, kp_group *member)
{
    kp_group **link = &self->members;
    while (*link != member)
        link = &(*link)->next_held;
    *link = member->next_held;
    member->self = NULL;
    memset(self->known_members, 0, sizeof self->known_members);
    memset(self->known_plans, 0, sizeof self->known_plans);
}

/* Gives a handle back. */
static void release(kp_group *group)
{
    struct kp_shared *shared = group->shared;
    kp_machine *machine = shared->machine;
    pthread_mutex_lock(&machine->lock);
    if (--group->held == 0)
        let_go(group->self, group);
    /* If members have still to receive messages, the group stays in the registry. */
    if (--shared->held == 0 && kp_mail_is_settled(shared) && kp_messages_are_settled(shared))
        forget(shared);
    pthread_mutex_unlock(&machine->lock);
}

/* Agrees on the group with its other members, which share no memory with this one. */
static int agree(kp_group **group)
{
    int status = kp_wired_agree(*group);
    kp_error_record kept = *kp_error_slot();
    if (!status)
        return KP_OK;
    release(*group);
    *group = NULL;
    *kp_error_slot() = kept;
    return status;
}

static void describe_making(const void *subject, char *text, size_t size)
{
    const int *count = subject;
    snprintf(text, size, "kp_group_create of %d processors", *count);
}

/* Takes a handle of the group, and ends the call, which began with the error `status` or 0. `call`
 * is its name. */
static int take_handle(kp_proc *self, int status, const char *call, const struct asked *asked,
                       kp_group **group)
{
    if (!status) {
        pthread_mutex_lock(&self->machine->lock);
        status = take_member(self, asked, group);
        pthread_mutex_unlock(&self->machine->lock);
        if (!status && kp_is_wired(*group))
            status = agree(group);
    }
    if (status)
        kp_proc_keep_error(self);
    /* Other members may wait for this one, which knows them only if its list is valid. Seldom
     * taken: the world fails meanwhile. */
    if (status && kp_is_wired(self->world) && !self->world->shared->failed)
        status = kp_wired_refuse(self->world, describe_making, &asked->count);
    else if (status)
        kp_proc_say_call(self, call);
    return kp_member_leave(self->world, status);
}

int kp_group_create(kp_proc *self, const int *processors, int count, kp_group **group)
{
    if (self != kp_carried() || !self)
        return kp_refuse_proc(self);
    int status = kp_member_enter(self->world);
    if (status)
        return status;
    struct asked asked = {.processors = processors, .count = count};
    if (!processors || !group) {
        status = kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s",
                              processors ? "group" : "processors",
                              processors ? "where the handle goes" : "the members' numbers");
    } else if (count < 1 || count > self->machine->n) {
        status =
            kp_set_error(KP_EARGUMENT, "count is %d; it may be 1 ... %d", count, self->machine->n);
    } else {
        asked.rank = find_rank(self, processors, count);
        status = asked.rank < 0 ? asked.rank : KP_OK;
    }
    return take_handle(self, status, "kp_group_create", &asked, group);
}

int kp_group_dup(kp_group *group, kp_group **copy)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    const struct kp_shared *shared = group->shared;
    const struct asked asked = {.processors = shared->processors,
                                .count = shared->size,
                                .rank = group->rank,
                                .original = shared->number,
                                .number = group->copies + 1};
    if (!copy)
        status = kp_set_error(KP_EARGUMENT, "copy is NULL; it must be where the handle goes");
    status = take_handle(group->self, status, "kp_group_dup", &asked, copy);
    group->copies += status == KP_OK;
    return status;
}

/* --- Members as handles --- */

bool kp_member_is_held(const kp_proc *self, const kp_group *member)
{
    const kp_group *held = member == self->world ? member : self->members;
    while (held && held != member)
        held = held->next_held;
    return held;
}

int kp_member_look(const kp_group *member)
{
    kp_proc *self = kp_carried();
    if (kp_member_is_known(self, member))
        return KP_OK;
    if (!self || !member || !kp_member_is_held(self, member))
        return kp_refuse_member(member);
    *kp_known_slot(self->known_members, member) = member;
    return KP_OK;
}

/* Frees a handle of the caller's. Returns 0, or the status of an error that is set. */
static int free_handle(kp_group *group)
{
    const kp_machine *machine = group->shared->machine;
    if (group->shared == machine->world)
        return kp_set_error(KP_EARGUMENT, "the group is the world, which belongs to the machine; "
                                          "it may be one that kp_group_create made");
    if (machine->forks != kp_fork_count())
        return kp_set_error(KP_EFAILED, "the machine belongs to the parent of this process; after "
                                        "a fork the child may make its own");
    kp_progress_take(group->self);
    const bool busy = kp_lanes_busy(group);
    kp_progress_lend(group->self);
    if (busy)
        return kp_set_error(KP_EBUSY,
                            "the group has a request; it may be freed when all its requests have "
                            "been waited for");
    release(group);
    return KP_OK;
}

int kp_group_free(kp_group *group)
{
    kp_proc *self = kp_carried();
    int status = group ? kp_member_look(group) : KP_OK;
    if (status)
        return status;
    /* The unfinished call may be a call of this group. */
    if (group && group->shared->machine->forks == kp_fork_count() && kp_proc_is_inside(self))
        return kp_proc_jumped(self);
    if (self)
        kp_proc_come_back(self);
    const bool placed = self && kp_proc_take_site(self);
    if (placed)
        atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    status = group ? free_handle(group) : KP_OK;
    if (status) {
        kp_proc_keep_error(self);
        kp_proc_say_call(self, "kp_group_free");
    }
    return status;
}

int kp_rank(const kp_group *group)
{
    return kp_member_look(group) ? -1 : group->rank;
}

int kp_size(const kp_group *group)
{
    return kp_member_look(group) ? -1 : group->shared->size;
}

int kp_ports(const kp_group *group)
{
    return kp_member_look(group) ? -1 : group->shared->ports;
}

int kp_group_processor(const kp_group *group, int rank)
{
    return kp_member_look(group) ? -1 : kp_member_processor(group, rank);
}

kp_proc *kp_group_self(const kp_group *group)
{
    return kp_member_look(group) ? NULL : group->self;
}

/* --- For lib/, which calls these functions within a call of the member --- */

int kp_port_rank(const kp_group *member)
{
    return member->rank;
}

int kp_port_size(const kp_group *member)
{
    return member->shared->size;
}

int kp_port_ports(const kp_group *member)
{
    return member->shared->ports;
}

int kp_port_processor(const kp_group *member, int rank)
{
    return kp_member_processor(member, rank);
}

struct kp_site kp_port_site(const kp_group *member)
{
    return kp_site_of(member->self);
}
