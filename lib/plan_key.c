#include "lib/plan_key.h"

#include "lib/operation.h"
#include "lib/operator.h"
#include "lib/problem.h"

#include <string.h>

struct kp_plan_key kp_plan_key_of(const kp_problem *p)
{
    return (struct kp_plan_key){
        .problem = *p, .element = kp_element_bytes(p), .ordered = kp_is_ordered(p)};
}

/* The products do not depend on each other: this stands on the way of every call. Roots are left
 * out: most schedules serve them all. */
uint64_t kp_plan_hash(const kp_problem *p)
{
    _Static_assert(KP_PARAMETERS == 4, "every value counts");
    uint64_t hash = p->b * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= (uint64_t)(uintptr_t)p->algorithm * UINT64_C(0xc2b2ae3d27d4eb4f);
    hash ^= ((uint64_t)p->operation + 1) * UINT64_C(0x165667b19e3779f9);
    hash ^= (uint64_t)p->values[0] * UINT64_C(0xd6e8feb86659fd93);
    hash ^= (uint64_t)p->values[1] * UINT64_C(0xa0761d6478bd642f);
    hash ^= (uint64_t)p->values[2] * UINT64_C(0xe7037ed1a0b428db);
    hash ^= (uint64_t)p->values[3] * UINT64_C(0x8ebc6af09c88c6e3);
    hash ^= (uint64_t)kp_target_from_root(p) * UINT64_C(0x9fb21c651e98df25);
    hash ^= ((uint64_t)p->n << 24 ^ (uint64_t)p->k) * UINT64_C(0x589965cc75374cc3);
    return hash ^ hash >> 32;
}

bool kp_plan_is_of_root(const kp_problem *found)
{
    return found->algorithm->own_root || kp_operation_has_target(found->operation);
}

bool kp_plan_key_serves(const struct kp_plan_key *key, const kp_problem *asked)
{
    const kp_problem *a = &key->problem;
    return a->b == asked->b && a->algorithm == asked->algorithm &&
           a->operation == asked->operation && a->n == asked->n && a->k == asked->k &&
           memcmp(a->values, asked->values, sizeof a->values) == 0 &&
           key->element == kp_element_bytes(asked) && key->ordered == kp_is_ordered(asked) &&
           kp_target_from_root(a) == kp_target_from_root(asked) &&
           (!key->of_root || a->root == asked->root);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Equal at all members whose calls are served by the same plan with the same b. Names, not
 * addresses: two copies of an algorithm's row are the same algorithm. */
uint64_t kp_plan_fingerprint(const kp_problem *p)
{
    uint64_t hash = mix((uint64_t)p->operation + 1, p->b);
    for (const char *c = p->algorithm ? p->algorithm->name : ""; *c; c++)
        hash = mix(hash, (unsigned char)*c);
    for (int i = 0; i < KP_PARAMETERS; i++)
        hash = mix(hash, (uint64_t)p->values[i]);
    return mix(hash, (uint64_t)p->target);
}
