/* The ordinary way through a call, inline: what port.h does where nothing is wrong, for calls that
 * take about as long as a pass. Everything out of the ordinary goes to the functions of port.h. */
#ifndef KPORT_PORTS_PASS_H
#define KPORT_PORTS_PASS_H

#include "ports/barrier.h"
#include "ports/machine_data.h"
#include "ports/port.h"

static inline int kp_pass_enter(kp_group *seat)
{
    kp_proc *self = kp_carried();
    if (!kp_seat_is_known(self, seat) || self->failed || seat->dead ||
        self->machine->forks != kp_fork_count()) {
        int status = kp_port_admit(seat);
        if (status)
            return status;
    }
    self->file = kp_self.file;
    self->line = kp_self.line;
    kp_self.file = NULL;
    kp_point();
    return KP_OK;
}

static inline void kp_pass_open(kp_group *seat, uint64_t fingerprint,
                                void (*describe)(const void *subject, char *text, size_t size),
                                const void *subject)
{
    struct kp_call *call = &seat->shown.call;
    call->fingerprint = fingerprint;
    call->describe = describe;
    call->subject = subject;
    call->file = seat->self->file;
    call->line = seat->self->line;
    call->refused = NULL;
    seat->opening = true;
}

static inline char *kp_pass_row(kp_group *seat, size_t bytes)
{
    const struct kp_shared *shared = seat->shared;
    uint64_t pass = seat->passes + 1;
    if (bytes < shared->near_end) {
        seat->near_pass = pass;
        return (char *)kp_near_row(seat, pass);
    }
    return shared->rows + (size_t)seat->rank * shared->row_stride +
           kp_generation_of(pass) * shared->row_bytes;
}

/* How far apart the members' rows lie; 0: there is only one to read. */
static inline size_t kp_pass_row_stride(const kp_group *seat, size_t bytes)
{
    return bytes >= seat->shared->near_end ? seat->shared->row_stride : 0;
}

static inline const char *kp_pass_rows(const kp_group *seat, size_t bytes)
{
    const struct kp_shared *shared = seat->shared;
    unsigned generation = kp_generation_of(seat->passes);
    if (bytes >= shared->near_end)
        return shared->rows + generation * shared->row_bytes;
    /* The one other's; the last one's lies with the generation. */
    return (const char *)(seat->was_last ? shared->near[generation][1 - seat->rank]
                                         : shared->generation.room);
}

static inline void kp_pass_arrive(kp_group *seat)
{
    if (seat->shared->size > 1)
        kp_barrier_arrive(seat, seat->shown.call.fingerprint);
}

static inline int kp_pass_await(kp_group *seat, int round)
{
    struct kp_shared *shared = seat->shared;
    if (seat->exchange || kp_self.points || shared->size == 1)
        return kp_port_await(seat, round);
    uint32_t next = seat->was_last ? seat->next
                                   : kp_wait_briefly(&shared->generation, seat->seen,
                                                     seat->part ? 0 : seat->waiter.spins);
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

static inline int kp_pass_close(kp_group *seat)
{
    const struct kp_shared *shared = seat->shared;
    if (seat->exchange ||
        atomic_load_explicit(&shared->exposed, KP_ORDER_WITHIN_PASS) == seat->passes)
        return kp_port_close(seat);
    return KP_OK;
}

#endif
