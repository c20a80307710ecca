/* The library's operators on all types. Macros write two loops for each operator and type.
 *
 * Integers are combined as unsigned numbers of at least their own length, and the result is cut to
 * that length. So nothing overflows. `to` may equal `left` or `right`, because a loop reads each
 * element before it overwrites it, and elements do not depend on each other. */
#include "lib/problem/operator.h"

/* GCC does not vectorise these loops at the optimisation level of the other files. Vectorising does
 * not change the results, because the elements do not depend on each other. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3")
#define ELEMENTS_ARE_APART _Pragma("GCC ivdep")
#else
#define ELEMENTS_ARE_APART
#endif

#include <stdint.h>

/* A row for each type: its constant, its C type, and the C type in which values are computed. */
#define INTEGERS(X, ...)                                                                           \
    X(KP_UINT8, uint8_t, uint32_t, __VA_ARGS__)                                                    \
    X(KP_UINT16, uint16_t, uint32_t, __VA_ARGS__)                                                  \
    X(KP_UINT32, uint32_t, uint32_t, __VA_ARGS__)                                                  \
    X(KP_UINT64, uint64_t, uint64_t, __VA_ARGS__)                                                  \
    X(KP_INT8, int8_t, uint32_t, __VA_ARGS__)                                                      \
    X(KP_INT16, int16_t, uint32_t, __VA_ARGS__)                                                    \
    X(KP_INT32, int32_t, uint32_t, __VA_ARGS__)                                                    \
    X(KP_INT64, int64_t, uint64_t, __VA_ARGS__)
#define REALS(X, ...)                                                                              \
    INTEGERS(X, __VA_ARGS__)                                                                       \
    X(KP_FLOAT32, float, float, __VA_ARGS__)                                                       \
    X(KP_FLOAT64, double, double, __VA_ARGS__)                                                     \
    X(KP_LONG_DOUBLE, long double, long double, __VA_ARGS__)
#define NUMBERS(X, ...)                                                                            \
    REALS(X, __VA_ARGS__)                                                                          \
    X(KP_COMPLEX_FLOAT32, float _Complex, float _Complex, __VA_ARGS__)                             \
    X(KP_COMPLEX_FLOAT64, double _Complex, double _Complex, __VA_ARGS__)                           \
    X(KP_COMPLEX_LONG_DOUBLE, long double _Complex, long double _Complex, __VA_ARGS__)
/* The loops read a _Bool as a byte. To read any byte but 0 and 1 as a _Bool is undefined. */
#define TRUTHS(X, ...)                                                                             \
    REALS(X, __VA_ARGS__)                                                                          \
    X(KP_BOOL, uint8_t, uint8_t, __VA_ARGS__)
_Static_assert(sizeof(bool) == sizeof(uint8_t), "a _Bool is a byte");
#define PAIRS(X, ...)                                                                              \
    X(KP_INT16_INT, kp_int16_int, kp_int16_int, __VA_ARGS__)                                       \
    X(KP_INT32_INT, kp_int32_int, kp_int32_int, __VA_ARGS__)                                       \
    X(KP_INT64_INT, kp_int64_int, kp_int64_int, __VA_ARGS__)                                       \
    X(KP_FLOAT32_INT, kp_float32_int, kp_float32_int, __VA_ARGS__)                                 \
    X(KP_FLOAT64_INT, kp_float64_int, kp_float64_int, __VA_ARGS__)                                 \
    X(KP_LONG_DOUBLE_INT, kp_long_double_int, kp_long_double_int, __VA_ARGS__)

/* Writes the two loops that apply a function NAME_of_TYPE to elements. */
#define LOOPS(TYPE, T, NAME)                                                                       \
    static void NAME##_##TYPE(void *to, const void *left, const void *right, size_t count,         \
                              void *context)                                                       \
    {                                                                                              \
        T *result = to;                                                                            \
        const T *l = left, *r = right;                                                             \
        (void)context;                                                                             \
        ELEMENTS_ARE_APART                                                                         \
        for (size_t i = 0; i < count; i++)                                                         \
            result[i] = NAME##_of_##TYPE(l[i], r[i]);                                              \
    }                                                                                              \
    static void NAME##_all_##TYPE(void *to, const void *start, const char *from, int64_t step,     \
                                  size_t count, bool left)                                         \
    {                                                                                              \
        T sum = *(const T *)start;                                                                 \
        for (; count > 0; count--, from += step) {                                                 \
            const T next = *(const T *)(const void *)from;                                         \
            sum = left ? NAME##_of_##TYPE(next, sum) : NAME##_of_##TYPE(sum, next);                \
        }                                                                                          \
        *(T *)to = sum;                                                                            \
    }
