/* What reductions combine: the types of elements, and the operators.
 *
 * An operator must be associative. If it is not commutative too, every result combines the operands
 * in the order of the ranks. The order of the combinations depends on the algorithm and its
 * parameters, n, k, the root and the number of elements, and if the call leaves the algorithm open,
 * on the config's model or profile. It never depends on timing. So the same call gives the same
 * bits on every run, also for floating types. */
#ifndef KPORT_OPERATOR_H
#define KPORT_OPERATOR_H

#include <stddef.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    KP_OPAQUE,  /* a type that only the user's operator knows; the operator gives its size */
    KP_TYPES
} kp_type;

/* Returns "uint8" ... "float64" or "opaque"; NULL for any other number. Any thread may call it. */
KP_API const char *kp_type_name(kp_type type);

/* Returns the bytes of one value; 0 for KP_OPAQUE. Any thread may call it. */
KP_API size_t kp_type_bytes(kp_type type);

/* An operator, the library's or a user's; fields that a user does not set are 0. An operator must
 * stay unchanged at its address until all calls that use it have returned. kport recognises the
 * library's operators by their addresses, so a copy of one is no operator. Members use the same
 * operator if name, function, element size and commutativity agree; kport does not compare
 * contexts. */
typedef struct kp_operator {
    const char *name; /* the name in error sentences; NULL: "user" */

    /* Computes to[i] = left[i] op right[i] for 0 <= i < count. `to` may equal `left` or `right`;
     * otherwise the three do not overlap. The thread of each processor that combines calls it,
     * several threads at the same time. It may not call kport, longjmp or throw; if it does, its
     * processor's next call fails. NULL: an operator of the library. */
    void (*combine)(void *to, const void *left, const void *right, size_t count, void *context);
    void *context;
    size_t element_bytes; /* the bytes of an element of type KP_OPAQUE */
    int commutative;      /* 0: kport combines operands in the order of the ranks */
} kp_operator;

/* The library's operators. Sums and products of integers, also of signed ones, are modulo 2^bits.
 * Logical operators give 1 or 0. The minimum or maximum of a NaN and a number may be either, but is
 * the same on every run. */
typedef enum kp_builtin {
    KP_BUILTIN_SUM,
    KP_BUILTIN_PRODUCT,
    KP_BUILTIN_MINIMUM,
    KP_BUILTIN_MAXIMUM,
    KP_BUILTIN_LOGICAL_AND,
    KP_BUILTIN_LOGICAL_OR,
    KP_BUILTIN_LOGICAL_XOR,
    KP_BUILTIN_BIT_AND, /* this one and the next two: integers only */
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

/* An element is two values (a, c) of the type and stands for the map x -> a x + c. `left op right`
 * applies left first, then right. A scan with it computes all terms of x_i = a_i x_{i-1} + c_i. */
#define KP_COMPOSE (&kp_builtin_operators[KP_BUILTIN_COMPOSE])

#ifdef __cplusplus
}
#endif

#endif
