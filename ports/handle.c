/* The table of live objects in this process, and the errors for handles whose object has ended or
 * belongs to another thread (handle.h). */
#include "ports/handle.h"

#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/face.h"
#include "ports/machine_data.h"
#include "ports/member.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256 /* a power of two */
#define STARTS  16  /* possible addresses of an object in its block, a cache line apart */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kp_live *buckets[BUCKETS];
static _Atomic uint64_t numbers, made;

/* --- The table --- */

void kp_live_lock(void)
{
    pthread_mutex_lock(&lock);
}

void kp_live_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static struct kp_live **bucket_of(const void *handle)
{
    uint64_t line = (uintptr_t)handle / KP_CACHE_LINE;
    return &buckets[(line ^ line >> 8) & (BUCKETS - 1)];
}

static struct kp_live **find(const void *handle, enum kp_live_kind kind)
{
    struct kp_live **link = bucket_of(handle);
    /* seldom taken: only if the address was a handle of another kind */
    while (*link && ((*link)->handle != handle || (*link)->kind != kind))
        link = &(*link)->next;
    return link;
}

void kp_live_add(struct kp_live *entry, const void *handle, enum kp_live_kind kind)
{
    struct kp_live **bucket = bucket_of(handle);
    *entry = (struct kp_live){*bucket, handle, kind};
    *bucket = entry;
}

bool kp_live_has(const void *handle, enum kp_live_kind kind)
{
    return *find(handle, kind) != NULL;
}

void kp_live_remove(struct kp_live *entry)
{
    *find(entry->handle, entry->kind) = entry->next;
}

uint64_t kp_handle_number(void)
{
    return atomic_fetch_add_explicit(&numbers, 1, KP_ORDER_NUMBER) + 1;
}

/* An allocator often returns the block that was freed last. Therefore each new object begins at
 * another line within its block, and so gets another address than the objects before it. */
void *kp_handle_memory(size_t count, size_t bytes, void **block)
{
    size_t more = STARTS * KP_CACHE_LINE;
    *block = NULL;
    if (count > (SIZE_MAX - more) / bytes || /* untaken: the callers refuse such sizes */
        posix_memalign(block, KP_CACHE_LINE, count * bytes + more) != 0)
        return NULL;
    /* The start depends on the line's number in memory and not on its number in the block, because
     * the next block may overlap this one. */
    uint64_t turn = atomic_fetch_add_explicit(&made, 1, KP_ORDER_NUMBER);
    uint64_t line = (uintptr_t)*block / KP_CACHE_LINE;
    char *start = (char *)*block + (turn - line) % STARTS * KP_CACHE_LINE;
    return memset(start, 0, count * bytes);
}

/* --- To which processor a handle belongs --- */

/* The object at an address, for error sentences. */
struct found {
    const kp_machine *machine; /* its machine; NULL: there is no live object */
    int processor;
    bool held; /* the object is a member and its handle has not been freed */
    kp_group *world;
};

/* Returns whether an address is that of an element of an array, and stores the element's index. */
static bool within(const void *address, const void *first, size_t count, size_t bytes, int *which)
{
    uintptr_t distance = (uintptr_t)address - (uintptr_t)first;
    *which = (int)(distance / bytes);
    /* seldom taken: only if the address has been reused */
    return first && distance % bytes == 0 && distance / bytes < count;
}

static bool find_in(const kp_machine *machine, const void *handle, bool members,
                    struct found *found)
{
    int rank;
    /* seldom taken: only if the address has been reused */
    if (!members && within(handle, machine->procs, (size_t)machine->n, sizeof *machine->procs,
                           &found->processor)) {
        found->world = machine->procs[found->processor].world;
        return true;
    }
    for (const struct kp_shared *s = members ? machine->groups : NULL; s; s = s->next) {
        if (within(handle, s->members, (size_t)s->size, sizeof *s->members, &rank)) {
            found->processor = s->processors[rank];
            /* seldom taken: only if the address has been reused */
            found->held = s == machine->world || s->members[rank].held > 0;
            return true;
        }
    }
    return false;
}

/* Looks for a processor or member in all machines. This takes time, so it is done only to report an
 * error. */
