/* The usual path through a call, inline: the functions of port.h for the case that nothing is
 * wrong, because some calls take hardly longer than an episode. Unusual cases go to the functions
 * of port.h.
 *
 * Including this header also gives mailboxes (sync/mail.h), messages over a wire (sync/wired.h),
 * work for a core set (sync/core_sets.h), recording (trace/trace.h) and handles (handle.h). Only
 * the functions here use the fields of members, groups and machines; includers do not. */
#ifndef KPORT_PORTS_MEMBER_H
#define KPORT_PORTS_MEMBER_H

#include "ports/machine_data.h"
#include "ports/port.h"
#include "ports/sync/mail.h"
#include "ports/sync/sync.h"
#include "ports/trace/trace.h"

/* Returns whether the processor is inside a call: a jump left its last call, or an operator calls
 * kport. */
static inline bool kp_proc_is_inside(const kp_proc *self)
{
    return atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_INSIDE;
}

/* Returns whether kp_here has noted a call site; if not, clears the site. */
static inline bool kp_proc_take_site(kp_proc *self)
{
    if (atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_PLACED)
        return true;
    atomic_store_explicit(&self->file, NULL, KP_ORDER_NOTE);
    return false;
}

/* Does kp_owned_look, faster if this processor has used the plan lately. */
static inline int kp_owned_look_known(const struct kp_owned *plan)
{
    kp_proc *self = kp_carried();
    if (!self || !plan || *kp_known_place(self->known_plans, plan) != plan)
        return kp_owned_look(plan);
    return KP_OK;
}

/* Begins every public call: checks that the calling thread carries the member's processor. Returns
 * 0 or a status. */
static inline int kp_member_enter(kp_group *member)
{
    kp_proc *self = kp_carried();
    if (!kp_member_is_known(self, member) || self->failed || member->dead ||
        kp_proc_is_inside(self) || self->machine->forks != kp_fork_count()) {
        int status = kp_port_admit(member);
        if (status)
            return status;
    }
    if (KP_COMPARES_CALLS)
        (void)kp_proc_take_site(self);
    atomic_store_explicit(&self->calling, KP_CALL_INSIDE, KP_ORDER_NOTE);
    kp_point();
    return KP_OK;
}

