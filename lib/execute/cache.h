/* The call cache. It finds calls by their arguments, except for the addresses of buffers.
 *
 * Each member has a table of its own, so a hit takes no lock and writes nothing. A program that
 * alternates operations, lengths, roots and operators finds all of its calls. */
#ifndef KPORT_LIB_EXECUTE_CACHE_H
#define KPORT_LIB_EXECUTE_CACHE_H

#include "kport/persistent.h"
#include "lib/call/prepared.h"
#include "ports/member.h"

#define KP_FEW_KEPT 4 /* the number of slots at first, a power of two */

/* The bound in bytes for the kept calls of one member. The code of a call counts, and so does the
 * member's share of the schedule, which all members use. Two calls are kept in any case. */
#define KP_CACHE_BYTES ((size_t)256 << 10)

/* A call reads only the first cache line of this struct. */
struct kp_cache {
    /* An open-addressing hash table: a call is in its slot or in the next free one. */
    struct kp_prepared **slots;
    uint32_t mask, count;
    struct kp_prepared *few[KP_FEW_KEPT]; /* the first slots, before the table grows */
    char *scratch;                        /* enough for each kept call */
    size_t bytes;                         /* the bytes that the kept calls take */
    uint32_t next;                        /* the slot from which the next call is dropped */
};

/* The bits of `what` above the operation. */
#define KP_KEY_TYPE(type)   ((uint64_t)(type) << 8)
#define KP_KEY_ROOT(root)   ((uint64_t)(uint32_t)(root) << 32)
#define KP_KEY_OUT_IN_PLACE (UINT64_C(1) << 16)
#define KP_KEY_IN_IN_PLACE  (UINT64_C(1) << 17)
#define KP_KEY_MORE         (UINT64_C(1) << 18) /* there is a target, operator or algorithm */

/* The arguments of a call in the form in which they are compared. `a` is read only if `what` has
 * KP_KEY_MORE. */
struct kp_key {
    uint64_t what;
    size_t amount; /* the length in bytes, or the number of elements */
    const kp_arguments *a;
};

/* Returns the first slot of a call. Lengths at equal distances differ most in the top bits. */
static inline uint64_t kp_key_slot(uint64_t what, size_t amount)
{
    return (what ^ (uint64_t)amount << 12) * UINT64_C(0x9e3779b97f4a7c15) >> 52;
}

/* Finds a call that has no arguments but a length and a root. Returns NULL if it is not kept. */
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

/* Finds any call. Returns NULL if it is not kept. If the call has a program's own operator, the
 * kept call uses the operator at `key->a` from then on. */
struct kp_prepared *kp_cache_find(const kp_group *member, const struct kp_key *key);

/* Keeps a call. The cache owns it from then on, and drops other calls to make room. Returns false
 * if there is no memory. */
bool kp_cache_add(const kp_group *member, struct kp_cache *cache, struct kp_prepared *one);

void kp_cache_init(struct kp_cache *cache);
void kp_cache_free(struct kp_cache *cache);

#endif