static struct found look(const void *handle, bool members)
{
    struct found found = {.machine = NULL};
    kp_live_lock();
    for (int i = 0; i < BUCKETS; i++) {
        /* seldom taken: only if the address has been reused */
        for (struct kp_live *entry = buckets[i]; entry && !found.machine; entry = entry->next) {
            if (entry->kind != KP_LIVE_MACHINE)
                continue;
            kp_machine *machine = (kp_machine *)entry->handle;
            bool ours = machine->forks == kp_fork_count(); /* if false, its lock may stay locked */
            if (ours)
                pthread_mutex_lock(&machine->lock);
            found.machine = find_in(machine, handle, members, &found) ? machine : NULL;
            if (ours)
                pthread_mutex_unlock(&machine->lock);
        }
    }
    kp_live_unlock();
    return found;
}

/* --- The errors --- */

static int refuse(int status, const char *sentence)
{
    kp_proc *self = kp_carried();
    kp_set_error(status, "%s", sentence);
    if (!self)
        return status;
    if (kp_proc_take_site(self))
        atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    kp_proc_keep_error(self);
    return kp_proc_say_call(self, NULL);
}

static int refuse_foreign(const char *what, const kp_machine *machine, int processor)
{
    char sentence[240];
    struct kp_words words = {.text = sentence, .size = sizeof sentence};
    const kp_proc *self = kp_carried();
    kp_say(&words, "%s is ", what);
    if (!self)
        kp_say(&words,
               "processor %d's, and the calling thread carries none (any more); it may be used by "
               "the thread that carries that processor",
               processor);
    else if (self->machine != machine)
        kp_say(&words,
               "of another machine (its processor %d's); the calling thread carries processor %d "
               "of this one and may use its own",
               processor, self->number);
    else
        kp_say(&words,
               "processor %d's; the calling thread carries processor %d and may use its own",
               processor, self->number);
    return refuse(KP_EWRONGTHREAD, sentence);
}

int kp_refuse_proc(const kp_proc *handle)
{
    kp_group *world;
    return kp_refuse_world(handle, &world);
}

int kp_refuse_world(const kp_proc *handle, kp_group **world)
{
    *world = NULL;
    if (!handle)
        return refuse(KP_EARGUMENT, "self is NULL; it must be what the program was given, or what "
                                    "kp_machine_attach made");
    struct found found = look(handle, false);
    if (!found.machine)
        return refuse(KP_EENDED, "self is no processor of a machine that there is: the machine has "
                                 "ended, or this never was one");
    *world = found.world;
    return refuse_foreign("self", found.machine, found.processor);
}

int kp_refuse_member(const kp_group *handle)
{
    if (!handle)
        return refuse(KP_EARGUMENT, "the group is NULL; it must be kp_world's, or what "
                                    "kp_group_create made");
    struct found found = look(handle, true);
    if (!found.machine)
        return refuse(KP_EENDED, "the group is none that there is: it has been freed, its machine "
                                 "has ended, or this never was one");
    if (!found.held)
        return refuse(KP_EENDED, "the group has been freed by this member; it may be used until "
                                 "then");
    return refuse_foreign("the group", found.machine, found.processor);
}

int kp_refuse_machine(void)
{
    return refuse(KP_EENDED, "the machine is none that there is: it has been destroyed, or this "
                             "never was one");
}

static int refuse_plan(void)
{
    return refuse(KP_EENDED, "the plan is none that there is: it has been freed, or this never was "
                             "one");
}

/* --- Plans --- */

void kp_owned_add(struct kp_owned *owned, kp_group *member)
{
    kp_proc *self = member->self;
    owned->member = member;
    owned->member_number = member->number;
    owned->machine = self->machine;
    owned->machine_number = self->machine->number;
    owned->owner = self;
    owned->processor = self->number;
    owned->forks = kp_fork_count();
    kp_live_lock();
    kp_live_add(&owned->live, owned, KP_LIVE_PLAN);
    kp_live_unlock();
}

/* Returns whether the machine of the plan is alive. The caller holds the table's lock. */
static bool has_machine(const struct kp_owned *owned)
{
    return kp_live_has(owned->machine, KP_LIVE_MACHINE) &&
           owned->machine->number == owned->machine_number; /* seldom taken: a reused address */
}

int kp_owned_look(const struct kp_owned *handle)
{
    kp_proc *self = kp_carried();
    if (!handle)
        return refuse(KP_EARGUMENT, "the plan is NULL; it must be what kp_plan_make made");
    kp_live_lock();
    bool alive = kp_live_has(handle, KP_LIVE_PLAN);
    const struct kp_owned owned = alive ? *handle : (struct kp_owned){.machine = NULL};
    bool of_machine = alive && has_machine(&owned);
    kp_live_unlock();
    if (!alive)
        return refuse_plan();
    if (!of_machine)
        return refuse(KP_EENDED, "the plan belongs to a machine that has ended; it may only be "
                                 "freed");
    if (self != owned.owner)
        return refuse_foreign("the plan", owned.machine, owned.processor);
    /* seldom taken: only if the address has been reused */
    if (!kp_member_is_held(self, owned.member) || owned.member->number != owned.member_number)
        return refuse(KP_EENDED, "the plan belongs to a group that has been freed; it may only be "
                                 "freed too");
    *kp_known_slot(self->known_plans, handle) = handle;
    return KP_OK;
}

