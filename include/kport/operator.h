/* This header declares the types of elements that reductions combine, and the operators that
 * combine them.
 *
 * An operator must be associative. If it is not commutative, every result combines the operands in
 * the order of the ranks. How the operands are grouped (and, if the operator is commutative, in
 * which order they come) depends on the algorithm and its parameters, n, k, the root and the number
 * of elements. If a call leaves the algorithm open, the order also depends on the config's model or
 * profile. The order never depends on timing. So the same call gives the same bits on every run,
 * also for floating-point types. Any thread may call the functions of this header. */
#ifndef KPORT_OPERATOR_H
#define KPORT_OPERATOR_H

#include <stddef.h>
#include <stdint.h>

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
    KP_LONG_DOUBLE,
    KP_COMPLEX_FLOAT32,     /* float _Complex */
    KP_COMPLEX_FLOAT64,     /* double _Complex */
    KP_COMPLEX_LONG_DOUBLE, /* long double _Complex */
    KP_BOOL,                /* _Bool */
    KP_INT16_INT,           /* the types ..._INT are pairs: kp_int16_int and so on */
    KP_INT32_INT,
    KP_INT64_INT,
    KP_FLOAT32_INT,
    KP_FLOAT64_INT,
    KP_LONG_DOUBLE_INT,
    KP_TYPES
} kp_type;

/* A value and where it is, for KP_MINLOC and KP_MAXLOC. The members lie as in MPI_SHORT_INT,
 * MPI_2INT, MPI_LONG_INT (where a long has 64 bits), MPI_FLOAT_INT, MPI_DOUBLE_INT and
 * MPI_LONG_DOUBLE_INT. Bytes between and behind the members, and the unused bytes of a long double,
 * hold no value: a call may copy them, overwrite them or leave them. */
typedef struct kp_int16_int {
    int16_t value;
    int index;
} kp_int16_int;
typedef struct kp_int32_int {
    int32_t value;
    int index;
} kp_int32_int;
typedef struct kp_int64_int {
    int64_t value;
    int index;
} kp_int64_int;
typedef struct kp_float32_int {
    float value;
    int index;
} kp_float32_int;
typedef struct kp_float64_int {
    double value;
    int index;
} kp_float64_int;
typedef struct kp_long_double_int {
    long double value;
    int index;
} kp_long_double_int;

/* Returns the type's name, "uint8" ... "float64", "opaque", "long-double" ... "long-double-int".
 * Returns NULL for any other number. */
KP_API const char *kp_type_name(kp_type type);

/* Returns the bytes of a value of the type; 0 for KP_OPAQUE. */
KP_API size_t kp_type_bytes(kp_type type);

/* An operator of the library or of the user. The user sets unused fields to 0. An operator must
 * stay unchanged at its address until all calls that use it have returned. kport recognises the
 * library's operators by their addresses, so a copy of a library's operator does not work. Two
 * members use the same operator if their operators agree in name, function, element size and
 * commutativity. kport does not compare contexts, nor the functions of different processes. */
typedef struct kp_operator {
    const char *name; /* the name in error sentences; NULL: "user" */

    /* Computes to[i] = left[i] op right[i] for 0 <= i < count. `to` may equal `left` or `right`.
     * Apart from that, the three arrays do not overlap. Each processor's thread calls this function
     * for the combinations of its processor, so several threads may call it at the same time. The
     * function may not call kport, longjmp or throw. If it does so, the next call of its processor
     * fails. NULL: an operator of the library. */
    void (*combine)(void *to, const void *left, const void *right, size_t count, void *context);
    void *context;
    size_t element_bytes; /* the bytes of an element of type KP_OPAQUE */
    int commutative;      /* 0: kport combines operands in the order of the ranks */
} kp_operator;

/* The library's operators. Sums and products of integers, signed or not, are modulo 2^bits. Logical
 * operators give 1 or 0. The minimum or maximum of a NaN and a number may be the NaN or the number,
 * but is the same on every run. Each operator knows these types:
 *
 *                                    integers  floating-point  complex  KP_BOOL  pairs
 * sum, product, KP_COMPOSE              yes         yes          yes
 * minimum, maximum                      yes         yes
 * logical-and, -or, -xor                yes         yes                   yes
 * bit-and, -or, -xor                    yes
 * minloc, maxloc                                                                  yes
 *
 * Any other type is refused, with a sentence that names operator and type. */
typedef enum kp_builtin {
    KP_BUILTIN_SUM,
    KP_BUILTIN_PRODUCT,
    KP_BUILTIN_MINIMUM,
    KP_BUILTIN_MAXIMUM,
    KP_BUILTIN_LOGICAL_AND,
    KP_BUILTIN_LOGICAL_OR,
    KP_BUILTIN_LOGICAL_XOR,
    KP_BUILTIN_BIT_AND,
    KP_BUILTIN_BIT_OR,
    KP_BUILTIN_BIT_XOR,
    KP_BUILTIN_COMPOSE, /* not commutative; see KP_COMPOSE */
    KP_BUILTIN_MINLOC,  /* see KP_MINLOC */
    KP_BUILTIN_MAXLOC,
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

/* The composition of linear maps. An element consists of two values (a, c) of the type and stands
 * for the map x -> a x + c. `left op right` applies the map `left` first and then the map `right`.
 * A scan with this operator computes all terms of x_i = a_i x_{i-1} + c_i. */
#define KP_COMPOSE (&kp_builtin_operators[KP_BUILTIN_COMPOSE])

/* The least or the greatest value of a pair, and its index. Of equal values the lowest index is
 * taken (MPI_MINLOC, MPI_MAXLOC). A NaN counts as equal to every value. */
#define KP_MINLOC (&kp_builtin_operators[KP_BUILTIN_MINLOC])
#define KP_MAXLOC (&kp_builtin_operators[KP_BUILTIN_MAXLOC])

#ifdef __cplusplus
}
#endif

#endif