/* Writes the function and the loops for an expression in the operands `a` and `b`. */
#define LOOP_IN(TYPE, T, WIDE, NAME, EXPRESSION)                                                   \
    static inline T NAME##_of_##TYPE(const T left, const T right)                                  \
    {                                                                                              \
        const WIDE a = (WIDE)left, b = (WIDE)right;                                                \
        return (T)(EXPRESSION);                                                                    \
    }                                                                                              \
    LOOPS(TYPE, T, NAME)
/* Writes the loops for an expression that needs no wider type. */
#define LOOP(TYPE, T, WIDE, NAME, EXPRESSION) LOOP_IN(TYPE, T, T, NAME, EXPRESSION)

/* Composes the maps x -> a x + c (left) and x -> b x + e (right) to x -> b (a x + c) + e. The loop
 * reads all four numbers before it writes the first result. */
#define COMPOSE(TYPE, T, WIDE, NAME)                                                               \
    static void NAME##_##TYPE(void *to, const void *left, const void *right, size_t count,         \
                              void *context)                                                       \
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

/* Takes the pair whose value comes first, or of equal values the pair with the lower index. BEFORE
 * is < or >. */
#define LOCATE(TYPE, T, WIDE, NAME, BEFORE)                                                        \
    static inline T NAME##_of_##TYPE(const T a, const T b)                                         \
    {                                                                                              \
        const bool equal = !(a.value BEFORE b.value || b.value BEFORE a.value);                    \
        return b.value BEFORE a.value || (equal && b.index < a.index) ? b : a;                     \
    }                                                                                              \
    LOOPS(TYPE, T, NAME)

NUMBERS(LOOP_IN, sum, a + b)
NUMBERS(LOOP_IN, product, (a * b))
REALS(LOOP, minimum, b < a ? b : a)
REALS(LOOP, maximum, a < b ? b : a)
TRUTHS(LOOP, logical_and, a != 0 && b != 0)
TRUTHS(LOOP, logical_or, a != 0 || b != 0)
TRUTHS(LOOP, logical_xor, (a != 0) != (b != 0))
INTEGERS(LOOP_IN, bit_and, (a & b))
INTEGERS(LOOP_IN, bit_or, a | b)
INTEGERS(LOOP_IN, bit_xor, a ^ b)
NUMBERS(COMPOSE, compose)
PAIRS(LOCATE, minloc, <)
PAIRS(LOCATE, maxloc, >)

#define ENTRY(TYPE, T, WIDE, NAME)              [TYPE] = {NAME##_##TYPE, NAME##_all_##TYPE},
#define ENTRY_WITHOUT_FOLD(TYPE, T, WIDE, NAME) [TYPE] = {NAME##_##TYPE, NULL},

const struct kp_loops kp_builtin_loops[KP_BUILTINS][KP_TYPES] = {
    [KP_BUILTIN_SUM] = {NUMBERS(ENTRY, sum)},
    [KP_BUILTIN_PRODUCT] = {NUMBERS(ENTRY, product)},
    [KP_BUILTIN_MINIMUM] = {REALS(ENTRY, minimum)},
    [KP_BUILTIN_MAXIMUM] = {REALS(ENTRY, maximum)},
    [KP_BUILTIN_LOGICAL_AND] = {TRUTHS(ENTRY, logical_and)},
    [KP_BUILTIN_LOGICAL_OR] = {TRUTHS(ENTRY, logical_or)},
    [KP_BUILTIN_LOGICAL_XOR] = {TRUTHS(ENTRY, logical_xor)},
    [KP_BUILTIN_BIT_AND] = {INTEGERS(ENTRY, bit_and)},
    [KP_BUILTIN_BIT_OR] = {INTEGERS(ENTRY, bit_or)},
    [KP_BUILTIN_BIT_XOR] = {INTEGERS(ENTRY, bit_xor)},
    [KP_BUILTIN_COMPOSE] = {NUMBERS(ENTRY_WITHOUT_FOLD, compose)},
    [KP_BUILTIN_MINLOC] = {PAIRS(ENTRY, minloc)},
    [KP_BUILTIN_MAXLOC] = {PAIRS(ENTRY, maxloc)},
};
