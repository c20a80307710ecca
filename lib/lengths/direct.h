/* This header declares calls whose blocks have lengths of their own and go straight to their
 * receivers. They do so if every member has a port for every other one. */
#ifndef KPORT_LIB_LENGTHS_DIRECT_H
#define KPORT_LIB_LENGTHS_DIRECT_H

#include "lib/call/call.h"
#include "lib/lengths/check.h"
#include "lib/problem/operator.h"

/* What a member needs to know of its call. Another member reads it only to tell in what the members
 * differ. */
struct kp_direct {
    struct kp_telling telling; /* comes first: kp_port_told finds the struct by it */
    kp_group *member;
    struct kp_lengths_call call;
    uint64_t fingerprint;
    uint64_t difference; /* what the member adds to the sum of fingerprints */
    bool out_each, in_each, rooted;
    bool goes; /* this member's blocks can go directly */
    size_t n, rank, root;
    size_t slot;                    /* the bytes of a slot */
    size_t longest_out, longest_in; /* the longest block to another member, and from another one */
    /* Calls that read and write more than this copy long blocks with stores that bypass the cache.
     */
    size_t past_cache;
    const kp_operator *op; /* NULL: no reduction */
    struct kp_loops loops;
    const char *own; /* during the call: the block of this member for itself, or NULL */
};

/* Returns whether a call with these arguments goes directly. All members get the same result. */
bool kp_direct_serves(const kp_group *member, const kp_arguments *a);

/* Checks the arguments and fills in `d`, which keeps `a`. Returns 0 or the status of an error that
 * is set at the processor. `own` is as in kp_lengths_execute. */
int kp_direct_prepare(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
                      struct kp_direct *d);

/* Makes the call. Returns what the call returns. Returns KP_DIRECT_NOT if some member's blocks
 * cannot go directly. Then all members get this result, no data has moved, and they make the call
 * in the general way. */
#define KP_DIRECT_NOT 1 /* no status: those are 0 or less */
int kp_direct_carry_out(struct kp_direct *d);

/* The two parts of kp_direct_carry_out before the call is closed: up to the arrival at the barrier,
 * and from there on. */
void kp_direct_begin(struct kp_direct *d);
int kp_direct_end(struct kp_direct *d);

/* Returns whether the member has nothing to do in the call but to send blocks from its slots, and
 * to copy its block for itself, if it has one. `kp_direct_take_own` makes this copy, between the
 * two parts of the call. `kp_direct_unpack_sent` copies the blocks in the slots back to where they
 * lay in the buffer; it is called after the episode. */
bool kp_direct_only_sends(const struct kp_direct *d);
void kp_direct_take_own(struct kp_direct *d);
void kp_direct_unpack_sent(const struct kp_direct *d, char *out);

/* Returns whether no other member uses this one's memory when kp_direct_end has returned 0. */
bool kp_direct_is_free_at_end(const struct kp_direct *d);

/* Returns the call that the member has begun last, if that goes directly. */
struct kp_direct *kp_direct_of(const kp_group *member);

/* Prepares the call and makes it. */
int kp_direct_execute(kp_group *member, const kp_arguments *a, struct kp_lengths *own);

#endif
