/* This header has the functions that a call needs if nothing goes wrong. They are inline, because
 * some calls take hardly longer than one barrier. If anything is unusual, these functions call the
 * functions of port.h, which handle all cases.
 *
 * A member is a processor's part in a group. An episode is one use of the group's barrier, from the
 * first arrival to the last departure.
 *
 * This header includes the headers of mailboxes (sync/mail.h), messages over a wire (sync/wired.h),
 * core sets (sync/core_sets.h), traces (trace/trace.h) and handles (handle.h). The functions here
 * use the fields of members, groups and machines. The files of lib/ that include this header may
 * call the functions, but must not use those fields. */
#ifndef KPORT_PORTS_MEMBER_H
#define KPORT_PORTS_MEMBER_H

#include "ports/machine_data.h"
#include "ports/port.h"
#include "ports/request/lane.h"
#include "ports/request/progress.h"
#include "ports/sync/mail.h"
#include "ports/sync/sync.h"
#include "ports/trace/trace.h"

/* Returns whether the processor is in a call. If this is true when a call begins, the processor has
 * left its last call by longjmp or an exception, or a reduction's operator calls kport. */
static inline bool kp_proc_is_inside(const kp_proc *self)
{
    return atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_INSIDE;
}

/* Returns whether kp_here has stored the site of the call that begins. If not, clears the site. */
static inline bool kp_proc_take_site(kp_proc *self)
{
    if (atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_PLACED)
        return true;
    atomic_store_explicit(&self->file, NULL, KP_ORDER_NOTE);
    return false;
}

/* Checks that the calling thread may execute the plan, as kp_owned_look does. The check is quick if
 * this processor has used the plan lately. */
static inline int kp_owned_look_known(const struct kp_owned *plan)
{
    kp_proc *self = kp_carried();
    if (!self || !plan || *kp_known_slot(self->known_plans, plan) != plan)
        return kp_owned_look(plan);
    return KP_OK;
}

/* Returns whether the processor may make a call of this member, unless it has failed.
 * kp_member_may_call is for a member that is known to be one of the processor's. */
static inline bool kp_member_may_call(const kp_proc *self, const kp_group *member)
{
    return !member->dead && !kp_proc_is_inside(self) && self->machine->forks == kp_fork_count();
}

static inline bool kp_member_is_usable(kp_proc *self, const kp_group *member)
{
    return kp_member_is_known(self, member) && kp_member_may_call(self, member);
}

/* Notes that the processor is in a call. */
static inline void kp_proc_enter(kp_proc *self)
{
    if (KP_COMPARES_CALLS)
        (void)kp_proc_take_site(self);
    atomic_store_explicit(&self->calling, KP_CALL_INSIDE, KP_ORDER_NOTE);
    kp_point();
}

/* Begins a public call. Checks that the calling thread carries the member's processor, and that the
 * member can be used, and lets the processor's requests go on. Returns 0, or the status of an error
 * that is set. */
static inline int kp_member_enter(kp_group *member)
{
    kp_proc *self = kp_carried();
    if (!kp_member_is_usable(self, member) || self->failed) {
        int status = kp_port_admit(member);
        if (status)
            return status;
    } else if (self->unusual) {
        kp_requests_at_call(self);
        if (member->dead) /* the rest of a call that the processor had left has found this */
            return kp_port_admit(member);
    }
    kp_proc_enter(self);
    return KP_OK;
}

/* Ends a public call for which kp_member_enter has returned 0. Returns `status`. */
static inline int kp_member_leave(kp_group *member, int status)
{
    kp_proc *self = member->self;
    atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    if (self->unusual)
        kp_progress_lend(self);
    return status;
}

/* Publishes which call this member makes, so that the other members can compare it with theirs.
 * `call` must stay unchanged until this member opens its next call. */
static inline void kp_member_open(kp_group *member, const struct kp_call *call)
{
    if (KP_COMPARES_CALLS)
        member->published.call = call;
    member->published.refused = NULL;
    member->opening = !member->within;
    member->calls++;
}

/* Refuses a call as kp_port_refuse does, but also serves groups with a wire or with mailboxes. */
static inline int kp_member_refuse(kp_group *member,
                                   void (*describe)(const void *subject, char *text, size_t size),
                                   const void *subject)
{
    if (kp_is_wired(member))
        return kp_wired_refuse(member, describe, subject);
    return (kp_mail_keeps(member) ? kp_mail_refuse : kp_port_refuse)(member, describe, subject);
}

