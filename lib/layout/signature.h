/* The signature of data says in which sequence of elements they lie. Two signatures are compared by
 * hashes, so they need no memory, and repeating a signature takes time for the logarithm of the
 * count. */
#ifndef KPORT_LIB_LAYOUT_SIGNATURE_H
#define KPORT_LIB_LAYOUT_SIGNATURE_H

#include "ports/port.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_SIGNATURE_PRIME UINT64_C(2147483647) /* 2^31 - 1 */
#define KP_SIGNATURE_LANES 2

/* The elements are the digits of a number, and the hash is this number modulo a prime, in two
 * bases. `shift` is the power of the base by which the elements before these are multiplied. */
struct kp_signature {
    uint64_t hash[KP_SIGNATURE_LANES], shift[KP_SIGNATURE_LANES];
    bool typed; /* not all elements are bytes */
    int only;   /* the type of all elements, or one of the two below */
};

#define KP_SIGNATURE_EMPTY (-2)
#define KP_SIGNATURE_MIXED (-3)

static inline struct kp_signature kp_signature_none(void)
{
    return (struct kp_signature){.shift = {1, 1}, .only = KP_SIGNATURE_EMPTY};
}

/* Returns the signature of one element of type `type`, or of a byte if `type` is -1. */
static inline struct kp_signature kp_signature_of(int type)
{
    const uint64_t digit = (uint64_t)(type + 2);
    return (struct kp_signature){.hash = {digit, digit},
                                 .shift = {UINT64_C(1103515245), UINT64_C(1812433253)},
                                 .typed = type >= 0,
                                 .only = type};
}

/* Returns the signature of the elements of `a`, followed by those of `b`. */
static inline struct kp_signature kp_signature_joined(struct kp_signature a, struct kp_signature b)
{
    for (int i = 0; i < KP_SIGNATURE_LANES; i++) {
        a.hash[i] = (a.hash[i] * b.shift[i] + b.hash[i]) % KP_SIGNATURE_PRIME;
        a.shift[i] = a.shift[i] * b.shift[i] % KP_SIGNATURE_PRIME;
    }
    a.typed = a.typed || b.typed;
    if (a.only == KP_SIGNATURE_EMPTY)
        a.only = b.only;
    else if (b.only != KP_SIGNATURE_EMPTY && b.only != a.only)
        a.only = KP_SIGNATURE_MIXED;
    return a;
}

static inline struct kp_signature kp_signature_repeated(struct kp_signature once, size_t count)
{
    struct kp_signature all = kp_signature_none();
    for (; count > 0; count /= 2) {
        if (count % 2 == 1)
            all = kp_signature_joined(all, once);
        once = kp_signature_joined(once, once);
    }
    return all;
}

/* Returns a number by which signatures of equal length are compared: 0 if all elements are bytes.
 */
static inline uint64_t kp_signature_number(struct kp_signature s)
{
    return s.typed ? kp_mix(s.hash[0] << 32 ^ s.hash[1]) | 1 : 0;
}

#endif
