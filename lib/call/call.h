/* A collective call: checking its arguments, preparing it, and carrying it out. */
#ifndef KPORT_LIB_CALL_H
#define KPORT_LIB_CALL_H

#include "lib/call/prepared.h"

#include <stdbool.h>

struct kp_key;
struct kp_lengths;

/* Returns the fingerprint of a call. Calls with different roots or operators have different
 * fingerprints. The barrier compares the sum of the members' fingerprints, so roots 0, 1 and 2 must
 * not give numbers at equal distances. Hence all bits are mixed. The result is never KP_REFUSED,
 * the fingerprint of a refused call. */
static inline uint64_t kp_call_fingerprint(uint64_t problem, int root, uint64_t op)
{
    uint64_t x = kp_mix(problem + op + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)root);
    return x != KP_REFUSED ? x : 1;
}

/* Returns the problem for which the arguments ask. The arguments may be invalid. */
kp_problem kp_call_problem(kp_group *member, const kp_arguments *a);

/* Checks the arguments. Returns 0, or the status of the error that is set at the processor. */
int kp_call_check(kp_group *member, const kp_arguments *a, const kp_problem *asked);

/* If `asked` names an algorithm, checks that this algorithm belongs to the operation. Returns what
 * kp_call_check returns. */
int kp_call_check_algorithm(kp_group *member, const kp_problem *asked);

/* Returns the bytes of a buffer, 0 if this processor has no such buffer. */
size_t kp_call_buffer_bytes(const kp_problem *p, int rank, kp_space space);

/* Carries out a prepared call with these buffers. One of them may be KP_IN_PLACE. */
int kp_call_carry_out(kp_group *member, struct kp_prepared *prepared, const void *out, void *in,
                      char *scratch);

/* Prepares a call whose arguments have been checked (kp_prepared_make), and carries it out. Reports
 * describe the call as the problem `called`. */
int kp_call_serve(kp_group *member, const struct kp_key *key, const kp_problem *asked,
                  const kp_problem *called, bool keeps);

/* `kp_call_describe` writes the text of a problem for reports. `kp_call_describe_prepared` does so
 * for the problem of a kp_prepared. `kp_call_past` describes a copy of a problem whose operator may
 * no longer exist. */
void kp_call_describe(const void *subject, char *text, size_t size);
void kp_call_describe_prepared(const void *subject, char *text, size_t size);
extern const struct kp_past kp_call_past;

/* For operations whose blocks have lengths of their own (lengths.c). `kp_lengths_check` checks the
 * arguments as far as one member can. `kp_lengths_execute` makes the call. `own` holds the tables
 * of the member or of a persistent plan. Both return 0, or the status of the error that is set at
 * the processor. */
int kp_lengths_check(kp_group *member, const kp_arguments *a, struct kp_lengths *own);
int kp_lengths_execute(kp_group *member, const kp_arguments *a, struct kp_lengths *own);

/* Refuses an argument that the operation does not have. */
int kp_call_check_foreign(kp_group *member, const kp_arguments *a, const kp_problem *asked);

/* `kp_call` makes a call. `kp_call_entered` does the same after kp_member_enter. */
int kp_call(kp_group *member, const kp_arguments *a);
int kp_call_entered(kp_group *member, const kp_arguments *a);

#endif