/* Returns whether `call` is the call that this member opened last. */
static inline bool kp_member_publishes(const kp_group *member, const struct kp_call *call)
{
    return member->published.call == call;
}

/* Returns the data that is attached to the member (kp_port_member_attachment), or NULL. */
static inline void *kp_member_attachment(const kp_group *member)
{
    return member->attachment.data;
}

/* Returns whether the group has failed, as far as this member knows. */
static inline bool kp_member_has_failed(const kp_group *member)
{
    return member->dead;
}

static inline bool kp_member_is_traced(const kp_group *member)
{
    return member->trace;
}

/* Returns whether the member belongs to a lane, that is, carries out requests. */
static inline bool kp_member_is_lane(const kp_group *member)
{
    return member->shared->lane_of;
}

/* Returns whether a progress thread goes on with what this member has started. */
static inline bool kp_member_has_progress(const kp_group *member)
{
    return member->shared->machine->progress != NULL;
}

/* Called after this member has posted or taken a message of the member with rank `rank`. */
static inline void kp_member_notify(kp_group *member, int rank)
{
    kp_request_notify(kp_member_carrier(&member->shared->members[rank]));
}

/* Returns whether the call needs no extra work at its end. Extra work is recording a trace, or
 * reporting messages of kp_exchange that no receiver took. */
static inline bool kp_member_is_plain(const kp_group *member)
{
    return !member->trace && !member->exchanged;
}

/* Returns whether a request may begin on the lane at once, and needs no extra work as for traces
 * and for the config's check_buffers. */
static inline bool kp_lane_is_plain(const struct kp_lane *lane)
{
    const kp_group *member = lane->member;
    return kp_lane_is_free(lane) && !member->dead && !member->trace && !lane->checks_buffers;
}

/* Returns the KP_PORT_SPACES addresses of lent memory that this member publishes. */
static inline const char *const *kp_member_bases(const kp_group *member)
{
    return member->published.bases;
}

/* Returns the addresses of lent memory that the member with rank `rank` publishes. */
static inline const char *const *kp_member_bases_of(const kp_group *member, int rank)
{
    return member->shared->members[rank].published.bases;
}

/* Returns the work that another thread on the same core may do for this member
 * (kp_port_publish_work), or NULL. */
static inline const void *kp_member_work(const kp_group *member)
{
    return member->published.work;
}

/* Returns the generation of the next episode, 0 or 1. Each buffer has two copies, one for each
 * generation. */
static inline unsigned kp_member_next_generation(const kp_group *member)
{
    return kp_generation_of(member->episodes + 1);
}

/* Returns the generation of the last episode. */
static inline unsigned kp_member_generation(const kp_group *member)
{
    return kp_generation_of(member->episodes);
}

/* Returns the kind of eager buffers for a round whose longest buffer has `bytes` bytes. */
static inline const struct kp_eager_buffers *kp_eager_kind(const struct kp_shared *shared,
                                                           size_t bytes)
{
    bool is_long = bytes > shared->buffer_bytes && bytes != KP_WHOLE_BUFFER;
    return &shared->eager[is_long ? KP_EAGER_LONG : KP_EAGER_EACH];
}

/* Returns whether buffers of this length lie beside the barrier's words (near buffers). */
static inline bool kp_member_has_near(const kp_group *member, size_t bytes)
{
    return bytes < member->shared->near_end;
}

/* Returns this member's eager buffer of a generation. `bytes` is the length of the round's longest
 * buffer, which all members know. */
static inline char *kp_member_buffer_of(const kp_group *member, size_t bytes, unsigned generation)
{
    if (kp_member_has_near(member, bytes))
        return kp_sync_near_buffer(member->shared, member->rank, generation);
    const struct kp_eager_buffers *buffers = kp_eager_kind(member->shared, bytes);
    return buffers->first + (size_t)member->rank * buffers->stride + generation * buffers->apart;
}

/* Returns where the eager buffers of all ranks begin, in a generation. The buffer of rank r lies r
 * times kp_member_buffer_stride further. In a group of two, short buffers lie beside the barrier's
 * words (near buffers). For such buffers, the result is the other member's buffer, and the stride
 * is 0. */
