/* The ordinary way through a call, inline: what port.h does where nothing is wrong, for calls that
 * take about as long as a pass. Everything out of the ordinary goes to the functions of port.h. */
#ifndef KPORT_PORTS_PASS_H
#define KPORT_PORTS_PASS_H

#include "ports/barrier.h"
#include "ports/machine_data.h"
#include "ports/port.h"

/* Without it members are not compared, and nobody knows who called what where: only for measuring
 * what that costs (bench/agreement.py). */
#ifdef KP_UNCHECKED
#define KP_COMPARES_CALLS false
#else
#define KP_COMPARES_CALLS true
#endif

/* Whether its last call was left by a jump, or called it back. */
static inline bool kp_pass_is_inside(const kp_proc *self)
{
    return atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_INSIDE;
}

/* The call that begins, or is refused, stands where kp_here was told, or nobody knows where. True:
 * it was told. */
static inline bool kp_pass_take_site(kp_proc *self)
{
    if (atomic_load_explicit(&self->calling, KP_ORDER_NOTE) == KP_CALL_PLACED)
        return true;
    atomic_store_explicit(&self->file, NULL, KP_ORDER_NOTE);
    return false;
}

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

/* The end of what kp_pass_enter has let in, whatever its status. */
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

/* Where the rows are of a round whose longest one has so many bytes. */
static inline const struct kp_rows *kp_pass_kind(const struct kp_shared *shared, size_t bytes)
{
    if (bytes < shared->short_end)
        return &shared->rows[KP_ROWS_OF_8 + (bytes > 8) + (bytes > 16) + (bytes > 32)];
    bool is_long = bytes > shared->row_bytes && bytes != KP_WHOLE_ROW;
    return &shared->rows[is_long ? KP_LONG_ROW : KP_ROWS];
}

/* This member's own row of a generation, and those of all. */
static inline char *kp_pass_row_of(const kp_group *seat, size_t bytes, unsigned generation)
{
    if (bytes < seat->shared->near_end)
        return (char *)kp_pair_note(seat->shared, seat->rank)->row[generation];
    const struct kp_rows *rows = kp_pass_kind(seat->shared, bytes);
    return rows->first + (size_t)seat->rank * rows->stride + generation * rows->apart;
}

static inline char *kp_pass_rows_of(const kp_group *seat, size_t bytes, unsigned generation)
{
    if (bytes < seat->shared->near_end)
        return (char *)kp_pair_note(seat->shared, 1 - seat->rank)->row[generation];
    const struct kp_rows *rows = kp_pass_kind(seat->shared, bytes);
    return rows->first + generation * rows->apart;
}

/* The same for the next pass, and after one. */
static inline char *kp_pass_row(const kp_group *seat, size_t bytes)
{
    return kp_pass_row_of(seat, bytes, kp_generation_of(seat->passes + 1));
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

static inline void kp_pass_arrive(kp_group *seat)
{
    uint64_t fingerprint = kp_pass_fingerprint(seat);
    if (seat->kept == KP_KEPT_BY_MANY)
        kp_barrier_come(seat, fingerprint);
    else if (seat->kept == KP_KEPT_BY_COMPANIES)
        kp_company_arrive(seat, fingerprint);
    else if (seat->kept == KP_KEPT_BY_TWO)
        kp_pair_arrive(seat, fingerprint);
    else if (seat->shared->size > 1)
        kp_barrier_arrive(seat, fingerprint);
}

/* `fingerprint`: what this member has come with. */
static inline int kp_pass_await_other(kp_group *seat, uint64_t fingerprint, int round)
{
    uint32_t now =
        kp_wait_briefly(&seat->shared->pair[1 - seat->rank], seat->seen, seat->waiter.spins);
    if (now == seat->seen || (now & KP_PAIR_FROZEN) || seat->next == seat->seen ||
        (KP_COMPARES_CALLS && !kp_pair_told_alike(seat, fingerprint)))
        return kp_port_await(seat, round);
    /* Who waits looks at the word again and again, so its line has to be taken away before the next
     * pass: now, and not when that is waited for (0.6 to 0.9 of the time of a call). */
    kp_fetch_to_write(&seat->shared->pair[seat->rank]);
    seat->seen = seat->next;
    seat->opening = false;
    return KP_OK;
}

static inline int kp_pass_await(kp_group *seat, int round)
{
    if (seat->exchange || seat->kept == KP_KEPT_OTHERWISE)
        return kp_port_await(seat, round);
    if (seat->kept == KP_KEPT_BY_TWO)
        return kp_pass_await_other(seat, kp_pass_fingerprint(seat), round);
    uint32_t next = seat->next;
    if (!seat->was_last) {
        kp_company_look(seat);
        next = kp_wait_early(&seat->shared->generation, seat->seen, &seat->waiter);
    }
    if (next == seat->seen || (next & (KP_GENERATION_FAILED | KP_GENERATION_SPLIT)))
        return kp_port_await(seat, round);
    seat->seen = next;
    seat->opening = false;
    return KP_OK;
}

static inline void kp_pass_count(kp_group *seat, uint64_t c1, uint64_t c2)
{
    seat->self->c1 += c1;
    seat->self->c2 += c2;
}

/* Whether somebody's memory may still be read. */
static inline bool kp_pass_has_exposed(const kp_group *seat)
{
    return seat->described == seat->passes ||
           atomic_load_explicit(&seat->shared->exposed, KP_ORDER_WITHIN_PASS) == seat->passes;
}

static inline int kp_pass_close(kp_group *seat)
{
    if (seat->exchange || seat->trace)
        return kp_port_close(seat);
    if (seat->shared->size == 1 || !kp_pass_has_exposed(seat))
        return KP_OK;
    kp_pass_arrive(seat);
    return kp_pass_await(seat, -1);
}

#endif
