/* The ordinary way through a call, inline: what port.h does where nothing is wrong, for calls that
 * take about as long as a pass. Everything out of the ordinary goes to the functions of port.h.
 *
 * With it come the mailboxes (sync/mail.h), messages over a wire (sync/wired.h), working for a core
 * set (sync/core_sets.h), recording (report/trace.h) and handles (handle.h); what a seat, its group
 * and its machine are made of is for the functions here, and not for who includes this. */
#ifndef KPORT_PORTS_PASS_H
#define KPORT_PORTS_PASS_H

#include "ports/machine_data.h"
#include "ports/port.h"
#include "ports/sync/mail.h"
#include "ports/sync/sync.h"
#include "ports/trace/trace.h"

/* Whether its last call was left by a jump, or called it back. */
static inline bool kp_pass_is_inside(const kp_proc *self)
{
    return atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_INSIDE;
}

/* Takes over the call site that kp_here has noted. False: none was noted. */
static inline bool kp_pass_take_site(kp_proc *self)
{
    if (atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_PLACED)
        return true;
    atomic_store_explicit(&self->file, NULL, KP_ORDER_NOTE);
    return false;
}

/* kp_owned_look, for who has used the plan lately. */
static inline int kp_pass_look(const struct kp_owned *plan)
{
    kp_proc *self = kp_carried();
    if (!self || !plan || *kp_known_place(self->known_plans, plan) != plan)
        return kp_owned_look(plan);
    return KP_OK;
}

/* Begins every public call: checks that the calling thread carries the seat's processor. Returns 0
 * or a status. */
static inline int kp_pass_enter(kp_group *seat)
{
    kp_proc *self = kp_carried();
    if (!kp_seat_is_known(self, seat) || self->failed || seat->dead || kp_pass_is_inside(self) ||
        self->machine->forks != kp_fork_count()) {
        int status = kp_port_admit(seat);
        if (status)
            return status;
    }
    if (KP_COMPARES_CALLS)
        (void)kp_pass_take_site(self);
    atomic_store_explicit(&self->calling, KP_CALL_INSIDE, KP_ORDER_NOTE);
    kp_point();
    return KP_OK;
}

