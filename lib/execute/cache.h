/* In its call cache a member finds the calls that it has already prepared. The cache compares the
 * call's arguments, except the addresses of the buffers.
 *
 * Each member has a cache of its own, so finding a call takes no lock and writes nothing. The cache
 * holds many calls, so a program may alternate operations, lengths, roots and operators. */
#ifndef KPORT_LIB_EXECUTE_CACHE_H
#define KPORT_LIB_EXECUTE_CACHE_H

#include "kport/persistent.h"
#include "lib/call/prepared.h"
#include "ports/member.h"

#define KP_FEW_KEPT 4 /* the number of slots of a new cache; a power of two */

/* The kept calls of one member take at most this many bytes together. A call counts with its code
 * and with 1/n of its schedule, because n members share the schedule. Two calls are kept even if
 * they take more. */
#define KP_CACHE_BYTES ((size_t)256 << 10)

/* Finding a call reads only the first cache line of this struct. */
struct kp_cache {
    /* A hash table with open addressing. A call is in the slot that its hash selects, or, if that
     * slot is taken, in the next free slot. */
    struct kp_prepared **slots;
    uint32_t mask, count;
    struct kp_prepared *few[KP_FEW_KEPT]; /* the slots of a table that has not grown yet */
    char *scratch;  /* scratch memory for calls, large enough for any kept call */
    size_t bytes;   /* the bytes that the kept calls take */
    uint32_t next;  /* the first slot to look at when a call must be dropped */
    uint32_t drops; /* how many calls were dropped */
};

/* The field `what` of a key (kp_key) has the operation in its lowest bits. These macros give the
 * other bits. */
#define KP_KEY_TYPE(type)   ((uint64_t)(type) << 8)
#define KP_KEY_ROOT(root)   ((uint64_t)(uint32_t)(root) << 32)
#define KP_KEY_OUT_IN_PLACE (UINT64_C(1) << 16)
#define KP_KEY_IN_IN_PLACE  (UINT64_C(1) << 17)
#define KP_KEY_MORE         (UINT64_C(1) << 18) /* the call has a target, an operator, hints or layouts */

/* The arguments of a call in the form that the cache compares. The cache reads `a` only if `what`
 * has KP_KEY_MORE. */
struct kp_key {
    uint64_t what;
    size_t amount; /* the length in bytes, or the number of elements */
    uint64_t slot; /* kp_key_slot of `what` and `amount` */
    const kp_arguments *a;
};

/* Returns the hash of a call. The caller takes it modulo the number of slots. The hash has the top
 * bits of a product, because equally spaced lengths differ most there. */
static inline uint64_t kp_key_slot(uint64_t what, size_t amount)
{
    return (what ^ (uint64_t)amount << 12) * UINT64_C(0x9e3779b97f4a7c15) >> 52;
}

static inline struct kp_key kp_key_of(const kp_arguments *a)
{
    struct kp_key key = {.a = a, .amount = a->count > 0 ? a->count : a->b};
    key.what = (uint64_t)a->operation | KP_KEY_TYPE(a->type) | KP_KEY_ROOT(a->root);
    if (a->out == KP_IN_PLACE)
        key.what |= KP_KEY_OUT_IN_PLACE;
    if (a->in == KP_IN_PLACE)
        key.what |= KP_KEY_IN_IN_PLACE;
    if (a->op || a->hints || a->to != 0 || a->out_layout || a->in_layout)
        key.what |= KP_KEY_MORE;
    key.slot = kp_key_slot(key.what, key.amount);
    return key;
}

static inline struct kp_prepared *kp_cache_find_what(const kp_group *member, uint64_t what,
                                                     size_t amount, const kp_operator *op)
{
    const struct kp_cache *cache = kp_member_attachment(member);
    if (!cache)
        return NULL;
    for (uint64_t at = kp_key_slot(what, amount);; at++) {
        struct kp_prepared *one = cache->slots[at & cache->mask];
        if (!one || (one->what == what && one->amount == amount && (!op || one->plain_op == op)))
            return one;
    }
}

/* Returns the kept call of an operation whose only other arguments are a length and a root, or
 * NULL. */
static inline struct kp_prepared *kp_cache_find_plain(const kp_group *member,
                                                      kp_operation operation, size_t b, int root)
{
    return kp_cache_find_what(member, (uint64_t)operation | KP_KEY_ROOT(root), b, NULL);
}

/* The same for a reduction by one of the library's operators. `op` is not NULL; any other operator
 * is not found. */
static inline struct kp_prepared *kp_cache_find_reduction(const kp_group *member,
                                                          kp_operation operation, size_t count,
                                                          kp_type type, const kp_operator *op,
                                                          int root)
{
    const uint64_t what = (uint64_t)operation | KP_KEY_TYPE(type) | KP_KEY_ROOT(root) | KP_KEY_MORE;
    return kp_cache_find_what(member, what, count, op);
}

/* Returns the kept call with this key, which may have any arguments, or NULL. If the program passes
 * an operator of its own, the kept call uses the operator in `key->a` from now on. */
struct kp_prepared *kp_cache_find(const kp_group *member, const struct kp_key *key);

/* Returns such a call and changes nothing. */
const struct kp_prepared *kp_cache_look(const kp_group *member, const struct kp_key *key);

/* Adds a call to the cache, and drops other calls if room is needed. The cache owns the call from
 * now on. Returns false if there is no memory. */
bool kp_cache_add(const kp_group *member, struct kp_cache *cache, struct kp_prepared *one);

void kp_cache_init(struct kp_cache *cache);
void kp_cache_free(struct kp_cache *cache);

#endif
