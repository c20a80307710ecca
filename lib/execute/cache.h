/* The call cache, in which a member finds the calls that it has already prepared. The cache finds a
 * call by the call's arguments. The addresses of the buffers do not count.
 *
 * Each member has a cache of its own, so a hit takes no lock and writes nothing. The cache holds
 * many calls, so a program may alternate operations, lengths, roots and operators. */
#ifndef KPORT_LIB_EXECUTE_CACHE_H
#define KPORT_LIB_EXECUTE_CACHE_H

#include "kport/persistent.h"
#include "lib/call/prepared.h"
#include "ports/member.h"

#define KP_FEW_KEPT 4 /* the number of slots at the beginning; a power of two */

/* The most bytes that the kept calls of one member may take. The code of a call counts. The
 * schedule, which all members share, counts with the member's share of it. The cache keeps two
 * calls even if they take more. */
#define KP_CACHE_BYTES ((size_t)256 << 10)

/* A call that is in the cache reads only the first cache line of this struct. */
struct kp_cache {
    /* A hash table with open addressing. A call is in the slot that its hash selects, or, if that
     * slot is taken, in the next free slot. */
    struct kp_prepared **slots;
    uint32_t mask, count;
    struct kp_prepared *few[KP_FEW_KEPT]; /* the slots before the table grows */
    char *scratch;                        /* scratch memory, large enough for each kept call */
    size_t bytes;                         /* the bytes that the kept calls take */
    uint32_t next; /* the first slot to look at when a call must be dropped */
};

/* The arguments that `what` of a key contains, in the bits above those of the operation. */
#define KP_KEY_TYPE(type)   ((uint64_t)(type) << 8)
#define KP_KEY_ROOT(root)   ((uint64_t)(uint32_t)(root) << 32)
#define KP_KEY_OUT_IN_PLACE (UINT64_C(1) << 16)
#define KP_KEY_IN_IN_PLACE  (UINT64_C(1) << 17)
#define KP_KEY_MORE         (UINT64_C(1) << 18) /* the call has a target, operator or hints */

/* The arguments of a call in the form that the cache compares. The cache reads `a` only if `what`
 * has KP_KEY_MORE. */
struct kp_key {
    uint64_t what;
    size_t amount; /* the length in bytes, or the number of elements */
    const kp_arguments *a;
};

/* Returns the slot that the hash of a call selects. The hash uses the top bits of the product,
 * because equally spaced lengths differ most there. */
static inline uint64_t kp_key_slot(uint64_t what, size_t amount)
{
    return (what ^ (uint64_t)amount << 12) * UINT64_C(0x9e3779b97f4a7c15) >> 52;
}

/* Finds a call whose only arguments are a length and a root. Returns NULL if it is not kept. */
static inline struct kp_prepared *kp_cache_find_plain(const kp_group *member,
                                                      kp_operation operation, size_t b, int root)
{
    const struct kp_cache *cache = kp_member_attachment(member);
    const uint64_t what = (uint64_t)operation | KP_KEY_ROOT(root);
    if (!cache)
        return NULL;
    for (uint64_t at = kp_key_slot(what, b);; at++) {
        struct kp_prepared *one = cache->slots[at & cache->mask];
        if (!one || (one->what == what && one->amount == b))
            return one;
    }
}

struct kp_key kp_key_of(const kp_arguments *a);

/* Finds a call with any arguments. Returns NULL if the call is not kept. If the program passes an
 * operator of its own, the kept call uses the operator in `key->a` from now on. */
struct kp_prepared *kp_cache_find(const kp_group *member, const struct kp_key *key);

/* Keeps a call, and drops other calls to make room. The cache owns the call from now on. Returns
 * false if there is no memory. */
bool kp_cache_add(const kp_group *member, struct kp_cache *cache, struct kp_prepared *one);

void kp_cache_init(struct kp_cache *cache);
void kp_cache_free(struct kp_cache *cache);

#endif