/* Ends every public call that kp_pass_enter has let in. `status` is what the call returns. */
static inline int kp_pass_leave(kp_group *seat, int status)
{
    atomic_store_explicit(&seat->self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    return status;
}

/* `call` stays as it is until the next one is opened. */
static inline void kp_pass_open(kp_group *seat, const struct kp_call *call)
{
    if (KP_COMPARES_CALLS)
        seat->shown.call = call;
    seat->shown.refused = NULL;
    seat->opening = !seat->within;
    seat->calls++;
}

/* For a call that this member has to refuse (kp_port_refuse), as the group keeps its rounds. */
static inline int kp_pass_refuse(kp_group *seat,
                                 void (*describe)(const void *subject, char *text, size_t size),
                                 const void *subject)
{
    if (kp_is_wired(seat))
        return kp_wired_refuse(seat, describe, subject);
    return (kp_mail_keeps(seat) ? kp_mail_refuse : kp_port_refuse)(seat, describe, subject);
}

/* Whether the others are shown this call. */
static inline bool kp_pass_shows(const kp_group *seat, const struct kp_call *call)
{
    return seat->shown.call == call;
}

/* What the layer above keeps at the seat (kp_port_seat_attachment); NULL: nothing yet. */
static inline void *kp_pass_attachment(const kp_group *seat)
{
    return seat->attachment.data;
}

static inline bool kp_pass_is_traced(const kp_group *seat)
{
    return seat->trace;
}

/* Whether the call is not traced and no earlier exchange has left messages to report. */
static inline bool kp_pass_is_plain(const kp_group *seat)
{
    return !seat->trace && !seat->exchanged;
}

/* The memory that a member shows, by space. */
static inline const char *const *kp_pass_bases(const kp_group *seat)
{
    return seat->shown.bases;
}

static inline const char *const *kp_pass_bases_of(const kp_group *seat, int rank)
{
    return seat->shared->members[rank].shown.bases;
}

/* What one of its core set does for it (kp_port_show_work), or NULL. */
static inline const void *kp_pass_work(const kp_group *seat)
{
    return seat->shown.work;
}

/* Of the buffers for the next pass. */
static inline unsigned kp_pass_next_generation(const kp_group *seat)
{
    return kp_generation_of(seat->passes + 1);
}

/* Where the rows are of a round whose longest one has so many bytes. */
static inline const struct kp_rows *kp_pass_kind(const struct kp_shared *shared, size_t bytes)
{
    bool is_long = bytes > shared->row_bytes && bytes != KP_WHOLE_ROW;
    return &shared->rows[is_long ? KP_LONG_ROW : KP_ROWS];
}

/* This member's own row of a generation, and those of all. */
static inline char *kp_pass_row_of(const kp_group *seat, size_t bytes, unsigned generation)
{
    if (bytes < seat->shared->near_end)
        return kp_sync_near_row(seat->shared, seat->rank, generation);
    const struct kp_rows *rows = kp_pass_kind(seat->shared, bytes);
    return rows->first + (size_t)seat->rank * rows->stride + generation * rows->apart;
}

static inline char *kp_pass_rows_of(const kp_group *seat, size_t bytes, unsigned generation)
{
    if (bytes < seat->shared->near_end)
        return kp_sync_near_row(seat->shared, 1 - seat->rank, generation);
    const struct kp_rows *rows = kp_pass_kind(seat->shared, bytes);
    return rows->first + generation * rows->apart;
}

/* The same for the next pass, `bytes` long at the longest of the round, which all members know
 * alike; and after one. */
static inline char *kp_pass_row(const kp_group *seat, size_t bytes)
{
    return kp_pass_row_of(seat, bytes, kp_pass_next_generation(seat));
}

static inline const char *kp_pass_rows(const kp_group *seat, size_t bytes)
{
    return kp_pass_rows_of(seat, bytes, kp_generation_of(seat->passes));
}

/* How far apart the members' rows lie; 0: there is only one to read. */
static inline size_t kp_pass_row_stride(const kp_group *seat, size_t bytes)
{
    bool near = bytes < seat->shared->near_end;
    return near ? 0 : kp_pass_kind(seat->shared, bytes)->stride;
}

static inline uint64_t kp_pass_fingerprint(const kp_group *seat)
{
    return KP_COMPARES_CALLS ? seat->shown.call->fingerprint : 0;
}

/* The two halves for who has asked before how the passes are kept, or knows that there are two
 * members, and that nothing of an exchange is to be looked after. `fingerprint`: of the call. */
static inline enum kp_sync kp_pass_kept_by(const kp_group *seat, bool of_two)
{
    return of_two ? KP_SYNC_PAIR : seat->sync;
}

static inline void kp_pass_arrive_as(kp_group *seat, enum kp_sync kind, uint64_t fingerprint)
{
    kp_sync_arrive(seat, kind, fingerprint, 0);
}

static inline void kp_pass_arrive(kp_group *seat)
{
    kp_pass_arrive_as(seat, seat->sync, kp_pass_fingerprint(seat));
}

/* The same with up to 8 bits of the caller's own, which are combined by OR; and what they are,
 * after the wait and until the next arrival. */
static inline void kp_pass_arrive_with(kp_group *seat, unsigned bits)
{
    kp_sync_arrive(seat, seat->sync, kp_pass_fingerprint(seat), bits);
}

static inline unsigned kp_pass_bits(const kp_group *seat)
{
    return kp_sync_bits(seat);
}

/* `kind`, `fingerprint`: what it has arrived with. */
static inline int kp_pass_await_as(kp_group *seat, enum kp_sync kind, uint64_t fingerprint,
                                   int round)
{
    if (!kp_sync_passed(seat, kind, fingerprint))
        return kp_port_await(seat, round);
    seat->opening = false;
    return KP_OK;
}

static inline int kp_pass_await(kp_group *seat, int round)
{
    if (seat->exchanged)
        return kp_port_await(seat, round);
    return kp_pass_await_as(seat, seat->sync, kp_pass_fingerprint(seat), round);
}

/* Whether kp_pass_await would return at once, because all members have come or the group has
 * failed. */
static inline bool kp_pass_has_come(const kp_group *seat)
{
    return kp_sync_has_come(seat);
}

/* Adds to the report's C1 and C2. */
static inline void kp_pass_count(kp_group *seat, uint64_t c1, uint64_t c2)
{
    seat->self->c1 += c1;
    seat->self->c2 += c2;
}

/* Whether somebody's memory may still be read by another. */
static inline bool kp_pass_has_exposed(const kp_group *seat)
{
    return seat->shared->size > 1 &&
           (seat->described == seat->passes ||
            atomic_load_explicit(&seat->shared->exposed, KP_ORDER_WITHIN_PASS) == seat->passes);
}

static inline int kp_pass_close(kp_group *seat)
{
    if (!kp_pass_is_plain(seat))
        return kp_port_close(seat);
    if (!kp_pass_has_exposed(seat))
        return KP_OK;
    kp_pass_arrive(seat);
    return kp_pass_await(seat, -1);
}

#endif
