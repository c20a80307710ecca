/* This header declares the steps of a collective call: check its arguments, prepare it, and carry
 * it out. */
#ifndef KPORT_LIB_CALL_H
#define KPORT_LIB_CALL_H

#include "lib/call/prepared.h"

#include <stdbool.h>

struct kp_key;
struct kp_lengths;

/* Returns the fingerprint of a call. `problem` and `op` are the fingerprints of its problem and its
 * operator. Calls that differ in one of these or in the root have different fingerprints. The
 * barrier compares the sum of the members' fingerprints with n times one of them. The function
 * mixes all bits. Without mixing, the fingerprints of successive roots would be evenly spaced, so
 * three members with roots 0, 1 and 2 would have the same sum as three members with root 1. The
 * result is never KP_REFUSED, the fingerprint of a refused call. */
static inline uint64_t kp_call_fingerprint(uint64_t problem, int root, uint64_t op)
{
    uint64_t x = kp_mix(problem + op + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)root);
    return x != KP_REFUSED ? x : 1;
}

/* Returns the fingerprint of the problem's operator on its type, as kp_call_fingerprint takes it.
 * Members that share memory compare the functions of users' operators, too. 0: no reduction. */
uint64_t kp_call_operator(const kp_problem *problem, bool shares_memory);

/* Returns the problem for which the arguments ask. The arguments may be invalid. */
kp_problem kp_call_problem(kp_group *member, const kp_arguments *a);

/* Checks the arguments, which ask for the problem `asked`. Returns 0, or the status of the error
 * that is set at the processor. */
int kp_call_check(kp_group *member, const kp_arguments *a, const kp_problem *asked);

/* Two parts of kp_call_check, for reductions whose blocks have lengths of their own. The first
 * checks operator and type. The second checks the buffers, which have these lengths. */
int kp_call_check_operator(kp_group *member, const kp_problem *asked);
int kp_call_check_buffers(kp_group *member, const kp_arguments *a, const kp_problem *asked,
                          size_t out_bytes, size_t in_bytes);

/* Returns whether these buffers of a prepared call need no further check. A buffer of 0 bytes may
 * lie anywhere. */
bool kp_call_buffers_fit(const struct kp_prepared *call, const void *out, const void *in);

/* The same for a call that reads and writes bytes, at addresses of any alignment. Returns false for
 * KP_IN_PLACE. */
static inline bool kp_call_buffers_plain(const struct kp_prepared *call, const void *out,
                                         const void *in)
{
    uintptr_t from = (uintptr_t)out, to = (uintptr_t)in;
    size_t out_bytes = call->out_bytes, in_bytes = call->in_bytes;
    return out != KP_IN_PLACE && in != KP_IN_PLACE && (from || out_bytes == 0) &&
           (to || in_bytes == 0) && to - from >= out_bytes && from - to >= in_bytes;
}

/* If `asked` names an algorithm, checks that this algorithm belongs to the operation. Returns 0 or
 * a status, as kp_call_check does. */
int kp_call_check_algorithm(kp_group *member, const kp_problem *asked);

/* Returns the length in bytes of the buffer that the member with rank `rank` has for `space`
 * (KP_OUT or KP_IN). Returns 0 if this member has no such buffer. */
size_t kp_call_buffer_bytes(const kp_problem *p, int rank, kp_space space);

/* Carries out a prepared call with these buffers. `out` or `in` may be KP_IN_PLACE. With `early`
 * the member leaves the call early if it has nothing to do at the end (ports/member.h). */
int kp_call_carry_out(kp_group *member, struct kp_prepared *prepared, const void *out, void *in,
                      char *scratch, bool early);

/* Prepares a call with kp_prepared_make, and carries the call out. The caller has checked the
 * arguments. Reports describe the call as the problem `called`. */
int kp_call_serve(kp_group *member, const struct kp_key *key, const kp_problem *asked,
                  const kp_problem *called, bool keeps);

/* `kp_call_describe` writes the text of the problem `subject` for reports.
 * `kp_call_describe_prepared` does the same for the problem of a kp_prepared. `kp_call_past`
 * describes a copy of a problem; the problem's operator may no longer exist. */
void kp_call_describe(const void *subject, char *text, size_t size);
void kp_call_describe_prepared(const void *subject, char *text, size_t size);
extern const struct kp_past kp_call_past;

/* These functions are for operations whose blocks have lengths of their own (lib/lengths).
 * `kp_lengths_check` checks the arguments as far as one member can. `kp_lengths_execute` makes the
 * call. `own` holds the tables of blocks of the member or of a persistent plan. Both return 0, or
 * the status of the error that is set at the processor. */
int kp_lengths_check(kp_group *member, const kp_arguments *a, struct kp_lengths *own);
int kp_lengths_execute(kp_group *member, const kp_arguments *a, struct kp_lengths *own);

/* If such a call without hints goes straight to the receivers, writes how it is carried out, in
 * words of `kport explain`. Otherwise returns false. */
bool kp_lengths_word(const kp_group *member, kp_operation operation, char *text, size_t size);

/* Makes such a call with the member's own tables. */
int kp_lengths_call(kp_group *member, const kp_arguments *a);

/* Refuses an argument that the operation does not have. Returns 0 or a status, as kp_call_check
 * does. */
int kp_call_check_foreign(kp_group *member, const kp_arguments *a, const kp_problem *asked);

/* `kp_call` makes a call. `kp_call_entered` does the same for a caller that has called
 * kp_member_enter. */
int kp_call(kp_group *member, const kp_arguments *a);
int kp_call_entered(kp_group *member, const kp_arguments *a);

#endif
