/* The library's operators on every type: one loop each, written by macros.
 *
 * Integers are combined as unsigned numbers of at least their own length and cut again, so that
 * nothing overflows. A loop may run over a `to` that is `left` or `right`: it reads what it
 * overwrites before it does, and elements do not depend on each other. */
#include "lib/operator.h"

/* GCC would leave loops scalar at the level that the rest is compiled with, which takes several
 * times as long. Elements are the same in whatever order the loop takes them. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3")
#define ELEMENTS_ARE_APART _Pragma("GCC ivdep")
#else
#define ELEMENTS_ARE_APART
#endif

#include <stdint.h>

/* type, C type, the type that it is computed in */
#define INTEGERS(X)                                                                                \
    X(KP_UINT8, uint8_t, uint32_t)                                                                 \
    X(KP_UINT16, uint16_t, uint32_t)                                                               \
    X(KP_UINT32, uint32_t, uint32_t)                                                               \
    X(KP_UINT64, uint64_t, uint64_t)                                                               \
    X(KP_INT8, int8_t, uint32_t)                                                                   \
    X(KP_INT16, int16_t, uint32_t)                                                                 \
    X(KP_INT32, int32_t, uint32_t)                                                                 \
    X(KP_INT64, int64_t, uint64_t)
#define ALL(X) INTEGERS(X) X(KP_FLOAT32, float, float) X(KP_FLOAT64, double, double)

#define LOOP(NAME, TYPE, T, EXPRESSION)                                                            \
    static void NAME##_##TYPE(void *to, const void *left, const void *right, size_t count,         \
                              void *context)                                                       \
    {                                                                                              \
        T *result = to;                                                                            \
        const T *l = left, *r = right;                                                             \
        (void)context;                                                                             \
        ELEMENTS_ARE_APART                                                                         \
        for (size_t i = 0; i < count; i++)                                                         \
            result[i] = (T)(EXPRESSION);                                                           \
    }

#define SUM(TYPE, T, WIDE)         LOOP(sum, TYPE, T, (WIDE)l[i] + (WIDE)r[i])
#define PRODUCT(TYPE, T, WIDE)     LOOP(product, TYPE, T, (WIDE)l[i] * (WIDE)r[i])
#define MINIMUM(TYPE, T, WIDE)     LOOP(minimum, TYPE, T, r[i] < l[i] ? r[i] : l[i])
#define MAXIMUM(TYPE, T, WIDE)     LOOP(maximum, TYPE, T, l[i] < r[i] ? r[i] : l[i])
#define LOGICAL_AND(TYPE, T, WIDE) LOOP(logical_and, TYPE, T, l[i] != 0 && r[i] != 0)
#define LOGICAL_OR(TYPE, T, WIDE)  LOOP(logical_or, TYPE, T, l[i] != 0 || r[i] != 0)
#define LOGICAL_XOR(TYPE, T, WIDE) LOOP(logical_xor, TYPE, T, (l[i] != 0) != (r[i] != 0))
#define BIT_AND(TYPE, T, WIDE)     LOOP(bit_and, TYPE, T, (WIDE)l[i] & (WIDE)r[i])
#define BIT_OR(TYPE, T, WIDE)      LOOP(bit_or, TYPE, T, (WIDE)l[i] | (WIDE)r[i])
#define BIT_XOR(TYPE, T, WIDE)     LOOP(bit_xor, TYPE, T, (WIDE)l[i] ^ (WIDE)r[i])

/* (a, c) first, (b, e) second: b (a x + c) + e. All four are read before the first is written. */
#define COMPOSE(TYPE, T, WIDE)                                                                     \
    static void compose_##TYPE(void *to, const void *left, const void *right, size_t count,        \
                               void *context)                                                      \
    {                                                                                              \
        T *result = to;                                                                            \
        const T *l = left, *r = right;                                                             \
        (void)context;                                                                             \
        for (size_t i = 0; i < 2 * count; i += 2) {                                                \
            WIDE factor = (WIDE)r[i] * (WIDE)l[i];                                                 \
            WIDE term = (WIDE)r[i] * (WIDE)l[i + 1] + (WIDE)r[i + 1];                              \
            result[i] = (T)factor;                                                                 \
            result[i + 1] = (T)term;                                                               \
        }                                                                                          \
    }

ALL(SUM)
ALL(PRODUCT)
ALL(MINIMUM)
ALL(MAXIMUM)
ALL(LOGICAL_AND)
ALL(LOGICAL_OR)
ALL(LOGICAL_XOR)
INTEGERS(BIT_AND)
INTEGERS(BIT_OR)
INTEGERS(BIT_XOR)
ALL(COMPOSE)

#define ENTRY(NAME, TYPE) [TYPE] = NAME##_##TYPE,
#define ON_INTEGERS(NAME)                                                                          \
    ENTRY(NAME, KP_UINT8)                                                                          \
    ENTRY(NAME, KP_UINT16)                                                                         \
    ENTRY(NAME, KP_UINT32)                                                                         \
    ENTRY(NAME, KP_UINT64)                                                                         \
    ENTRY(NAME, KP_INT8) ENTRY(NAME, KP_INT16) ENTRY(NAME, KP_INT32) ENTRY(NAME, KP_INT64)
#define ON_ALL(NAME) ON_INTEGERS(NAME) ENTRY(NAME, KP_FLOAT32) ENTRY(NAME, KP_FLOAT64)

kp_combine *const kp_builtin_functions[KP_BUILTINS][KP_TYPES] = {
    [KP_BUILTIN_SUM] = {ON_ALL(sum)},
    [KP_BUILTIN_PRODUCT] = {ON_ALL(product)},
    [KP_BUILTIN_MINIMUM] = {ON_ALL(minimum)},
    [KP_BUILTIN_MAXIMUM] = {ON_ALL(maximum)},
    [KP_BUILTIN_LOGICAL_AND] = {ON_ALL(logical_and)},
    [KP_BUILTIN_LOGICAL_OR] = {ON_ALL(logical_or)},
    [KP_BUILTIN_LOGICAL_XOR] = {ON_ALL(logical_xor)},
    [KP_BUILTIN_BIT_AND] = {ON_INTEGERS(bit_and)},
    [KP_BUILTIN_BIT_OR] = {ON_INTEGERS(bit_or)},
    [KP_BUILTIN_BIT_XOR] = {ON_INTEGERS(bit_xor)},
    [KP_BUILTIN_COMPOSE] = {ON_ALL(compose)},
};
