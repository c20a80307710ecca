/* What reductions combine: the types of elements, and the operators.
 *
 * An operator is associative; where it is not commutative too, every result is that of the operands
 * in the order of the processors. Which operands are combined first follows from the algorithm and
 * its parameters, n, k, the root and the number of elements; and what is left open of these from
 * the model (the config's beta and tau). Never from who came first: the same call gives the same
 * bits on every run, for floating types too. */
#ifndef KPORT_OPERATOR_H
#define KPORT_OPERATOR_H

#include <stddef.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of an element. */
typedef enum kp_type {
    KP_UINT8,
    KP_UINT16,
    KP_UINT32,
    KP_UINT64,
    KP_INT8,
    KP_INT16,
    KP_INT32,
    KP_INT64,
    KP_FLOAT32, /* float */
    KP_FLOAT64, /* double */
    KP_OPAQUE,  /* known to a user's operator only, which says how long it is */
    KP_TYPES
} kp_type;

/* "uint8" ... "float64", "opaque"; NULL for a number that is none. */
KP_API const char *kp_type_name(kp_type type);

/* Bytes of one value; 0 for KP_OPAQUE. */
KP_API size_t kp_type_bytes(kp_type type);

/* An operator of the library, or one that a user makes: all that is not named is 0. It stays where
 * it is and as it is until all calls that use it have returned. Those of the library go by their
 * address: a copy of one is none. Members use the same operator if name, function, length of the
 * elements and commutativity are the same; contexts are not compared. */
typedef struct kp_operator {
    const char *name; /* for messages; NULL: "user" */

    /* to[i] = left[i] op right[i] for 0 <= i < count. `to` may be `left` or `right`; otherwise the
     * three do not overlap. Called by the thread of the processor that combines, by several
     * at once. May not call kport, longjmp or throw; if it did, its processor's next call fails.
     * NULL: an operator of the library. */
    void (*combine)(void *to, const void *left, const void *right, size_t count, void *context);
    void *context;
    size_t element_bytes; /* of an element of type KP_OPAQUE */
    int commutative;      /* 0: operands are combined in the order of the processors */
} kp_operator;

/* The operators of the library. Sums and products of integers are modulo 2^bits, signed ones too.
 * The logical ones give 1 or 0. Of a comparison with a NaN, either may come out, but the same one
 * on every run. */
typedef enum kp_builtin {
    KP_BUILTIN_SUM,
    KP_BUILTIN_PRODUCT,
    KP_BUILTIN_MINIMUM,
    KP_BUILTIN_MAXIMUM,
    KP_BUILTIN_LOGICAL_AND,
    KP_BUILTIN_LOGICAL_OR,
    KP_BUILTIN_LOGICAL_XOR,
    KP_BUILTIN_BIT_AND, /* integers only, as the two below */
    KP_BUILTIN_BIT_OR,
    KP_BUILTIN_BIT_XOR,
    KP_BUILTIN_COMPOSE, /* not commutative; see KP_COMPOSE */
    KP_BUILTINS
} kp_builtin;
KP_API extern const kp_operator kp_builtin_operators[KP_BUILTINS];

#define KP_SUM         (&kp_builtin_operators[KP_BUILTIN_SUM])
#define KP_PRODUCT     (&kp_builtin_operators[KP_BUILTIN_PRODUCT])
#define KP_MINIMUM     (&kp_builtin_operators[KP_BUILTIN_MINIMUM])
#define KP_MAXIMUM     (&kp_builtin_operators[KP_BUILTIN_MAXIMUM])
#define KP_LOGICAL_AND (&kp_builtin_operators[KP_BUILTIN_LOGICAL_AND])
#define KP_LOGICAL_OR  (&kp_builtin_operators[KP_BUILTIN_LOGICAL_OR])
#define KP_LOGICAL_XOR (&kp_builtin_operators[KP_BUILTIN_LOGICAL_XOR])
#define KP_BIT_AND     (&kp_builtin_operators[KP_BUILTIN_BIT_AND])
#define KP_BIT_OR      (&kp_builtin_operators[KP_BUILTIN_BIT_OR])
#define KP_BIT_XOR     (&kp_builtin_operators[KP_BUILTIN_BIT_XOR])

/* An element is two values (a, c) of the type, and stands for the map x -> a x + c; `left op right`
 * is left first, then right. With a scan, all terms of x_i = a_i x_{i-1} + c_i. */
#define KP_COMPOSE (&kp_builtin_operators[KP_BUILTIN_COMPOSE])

#ifdef __cplusplus
}
#endif

#endif
