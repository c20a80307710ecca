/* The call cache: calls are found by their arguments, except for the addresses of buffers.
 *
 * Each member has a table of its own, so a hit takes no lock and writes nothing. A program that
 * alternates operations, lengths, roots and operators finds all of its calls. */
#ifndef KPORT_LIB_EXECUTE_CACHE_H
#define KPORT_LIB_EXECUTE_CACHE_H

#include "kport/persistent.h"
#include "lib/call/plan.h"
#include "ports/pass.h"

#define KP_FEW_KEPT 4 /* slots that a member begins with; a power of two */

/* What the calls of a member may take: each with its code, and with this member's part of the
 * schedule that all members share. Only two calls that are longer together may take more. */
#define KP_CACHE_BYTES ((size_t)256 << 10)

/* The first line is all that a call reads of it. */
struct kp_cache {
    struct kp_prepared **slots; /* by hash, then the next free one; NULL: none */
    uint32_t mask, count;
    struct kp_prepared *few[KP_FEW_KEPT]; /* the slots, to begin with */
    char *scratch;                        /* as much as any call that is kept needs */
    size_t bytes;                         /* of what is kept */
    uint32_t next;                        /* to be forgotten when there are enough */
};

/* Beside the operation, in `what`. */
#define KP_KEY_TYPE(type)   ((uint64_t)(type) << 8)
#define KP_KEY_ROOT(root)   ((uint64_t)(uint32_t)(root) << 32)
#define KP_KEY_OUT_IN_PLACE (UINT64_C(1) << 16)
#define KP_KEY_IN_IN_PLACE  (UINT64_C(1) << 17)
#define KP_KEY_MORE         (UINT64_C(1) << 18) /* target, operator or algorithm count too */

/* The arguments of a call in the form in which they are compared. `a` is read only if `what` has
 * KP_KEY_MORE. */
struct kp_key {
    uint64_t what;
    size_t amount; /* bytes, or elements */
    const kp_arguments *a;
};

/* The first slot of a call. The uppermost bits differ most for lengths at equal distances. */
static inline uint64_t kp_key_slot(uint64_t what, size_t amount)
{
    return (what ^ (uint64_t)amount << 12) * UINT64_C(0x9e3779b97f4a7c15) >> 52;
}

/* Finds a call that has no arguments but a length and a root. NULL: it is not kept. */
static inline struct kp_prepared *kp_cache_find_plain(const kp_group *member,
                                                      kp_operation operation, size_t b, int root)
{
    const struct kp_cache *cache = kp_pass_attachment(member);
    const uint64_t what = (uint64_t)operation | KP_KEY_ROOT(root);
    if (!cache)
        return NULL;
    for (uint64_t at = kp_key_slot(what, b);; at++) {
        struct kp_prepared *one = cache->slots[at & cache->mask];
        if (!one || (one->what == what && one->amount == b))
            return one;
    }
}

/* The key of these arguments. */
struct kp_key kp_key_of(const kp_arguments *a);

/* Finds any call. NULL: it is not kept. A program's own operator is replaced by the one given here.
 */
struct kp_prepared *kp_cache_find(const kp_group *member, const struct kp_key *key);

/* Keeps a call, which belongs to the cache from then on. Other calls are dropped to make room.
 * False: there is no memory. */
bool kp_cache_add(const kp_group *member, struct kp_cache *cache, struct kp_prepared *one);

void kp_cache_init(struct kp_cache *cache);
void kp_cache_free(struct kp_cache *cache);

#endif
