/* The calls that are a single round: the barrier, and the papers' send_and_recv. */
#include "kport/collective.h"

#include "lib/call/face.h"
#include "ports/member.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BARRIER_FINGERPRINT UINT64_C(0xba221e2)

static void describe_barrier(const void *subject, char *text, size_t size)
{
    (void)subject;
    snprintf(text, size, "kp_barrier");
}

static const struct kp_call barrier_call = {BARRIER_FINGERPRINT, describe_barrier, NULL};

__attribute__((noinline)) static int traced_barrier(kp_group *group)
{
    kp_trace_open(group, KP_TRACE_BARRIER, 0);
    int status = kp_port_episode(group, 0);
    kp_trace_passed(group);
    kp_trace_round(group, KP_TRACE_ROUND, 0, status ? KP_TRACE_FAILED : 0);
    return kp_member_leave(group, status ? status : kp_port_close(group));
}

int kp_barrier(kp_group *group)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    kp_member_open(group, &barrier_call);
    if (kp_member_is_traced(group))
        return traced_barrier(group);
    kp_member_arrive(group);
    status = kp_member_await(group, 0);
    return kp_member_leave(group, status ? status : kp_member_close(group));
}

/* A trace shows it as a barrier. */
__attribute__((noinline)) static int traced_meet(kp_group *group, unsigned bits, unsigned *all)
{
    kp_trace_open(group, KP_TRACE_BARRIER, 0);
    kp_member_arrive_with(group, bits);
    int status = kp_member_await(group, 0);
    *all = kp_member_bits(group);
    kp_trace_passed(group);
    kp_trace_round(group, KP_TRACE_ROUND, 0, status ? KP_TRACE_FAILED : 0);
    return kp_member_leave(group, status ? status : kp_member_close(group));
}

int kp_face_meet(kp_group *group, const struct kp_call *call, unsigned bits, unsigned *all)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    kp_member_open(group, call);
    if (kp_member_is_traced(group))
        return traced_meet(group, bits, all);
    kp_member_arrive_with(group, bits);
    status = kp_member_await(group, 0);
    *all = kp_member_bits(group);
    return kp_member_leave(group, status ? status : kp_member_close(group));
}

_Static_assert(sizeof(struct kp_face_note) <= KP_PAIR_BUFFER, "a note lies beside a word");

bool kp_face_has_notes(const kp_group *group)
{
    return kp_sync_is_of_two(group);
}

static inline void take_note(const kp_group *group, struct kp_face_met *met)
{
    met->bits = kp_member_near_bits(group);
    if (met->bits)
        memcpy(&met->note, kp_member_near_heard(group), sizeof met->note);
}

/* The same with a trace, or with a message of kp_exchange that nobody took. */
__attribute__((noinline)) static int meet_noting_carefully(kp_group *group, unsigned bits,
                                                           struct kp_face_met *met)
{
    kp_member_arrive_with(group, bits);
    const int status = kp_member_await(group, 0);
    take_note(group, met);
    return kp_member_leave(group, status ? status : kp_member_close(group));
}

int kp_face_meet_noting(kp_group *group, const struct kp_call *call, unsigned bits,
                        struct kp_face_note note, struct kp_face_met *met)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    kp_member_open(group, call);
    if (bits)
        memcpy(kp_member_near(group), &note, sizeof note);
    if (!kp_member_is_plain(group))
        return meet_noting_carefully(group, bits, met);
    const uint64_t fingerprint = kp_member_fingerprint(group);
    kp_sync_arrive(group, KP_SYNC_PAIR, fingerprint, bits);
    status = kp_member_await_as(group, KP_SYNC_PAIR, fingerprint, 0);
    take_note(group, met);
    return kp_member_leave(group, status); /* nobody has lent memory, so there is no close */
}

/* Copies a message from a member to itself, in the round that all members make. */
static int copy_to_self(kp_group *group, const void *out, size_t out_bytes, void *in,
                        size_t in_bytes)
{
    int status = kp_exchange(group, NULL, 0, NULL, 0);
    if (status &&
        status != KP_EUNTAKEN) /* KP_EUNTAKEN is from an earlier round; this round was made */
        return status;
    if (out_bytes != in_bytes)
        return kp_port_error(group, KP_ELENGTH, -1, 0, kp_port_rank(group),
                             "the message to oneself has %zu bytes, but %zu are expected",
                             out_bytes, in_bytes);
    if (in_bytes > 0)
        memmove(in, out, in_bytes);
    return status;
}

static void describe_round(const void *subject, char *text, size_t size)
{
    (void)subject;
    snprintf(text, size, "kp_send_recv");
}

static int check_rank(kp_group *group, const char *name, int rank)
{
    if (rank >= -1 && rank < kp_port_size(group))
        return KP_OK;
    return kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "%s is %d; it may be -1 ... %d", name,
                         rank, kp_port_size(group) - 1);
}

/* Checks the arguments of a member that sends to itself, or receives from itself. */
static int check_self(kp_group *group, const void *out, size_t out_bytes, int to, const void *in,
                      size_t in_bytes, int from)
{
    if (to != from)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                             "to is %d and from is %d; one of them may be the own rank %d only if "
                             "both are",
                             to, from, kp_port_rank(group));
    if ((!out && out_bytes > 0) || (!in && in_bytes > 0))
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                             "%s is NULL with %zu bytes; only with 0 bytes it may be NULL",
                             !out && out_bytes > 0 ? "out" : "in",
                             !out && out_bytes > 0 ? out_bytes : in_bytes);
    if (out_bytes > PTRDIFF_MAX || in_bytes > PTRDIFF_MAX)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "%s is %zu; it may be 0 ... %zu",
                             out_bytes > PTRDIFF_MAX ? "out_bytes" : "in_bytes",
                             out_bytes > PTRDIFF_MAX ? out_bytes : in_bytes, (size_t)PTRDIFF_MAX);
    return KP_OK;
}

/* The receiver reads `out` while this member writes `in`. */
static int check_overlap(kp_group *group, const void *out, size_t out_bytes, const void *in,
                         size_t in_bytes)
{
    uintptr_t x = (uintptr_t)out, y = (uintptr_t)in;
    if (out_bytes == 0 || in_bytes == 0 || (x < y ? y - x >= out_bytes : x - y >= in_bytes))
        return KP_OK;
    return kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "out and in overlap (%zu and %zu bytes)",
                         out_bytes, in_bytes);
}

int kp_send_recv(kp_group *group, const void *out, size_t out_bytes, int to, void *in,
                 size_t in_bytes, int from)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    bool itself = to == kp_port_rank(group) || from == kp_port_rank(group);
    status = check_rank(group, "to", to);
    status = status ? status : check_rank(group, "from", from);
    if (!status && itself)
        status = check_self(group, out, out_bytes, to, in, in_bytes, from);
    if (!status && !itself && to != -1 && from != -1)
        status = check_overlap(group, out, out_bytes, in, in_bytes);
    if (status)
        return kp_member_leave(group, kp_port_refuse(group, describe_round, NULL));
    kp_port_hand_on(group);
    if (itself)
        return copy_to_self(group, out, out_bytes, in, in_bytes);
    kp_outgoing sent = {.port = 0, .peer = to, .data = out, .bytes = out_bytes};
    kp_incoming received = {.port = 0, .peer = from, .data = in, .bytes = in_bytes};
    return kp_exchange(group, &sent, to != -1, &received, from != -1);
}