/* Returns whether some thread carries the plan's processor. That thread may be using the plan. */
static bool is_carried(const struct kp_owned *owned)
{
    /* seldom taken: only if the address has been reused */
    return has_machine(owned) && kp_machine_use_of(owned->machine) != KP_USE_NONE &&
           atomic_load_explicit(&owned->owner->state, KP_ORDER_STATE) == KP_PROC_RUNNING;
}

int kp_owned_remove(struct kp_owned *handle, bool *owns)
{
    kp_proc *self = kp_carried();
    /* seldom taken: only in a fork's child */
    if (self && self->machine->forks == kp_fork_count() && kp_proc_is_inside(self))
        return kp_proc_jumped(self); /* the unfinished call may be executing the plan */
    kp_live_lock();
    bool alive = kp_live_has(handle, KP_LIVE_PLAN);
    const struct kp_owned owned = alive ? *handle : (struct kp_owned){.machine = NULL};
    bool ours = alive && owned.forks == kp_fork_count(); /* seldom taken: only in a fork's child */
    bool used = ours && owned.owner != self && is_carried(&owned);
    if (ours && !used) {
        kp_live_remove(&handle->live);
        if (owned.owner == self)
            *kp_known_slot(self->known_plans, handle) = NULL;
    }
    kp_live_unlock();
    if (!alive)
        return refuse_plan();
    *owns = ours;
    return used ? refuse_foreign("the plan", owned.machine, owned.processor) : KP_OK;
}

/* --- What libkport_mpi needs (face.h) --- */

static_assert(offsetof(struct kp_proc, face) == 0, "kp_face_data finds the pointer there");

void kp_face_set_data(kp_proc *self, void *data)
{
    self->face = data;
}

bool kp_face_is_inside(const kp_proc *self)
{
    return kp_proc_is_inside(self);
}

/* Returns the processor whose fiber may let others run now, or NULL. In a call, other processors
 * may see what the call has not finished. A thread of the program's own has no fiber. */
static kp_proc *begin_rest(void)
{
    kp_proc *self = kp_self.carried;
    if (!self || !kp_self.fiber || !self->machine->carrier->sleep || kp_proc_is_inside(self) ||
        atomic_load_explicit(&self->rests, KP_ORDER_NOTE))
        return NULL;
    atomic_store_explicit(&self->rests, true, KP_ORDER_NOTE);
    return self;
}

static void end_rest(kp_proc *self)
{
    atomic_store_explicit(&self->rests, false, KP_ORDER_NOTE);
}

uint64_t kp_face_sleep(uint64_t nanoseconds)
{
    kp_proc *self = begin_rest();
    if (!self)
        return nanoseconds;
    const uint64_t left = self->machine->carrier->sleep(nanoseconds);
    end_rest(self);
    return left;
}

bool kp_face_yield(void)
{
    kp_proc *self = begin_rest();
    if (!self)
        return false;
    self->machine->carrier->yield(self);
    end_rest(self);
    return true;
}

kp_proc *kp_face_carry(kp_proc *self)
{
    kp_proc *before = kp_self.carried;
    kp_self.carried = self;
    return before;
}

/* --- A processor's handle --- */

static bool is_own_processor(const kp_proc *self)
{
    if (self && self == kp_carried())
        return true;
    (void)kp_refuse_proc(self);
    return false;
}

kp_group *kp_world(kp_proc *self)
{
    kp_group *world;
    if (self && self == kp_carried())
        return self->world;
    /* If the caller does not carry `self`, the result is still the world of `self`, and the next
     * call with this world fails. */
    (void)kp_refuse_world(self, &world);
    return world;
}

int kp_processor(const kp_proc *self)
{
    return is_own_processor(self) ? self->number : -1;
}

const kp_error_record *kp_error(const kp_proc *self)
{
    if (!is_own_processor(self))
        return kp_last_error();
    /* The progress thread lets the error be as it is until the next call has ended. */
    if (self->unusual)
        kp_progress_take(&self->machine->procs[self->number]);
    return &self->error;
}