static inline char *kp_member_buffers_of(const kp_group *member, size_t bytes, unsigned generation)
{
    if (kp_member_has_near(member, bytes))
        return kp_sync_near_buffer(member->shared, 1 - member->rank, generation);
    const struct kp_eager_buffers *buffers = kp_eager_kind(member->shared, bytes);
    return buffers->first + generation * buffers->apart;
}

/* Returns the eager buffer into which this member packs for the next episode. `bytes` is the length
 * of the round's longest buffer, which all members know. */
static inline char *kp_member_buffer(const kp_group *member, size_t bytes)
{
    return kp_member_buffer_of(member, bytes, kp_member_next_generation(member));
}

/* Returns where the eager buffers of the last episode begin, as kp_member_buffers_of does. */
static inline const char *kp_member_buffers(const kp_group *member, size_t bytes)
{
    return kp_member_buffers_of(member, bytes, kp_member_generation(member));
}

/* Returns the length of an eager buffer that is no near buffer. */
static inline size_t kp_member_buffer_bytes(const kp_group *member)
{
    return member->shared->buffer_bytes;
}

/* For a group of two: this member's near buffer for the next episode; after an episode that of the
 * other member, and the bits with which that one arrived. */
static inline char *kp_member_near(const kp_group *member)
{
    return kp_sync_near_buffer(member->shared, member->rank, kp_member_next_generation(member));
}

static inline const char *kp_member_near_heard(const kp_group *member)
{
    return kp_sync_near_buffer(member->shared, 1 - member->rank, kp_member_generation(member));
}

static inline unsigned kp_member_near_bits(const kp_group *member)
{
    return kp_pair_note(member->shared, 1 - member->rank)->bits[kp_member_generation(member)];
}

/* Returns the distance in bytes between the eager buffers of two neighbouring ranks. Returns 0 if
 * there is only one buffer to read. */
static inline size_t kp_member_buffer_stride(const kp_group *member, size_t bytes)
{
    return kp_member_has_near(member, bytes) ? 0 : kp_eager_kind(member->shared, bytes)->stride;
}

/* Returns the hash by which members compare their current calls. */
static inline uint64_t kp_member_fingerprint(const kp_group *member)
{
    return KP_COMPARES_CALLS ? member->published.call->fingerprint : 0;
}

/* An episode has two halves. A member arrives at the barrier, and then it waits for the other
 * members. The functions that end in `_as` are for callers that already know two things: the kind
 * of the group's barrier (enum kp_sync), and the fingerprint of the call. A caller may pass true as
 * `of_two` if the group has two members and the member has no message of kp_exchange left to check
 * or to report. If `of_two` is the constant true, the compiler knows the kind. */
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

/* Arrives at the barrier with 8 bits. The barrier combines the bits of all members by OR. */
static inline void kp_member_arrive_with(kp_group *member, unsigned bits)
{
    kp_sync_arrive(member, member->sync, kp_member_fingerprint(member), bits);
}

/* Arrives with bits and with a difference (kp_tell_difference in port.h). If all differences do not
 * add up to 0, modulo 2^44, no member goes on, and `tell` says why. The member waits with
 * kp_member_await_adding and the same difference. The members share memory. */
static inline void kp_member_arrive_adding(kp_group *member, uint64_t difference, unsigned bits,
                                           kp_tell_difference *tell)
{
    member->tell_difference = tell;
    kp_sync_arrive_adding(member, member->sync, kp_member_fingerprint(member), difference, bits);
}

/* Returns the bits of all members, combined by OR. They are valid after the wait and until this
 * member arrives again. */
static inline unsigned kp_member_bits(const kp_group *member)
{
    return kp_sync_bits(member);
}

/* Waits until all members have arrived. `kind` and `fingerprint` are those of this member's
 * arrival, and `round` is for error sentences. Returns 0, or the status of an error that is set. */
static inline int kp_member_await_as(kp_group *member, enum kp_sync kind, uint64_t fingerprint,
                                     int round)
{
    if (!kp_sync_passed(member, kind, fingerprint))
        return kp_port_await(member, round);
    member->opening = false;
    return KP_OK;
}

/* Called by a member of a pair at the end of a call: asks for the lines that the next call probably
 * writes. These are the line of the member's word, which the other member has looked at until it
 * saw the arrival, and the first line of the buffer that this call would use next, or NULL. */
static inline void kp_member_fetch_next(const kp_group *member, const void *buffer)
{
    kp_fetch_to_write(&member->shared->pair[member->rank]);
    if (buffer)
        kp_fetch_to_write(buffer);
}

