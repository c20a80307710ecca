#include "lib/execute/cache.h"

#include "lib/layout/kept.h"
#include "lib/problem/operator.h"

#include <stdlib.h>
#include <string.h>

void kp_cache_init(struct kp_cache *cache)
{
    cache->slots = cache->few;
    cache->mask = KP_FEW_KEPT - 1;
}

void kp_cache_free(struct kp_cache *cache)
{
    for (uint32_t i = 0; i <= cache->mask; i++)
        kp_prepared_free(cache->slots[i]);
    if (cache->slots != cache->few)
        free(cache->slots);
    free(cache->scratch);
}

/* --- Keys --- */

static bool same_hints(const kp_hints *kept, const kp_hints *hints)
{
    static const kp_hints open;
    hints = hints ? hints : &open;
    return kept->algorithm == hints->algorithm && kept->trusted == hints->trusted &&
           kept->flags == hints->flags &&
           memcmp(kept->values, hints->values, sizeof hints->values) == 0;
}

/* Compares an operator of the library by its address. Compares a program's operator by its
 * contents, because a program may put another operator at the same address. */
static bool same_operator(const struct kp_prepared *one, const kp_arguments *a)
{
    const struct kp_operator_seen *kept = &one->operator;
    const kp_operator *op = a->op;
    if (!kept->combine || !op)
        return one->problem.op == op;
    return op->combine == kept->combine && op->element_bytes == kept->element_bytes &&
           kp_operator_fingerprint(op, a->type) == kept->fingerprint;
}

static bool same_rest(const struct kp_prepared *one, const kp_arguments *a)
{
    return one->problem.target == a->to && same_hints(&one->hints, a->hints) &&
           same_operator(one, a) && kp_laid_serves(one->laid, a);
}

static bool serves(const struct kp_prepared *one, const struct kp_key *key)
{
    return one->what == key->what && one->amount == key->amount &&
           (!(key->what & KP_KEY_MORE) || same_rest(one, key->a));
}

/* --- Finding --- */

static inline struct kp_prepared *find(const struct kp_cache *cache, const struct kp_key *key)
{
    struct kp_prepared *one = NULL;
    for (uint64_t at = key->slot; cache && (one = cache->slots[at & cache->mask]); at++) {
        if (serves(one, key))
            break;
    }
    return one;
}

const struct kp_prepared *kp_cache_look(const kp_group *member, const struct kp_key *key)
{
    return find(kp_member_attachment(member), key);
}

struct kp_prepared *kp_cache_find(const kp_group *member, const struct kp_key *key)
{
    struct kp_prepared *one = find(kp_member_attachment(member), key);
    if (one && one->operator.combine) {
        one->problem.op = key->a->op;
        one->combiner.context = key->a->op->context;
    }
    return one;
}

/* --- The kept calls --- */

/* Returns the bytes that a kept call takes. `end` of the last round is the number of all
 * instructions, and `last` of the last round is the number of all messages. */
static size_t bytes_of(const struct kp_prepared *one)
{
    const struct kp_code *code = one->code;
    const size_t n = (size_t)one->problem.n;
    size_t bytes = sizeof *one + one->serving->bytes / n + kp_laid_bytes(one->laid);
    if (!code)
        return bytes;
    const uint32_t rounds = code->rounds;
    const uint32_t instructions = rounds > 0 ? code->round[rounds - 1].end : code->first;
    const uint32_t messages = rounds > 0 ? code->round[rounds - 1].last : 0;
    return bytes + sizeof *code + rounds * sizeof *code->round + instructions * sizeof *code->all +
           messages * sizeof *code->messages;
}

static void insert(struct kp_prepared **slots, uint32_t mask, struct kp_prepared *one)
{
    uint64_t at = kp_key_slot(one->what, one->amount);
    while (slots[at & mask])
        at++;
    slots[at & mask] = one;
}

/* Doubles the table unless at least a quarter of the slots is free. With free slots, a search for a
 * call that is not kept ends soon. */
static bool make_room(struct kp_cache *cache)
{
    uint32_t mask = 2 * cache->mask + 1;
    if (cache->count < cache->mask - cache->mask / 4)
        return true;
    struct kp_prepared **slots = calloc((size_t)mask + 1, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i <= cache->mask; i++) {
        if (cache->slots[i])
            insert(slots, mask, cache->slots[i]);
    }
    if (cache->slots != cache->few)
        free(cache->slots);
    cache->slots = slots;
    cache->mask = mask;
    return true;
}

/* Empties a slot. Calls in the slots after it move up, so that a search that begins at their first
 * slot still finds them. */
static void close_gap(struct kp_cache *cache, uint32_t gap)
{
    const uint32_t mask = cache->mask;
    cache->slots[gap] = NULL;
    for (uint32_t at = (gap + 1) & mask; cache->slots[at]; at = (at + 1) & mask) {
        struct kp_prepared *one = cache->slots[at];
        cache->slots[at] = NULL;
        insert(cache->slots, mask, one);
    }
}

/* Drops a call. The calls are dropped in turn. The least recently used call is not known, because a
 * hit writes nothing. A call that this member has published to other members stays. */
static void forget_one(const kp_group *member, struct kp_cache *cache)
{
    struct kp_prepared *one;
    uint32_t at;
    do {
        at = cache->next++ & cache->mask;
        one = cache->slots[at];
    } while (!one || kp_member_publishes(member, &one->published));
    close_gap(cache, at);
    cache->count--;
    cache->drops++;
    cache->bytes -= bytes_of(one);
    kp_prepared_free(one);
}

bool kp_cache_add(const kp_group *member, struct kp_cache *cache, struct kp_prepared *one)
{
    const size_t bytes = bytes_of(one);
    if (!make_room(cache))
        return false;
    while (cache->bytes + bytes > KP_CACHE_BYTES && cache->count > 1)
        forget_one(member, cache);
    insert(cache->slots, cache->mask, one);
    cache->count++;
    cache->bytes += bytes;
    return true;
}