/* Ends every public call that kp_member_enter has admitted. Returns `status`. */
static inline int kp_member_leave(kp_group *member, int status)
{
    atomic_store_explicit(&member->self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    return status;
}

/* Opens a call. `call` must stay unchanged until the next one is opened. */
static inline void kp_member_open(kp_group *member, const struct kp_call *call)
{
    if (KP_COMPARES_CALLS)
        member->published.call = call;
    member->published.refused = NULL;
    member->opening = !member->within;
    member->calls++;
}

/* Refuses a call (kp_port_refuse) in the manner of the group's discipline. */
static inline int kp_member_refuse(kp_group *member,
                                   void (*describe)(const void *subject, char *text, size_t size),
                                   const void *subject)
{
    if (kp_is_wired(member))
        return kp_wired_refuse(member, describe, subject);
    return (kp_mail_keeps(member) ? kp_mail_refuse : kp_port_refuse)(member, describe, subject);
}

/* Returns whether this member publishes this call to the others. */
static inline bool kp_member_publishes(const kp_group *member, const struct kp_call *call)
{
    return member->published.call == call;
}

/* Returns the data that the layer above attached to the member (kp_port_member_attachment), or
 * NULL. */
static inline void *kp_member_attachment(const kp_group *member)
{
    return member->attachment.data;
}

static inline bool kp_member_is_traced(const kp_group *member)
{
    return member->trace;
}

/* Returns whether the call is not traced and no earlier exchange has left messages to report. */
static inline bool kp_member_is_plain(const kp_group *member)
{
    return !member->trace && !member->exchanged;
}

/* Return the addresses that this member, or the member of that rank, publishes, by space. */
static inline const char *const *kp_member_bases(const kp_group *member)
{
    return member->published.bases;
}

static inline const char *const *kp_member_bases_of(const kp_group *member, int rank)
{
    return member->shared->members[rank].published.bases;
}

/* Returns the work that another thread of its core set does for this member (kp_port_publish_work),
 * or NULL. */
static inline const void *kp_member_work(const kp_group *member)
{
    return member->published.work;
}

/* Returns the generation of the buffers for the next episode. */
static inline unsigned kp_member_next_generation(const kp_group *member)
{
    return kp_generation_of(member->episodes + 1);
}

/* Returns the kind of eager buffers for a round whose longest buffer has `bytes` bytes. */
static inline const struct kp_eager_buffers *kp_eager_kind(const struct kp_shared *shared,
                                                           size_t bytes)
{
    bool is_long = bytes > shared->buffer_bytes && bytes != KP_WHOLE_BUFFER;
    return &shared->eager[is_long ? KP_EAGER_LONG : KP_EAGER_EACH];
}

/* `kp_member_buffer_of` returns this member's buffer of a generation. `kp_member_buffers_of`
 * returns the beginning of all buffers of a generation; for a pair's near buffers, the other
 * member's. */
static inline char *kp_member_buffer_of(const kp_group *member, size_t bytes, unsigned generation)
{
    if (bytes < member->shared->near_end)
        return kp_sync_near_buffer(member->shared, member->rank, generation);
    const struct kp_eager_buffers *buffers = kp_eager_kind(member->shared, bytes);
    return buffers->first + (size_t)member->rank * buffers->stride + generation * buffers->apart;
}

static inline char *kp_member_buffers_of(const kp_group *member, size_t bytes, unsigned generation)
{
    if (bytes < member->shared->near_end)
        return kp_sync_near_buffer(member->shared, 1 - member->rank, generation);
    const struct kp_eager_buffers *buffers = kp_eager_kind(member->shared, bytes);
    return buffers->first + generation * buffers->apart;
}

/* `kp_member_buffer` returns this member's buffer for the next episode, `kp_member_buffers` all
 * buffers of the last episode. `bytes` is the length of the round's longest buffer, which all
 * members know. */
static inline char *kp_member_buffer(const kp_group *member, size_t bytes)
{
    return kp_member_buffer_of(member, bytes, kp_member_next_generation(member));
}

static inline const char *kp_member_buffers(const kp_group *member, size_t bytes)
{
    return kp_member_buffers_of(member, bytes, kp_generation_of(member->episodes));
}

/* Returns the distance between the members' buffers; 0: there is only one to read. */
static inline size_t kp_member_buffer_stride(const kp_group *member, size_t bytes)
{
    bool near = bytes < member->shared->near_end;
    return near ? 0 : kp_eager_kind(member->shared, bytes)->stride;
}

static inline uint64_t kp_member_fingerprint(const kp_group *member)
{
    return KP_COMPARES_CALLS ? member->published.call->fingerprint : 0;
}

/* The two halves of an episode, for callers that already know the kind of episodes (for two members
 * without exchange messages to report, KP_SYNC_PAIR). `fingerprint` is the call's. */
static inline enum kp_sync kp_member_sync_kind(const kp_group *member, bool of_two)
{
    return of_two ? KP_SYNC_PAIR : member->sync;
}

static inline void kp_member_arrive_as(kp_group *member, enum kp_sync kind, uint64_t fingerprint)
{
    kp_sync_arrive(member, kind, fingerprint, 0);
}

static inline void kp_member_arrive(kp_group *member)
{
    kp_member_arrive_as(member, member->sync, kp_member_fingerprint(member));
}

/* `kp_member_arrive_with` arrives with up to 8 bits of the caller's. The barrier combines all
 * members' bits by OR; `kp_member_bits` returns them after the wait, until the next arrival. */
static inline void kp_member_arrive_with(kp_group *member, unsigned bits)
{
    kp_sync_arrive(member, member->sync, kp_member_fingerprint(member), bits);
}

static inline unsigned kp_member_bits(const kp_group *member)
{
    return kp_sync_bits(member);
}

/* Waits. `kind` and `fingerprint` are those of the arrival. */
static inline int kp_member_await_as(kp_group *member, enum kp_sync kind, uint64_t fingerprint,
                                     int round)
{
    if (!kp_sync_passed(member, kind, fingerprint))
        return kp_port_await(member, round);
    member->opening = false;
    return KP_OK;
}

static inline int kp_member_await(kp_group *member, int round)
{
    if (member->exchanged)
        return kp_port_await(member, round);
    return kp_member_await_as(member, member->sync, kp_member_fingerprint(member), round);
}

/* Returns whether kp_member_await would return at once, because all members have arrived or the
 * group has failed. */
static inline bool kp_member_has_come(const kp_group *member)
{
    return kp_sync_has_come(member);
}

/* Adds to this processor's C1, and C2 in bytes, for the report. */
static inline void kp_member_count(kp_group *member, uint64_t c1, uint64_t c2)
{
    member->self->c1 += c1;
    member->self->c2 += c2;
}

/* Returns whether a member may still read another member's memory. */
static inline bool kp_member_has_readers(const kp_group *member)
{
    return member->shared->size > 1 &&
           (member->lent == member->episodes ||
            atomic_load_explicit(&member->shared->lent, KP_ORDER_WITHIN_EPISODE) ==
                member->episodes);
}

static inline int kp_member_close(kp_group *member)
{
    if (!kp_member_is_plain(member))
        return kp_port_close(member);
    if (!kp_member_has_readers(member))
        return KP_OK;
    kp_member_arrive(member);
    return kp_member_await(member, -1);
}

#endif