/* Waits as kp_member_await_as does, for callers that know neither kind nor fingerprint. */
static inline int kp_member_await(kp_group *member, int round)
{
    if (member->exchanged)
        return kp_port_await(member, round);
    return kp_member_await_as(member, member->sync, kp_member_fingerprint(member), round);
}

static inline int kp_member_await_adding(kp_group *member, uint64_t difference, int round)
{
    if (member->exchanged ||
        !kp_sync_passed_adding(member, member->sync, kp_member_fingerprint(member), difference))
        return kp_port_await(member, round);
    member->opening = false;
    return KP_OK;
}

/* Returns whether kp_member_await would return at once, because all members have arrived or because
 * the group has failed. */
static inline bool kp_member_has_come(const kp_group *member)
{
    return kp_sync_has_come(member);
}

/* Adds to the rounds (C1) and bytes (C2) that the run's report counts for this processor. */
static inline void kp_member_count(kp_group *member, uint64_t c1, uint64_t c2)
{
    member->self->c1 += c1;
    member->self->c2 += c2;
}

/* --- Calls that their member leaves early ---
 *
 * A member that only sends in a call of one episode, from eager buffers, has nothing to do after
 * its arrival. Neither has a member after its last arrival in a call with long blocks, if nobody
 * reads or writes its memory in the last round. Such a member may leave the call. Its processor
 * waits for the episode when it makes its next call of any group or request (kp_requests_at_call).
 * So a member still sees an episode before it arrives at the next one, and in no other call does
 * anybody wait for a member that has left. If the call has failed, the next one is made all the
 * same, so that the member stays in step with the others. The layer above asks for the error
 * (kp_member_late). */

/* For reports: returns whether the member waits for a call that it has left early. */
static inline bool kp_member_was_left(const kp_group *member)
{
    return !member->shared->lane_of && member->published.started.line & KP_LEFT_EARLY;
}

/* Returns the status of a call's end: `status`, or, if that is 0, the error of a call of the group
 * before that the member has left early. The error is returned once. */
static inline int kp_member_late(kp_group *member, int status)
{
    return status == KP_OK && member->has_late ? kp_port_late(member) : status;
}

/* Does the rest of the call that the processor has left early, if there is one. The processor is in
 * no call. */
static inline void kp_member_come_back(kp_group *member)
{
    if (member->self->left)
        kp_proc_come_back(member->self);
}

/* Returns whether the member may leave its call: nothing but the episode is left of the call, and
 * its processor has nothing else to do when it waits. */
static inline bool kp_member_may_leave(const kp_group *member)
{
    return kp_member_is_plain(member) && !member->self->unusual;
}

/* Called before the arrival: the call's place is the same for others as long as the call lasts. */
static inline void kp_member_will_leave(kp_group *member)
{
    member->published.started = kp_site_of_call(member->self);
    member->published.started.line |= KP_LEFT_EARLY;
}

/* Ends the call after the arrival. `rest` waits for the episode, and returns what the call returns.
 * The last member to arrive calls `rest` at once. */
static inline int kp_member_leave_early(kp_group *member, int (*rest)(kp_group *member))
{
    kp_proc *self = member->self;
    if (kp_sync_is_of_two(member) || !member->was_last) {
        self->left = member;
        self->rest = rest;
        self->unusual = true;
        return KP_OK;
    }
    const int status = rest(member);
    member->published.started.line = 0;
    return status;
}

/* Returns the number of threads that carry the machine's processors. */
static inline int kp_member_workers(const kp_group *member)
{
    return member->shared->machine->hands;
}

/* Returns whether calls in which all read one member's memory take one episode
 * (sync/worker_sets.h). They do among fibers, where members share cores: those that come after the
 * source need not wait until all others have had their turn. All members get the same answer. */
static inline bool kp_member_counts_readers(const kp_group *member)
{
    return member->sync == KP_SYNC_WORKER_SETS && !member->trace && !kp_member_is_lane(member);
}

/* Returns whether any member may still be reading another member's memory in place (zero copy). */
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

/* Does the same for a member that may leave, and whose own memory nobody uses now. `rest` is what
 * waits for the last episode. */
static inline int kp_member_close_early(kp_group *member, int (*rest)(kp_group *member))
{
    if (!kp_member_has_readers(member))
        return KP_OK;
    kp_member_will_leave(member);
    kp_member_arrive(member);
    return kp_member_leave_early(member, rest);
}

#endif
