/* Tests the types of elements and the library's operators: numbers, names and sizes, which operator
 * knows which type, what the operators on bool and on pairs give, and loops over several senders.
 */
#include "kport.h"
#include "lib/problem/operator.h"
#include "ports/without.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- Types --- */

/* The numbers are those of programs that were compiled before. */
#define ROW(TYPE, NUMBER, NAME, ALIAS, T, CLASS)                                                   \
    {                                                                                              \
        TYPE, NUMBER, NAME, ALIAS, sizeof(T), _Alignof(T), CLASS                                   \
    }
static const struct {
    kp_type type;
    int number;
    const char *name, *alias;
    size_t bytes, alignment;
    char kind; /* Integer, Real, Complex, Truth or Pair */
} types[] = {
    ROW(KP_UINT8, 0, "uint8", "uint8", uint8_t, 'I'),
    ROW(KP_UINT16, 1, "uint16", "uint16", uint16_t, 'I'),
    ROW(KP_UINT32, 2, "uint32", "uint32", uint32_t, 'I'),
    ROW(KP_UINT64, 3, "uint64", "uint64", uint64_t, 'I'),
    ROW(KP_INT8, 4, "int8", "char", int8_t, 'I'),
    ROW(KP_INT16, 5, "int16", "int16", int16_t, 'I'),
    ROW(KP_INT32, 6, "int32", "int", int32_t, 'I'),
    ROW(KP_INT64, 7, "int64", "long", int64_t, 'I'),
    ROW(KP_FLOAT32, 8, "float32", "float", float, 'R'),
    ROW(KP_FLOAT64, 9, "float64", "double", double, 'R'),
    ROW(KP_LONG_DOUBLE, 11, "long-double", "long-double", long double, 'R'),
    ROW(KP_COMPLEX_FLOAT32, 12, "complex-float32", "complex-float", float _Complex, 'C'),
    ROW(KP_COMPLEX_FLOAT64, 13, "complex-float64", "complex-double", double _Complex, 'C'),
    ROW(KP_COMPLEX_LONG_DOUBLE, 14, "complex-long-double", "complex-long-double",
        long double _Complex, 'C'),
    ROW(KP_BOOL, 15, "bool", "bool", _Bool, 'T'),
    ROW(KP_INT16_INT, 16, "int16-int", "short-int", kp_int16_int, 'P'),
    ROW(KP_INT32_INT, 17, "int32-int", "2int", kp_int32_int, 'P'),
    ROW(KP_INT64_INT, 18, "int64-int", "long-int", kp_int64_int, 'P'),
    ROW(KP_FLOAT32_INT, 19, "float32-int", "float-int", kp_float32_int, 'P'),
    ROW(KP_FLOAT64_INT, 20, "float64-int", "double-int", kp_float64_int, 'P'),
    ROW(KP_LONG_DOUBLE_INT, 21, "long-double-int", "long-double-int", kp_long_double_int, 'P'),
};
enum {
    TYPES = sizeof types / sizeof types[0]
};

static void every_type_has_its_number_name_and_size(void **state)
{
    (void)state;
    assert_int_equal(KP_OPAQUE, 10);
    assert_int_equal(KP_TYPES, TYPES + 1);
    for (int i = 0; i < TYPES; i++) {
        const char *name = types[i].name, *alias = types[i].alias;
        assert_int_equal(types[i].type, types[i].number);
        assert_string_equal(kp_type_name(types[i].type), name);
        assert_int_equal(kp_type_find(name, strlen(name)), types[i].type);
        assert_int_equal(kp_type_find(alias, strlen(alias)), types[i].type);
        assert_int_equal(kp_type_bytes(types[i].type), types[i].bytes);
        assert_int_equal(kp_type_alignment(types[i].type), types[i].alignment);
    }
    assert_null(kp_type_name(KP_TYPES));
    assert_int_equal(kp_type_bytes(KP_TYPES), 0);
}

/* --- Which operator knows which type --- */

static const char *const known[KP_BUILTINS] = {
    [KP_BUILTIN_SUM] = "IRC",         [KP_BUILTIN_PRODUCT] = "IRC",
    [KP_BUILTIN_MINIMUM] = "IR",      [KP_BUILTIN_MAXIMUM] = "IR",
    [KP_BUILTIN_LOGICAL_AND] = "IRT", [KP_BUILTIN_LOGICAL_OR] = "IRT",
    [KP_BUILTIN_LOGICAL_XOR] = "IRT", [KP_BUILTIN_BIT_AND] = "I",
    [KP_BUILTIN_BIT_OR] = "I",        [KP_BUILTIN_BIT_XOR] = "I",
    [KP_BUILTIN_COMPOSE] = "IRC",     [KP_BUILTIN_MINLOC] = "P",
    [KP_BUILTIN_MAXLOC] = "P",
};

static void every_operator_knows_its_types(void **state)
{
    (void)state;
    assert_int_equal(KP_BUILTIN_COMPOSE, 10);
    assert_int_equal(KP_BUILTIN_MINLOC, 11);
    for (int op = 0; op < KP_BUILTINS; op++) {
        const kp_operator *operator= & kp_builtin_operators[op];
        assert_null(kp_operator_loops(operator, KP_OPAQUE).combine);
        for (int i = 0; i < TYPES; i++) {
            const bool knows = kp_operator_loops(operator, types[i].type).combine != NULL;
            if (knows != (strchr(known[op], types[i].kind) != NULL))
                fail_msg("%s %s %s", operator->name, knows ? "knows" : "does not know",
                         types[i].name);
        }
    }
}

/* --- Pairs --- */

/* Combines two pairs in both orders, and compares the value and the index with those expected. */
#define BOTH_ORDERS(T, TYPE, OP, VALUE, INDEX, ...)                                                \
    do {                                                                                           \
        const T pairs[2] = {__VA_ARGS__};                                                          \
        for (int first = 0; first < 2; first++) {                                                  \
            T result = {.value = 77, .index = 77};                                                 \
            kp_operator_loops(OP, TYPE).combine(&result, &pairs[first], &pairs[1 - first], 1,      \
                                                NULL);                                             \
            assert_int_equal((int)result.value, VALUE);                                            \
            assert_int_equal(result.index, INDEX);                                                 \
        }                                                                                          \
    } while (0)
#define LOCATES(T, TYPE)                                                                           \
    do {                                                                                           \
        BOTH_ORDERS(T, TYPE, KP_MINLOC, -5, 9, {-5, 9}, {6, 2});                                   \
        BOTH_ORDERS(T, TYPE, KP_MAXLOC, 6, 2, {-5, 9}, {6, 2});                                    \
        BOTH_ORDERS(T, TYPE, KP_MINLOC, 4, 2, {4, 3}, {4, 2});                                     \
        BOTH_ORDERS(T, TYPE, KP_MAXLOC, 4, 2, {4, 3}, {4, 2});                                     \
        BOTH_ORDERS(T, TYPE, KP_MINLOC, 4, -1, {4, 0}, {4, -1});                                   \
        BOTH_ORDERS(T, TYPE, KP_MAXLOC, -7, INT32_MIN, {-7, INT32_MAX}, {-7, INT32_MIN});          \
    } while (0)

static void of_equal_values_the_lowest_index(void **state)
{
    (void)state;
    LOCATES(kp_int16_int, KP_INT16_INT);
    LOCATES(kp_int32_int, KP_INT32_INT);
    LOCATES(kp_int64_int, KP_INT64_INT);
    LOCATES(kp_float32_int, KP_FLOAT32_INT);
    LOCATES(kp_float64_int, KP_FLOAT64_INT);
    LOCATES(kp_long_double_int, KP_LONG_DOUBLE_INT);
    BOTH_ORDERS(kp_float64_int, KP_FLOAT64_INT, KP_MAXLOC, 0, 1, {-0.0, 2}, {0.0, 1});
    BOTH_ORDERS(kp_float64_int, KP_FLOAT64_INT, KP_MINLOC, 5, 1, {NAN, 2}, {5, 1});
    BOTH_ORDERS(kp_float64_int, KP_FLOAT64_INT, KP_MAXLOC, 5, 1, {NAN, 2}, {5, 1});
}

/* The wide values differ only where a narrower type would lose the difference. */
static void values_are_compared_whole(void **state)
{
    (void)state;
    const kp_int64_int wide[2] = {{INT64_C(1) << 40, 1}, {(INT64_C(1) << 40) + 1, 0}};
    const kp_long_double_int fine[2] = {{1.0L, 1}, {1.0L + LDBL_EPSILON, 0}};
    kp_int64_int least;
    kp_long_double_int least_fine;
    kp_operator_loops(KP_MINLOC, KP_INT64_INT).combine(&least, &wide[0], &wide[1], 1, NULL);
    assert_int_equal(least.index, 1);
    kp_operator_loops(KP_MINLOC, KP_LONG_DOUBLE_INT)
        .combine(&least_fine, &fine[0], &fine[1], 1, NULL);
    assert_int_equal(least_fine.index, 1);
}

/* --- Bool and numbers of more bytes --- */

static void any_byte_but_0_is_true(void **state)
{
    (void)state;
    const unsigned char left[4] = {0, 2, 0x80, 0}, right[4] = {0, 1, 0, 0xff};
    const struct {
        const kp_operator *op;
        unsigned char expected[4];
    } rows[] = {{KP_LOGICAL_AND, {0, 1, 0, 0}},
                {KP_LOGICAL_OR, {0, 1, 1, 1}},
                {KP_LOGICAL_XOR, {0, 0, 1, 1}}};
    for (int i = 0; i < 3; i++) {
        unsigned char result[4] = {9, 9, 9, 9};
        kp_operator_loops(rows[i].op, KP_BOOL).combine(result, left, right, 4, NULL);
        assert_memory_equal(result, rows[i].expected, 4);
    }
}

static void long_doubles_keep_their_precision(void **state)
{
    (void)state;
    const long double a = 1.0L, b = LDBL_EPSILON;
    long double sum;
    kp_operator_loops(KP_SUM, KP_LONG_DOUBLE).combine(&sum, &a, &b, 1, NULL);
    assert_true(sum == 1.0L + LDBL_EPSILON && sum != 1.0L);
}

static void complex_numbers_multiply(void **state)
{
    (void)state;
    const float a[2] = {2, 3}, b[2] = {-1, 5};
    float product[2];
    kp_operator_loops(KP_PRODUCT, KP_COMPLEX_FLOAT32).combine(product, a, b, 1, NULL);
    assert_true(product[0] == -17 && product[1] == 7);
}

/* --- Loops that combine the elements of several senders at once --- */

enum {
    FOLDED = 9
};

/* How the numbers of an element lie: `parts` floats, doubles or long doubles (f, d or l), or whole
 * numbers of `bytes` bytes (w). A pair has an index at `index_at`. */
static const struct form {
    char base;
    int parts;
    size_t bytes, index_at;
} forms[KP_TYPES] = {
    [KP_UINT8] = {'w', 1, 1, 0},
    [KP_UINT16] = {'w', 1, 2, 0},
    [KP_UINT32] = {'w', 1, 4, 0},
    [KP_UINT64] = {'w', 1, 8, 0},
    [KP_INT8] = {'w', 1, 1, 0},
    [KP_INT16] = {'w', 1, 2, 0},
    [KP_INT32] = {'w', 1, 4, 0},
    [KP_INT64] = {'w', 1, 8, 0},
    [KP_FLOAT32] = {'f', 1, sizeof(float), 0},
    [KP_FLOAT64] = {'d', 1, sizeof(double), 0},
    [KP_LONG_DOUBLE] = {'l', 1, sizeof(long double), 0},
    [KP_COMPLEX_FLOAT32] = {'f', 2, sizeof(float), 0},
    [KP_COMPLEX_FLOAT64] = {'d', 2, sizeof(double), 0},
    [KP_COMPLEX_LONG_DOUBLE] = {'l', 2, sizeof(long double), 0},
    [KP_BOOL] = {'w', 1, 1, 0},
    [KP_INT16_INT] = {'w', 1, 2, offsetof(kp_int16_int, index)},
    [KP_INT32_INT] = {'w', 1, 4, offsetof(kp_int32_int, index)},
    [KP_INT64_INT] = {'w', 1, 8, offsetof(kp_int64_int, index)},
    [KP_FLOAT32_INT] = {'f', 1, sizeof(float), offsetof(kp_float32_int, index)},
    [KP_FLOAT64_INT] = {'d', 1, sizeof(double), offsetof(kp_float64_int, index)},
    [KP_LONG_DOUBLE_INT] = {'l', 1, sizeof(long double), offsetof(kp_long_double_int, index)},
};

/* Draws elements of any type. Among floating-point elements are NaN and zeros of both signs,
 * because with them the bits of a result depend on the order of the operands. Bytes that hold no
 * value are drawn, too. */
static void draw_elements(kp_type type, unsigned char *at, size_t bytes)
{
    static const double floats[] = {NAN, 0.0, -0.0, 1.5, -3.25, INFINITY, 1e30, 1.0};
    const struct form *form = &forms[type];
    for (int i = 0; i < FOLDED; i++, at += bytes) {
        for (size_t byte = 0; byte < bytes; byte++)
            at[byte] = (unsigned char)(rand() % 4 ? rand() : 0);
        for (int part = 0; part < form->parts && form->base != 'w'; part++) {
            double drawn = floats[rand() % 8];
            float shorter = (float)drawn;
            long double longer = drawn;
            memcpy(at + (size_t)part * form->bytes,
                   form->base == 'f'   ? (void *)&shorter
                   : form->base == 'd' ? (void *)&drawn
                                       : (void *)&longer,
                   form->bytes);
        }
        if (form->index_at > 0 && rand() % 2) /* values are often equal */
            memset(at, 0, form->bytes);
    }
}

static long double number_at(const struct form *form, const unsigned char *at)
{
    float shorter = 0;
    double number = 0;
    long double longer = 0;
    memcpy(form->base == 'f'   ? (void *)&shorter
           : form->base == 'd' ? (void *)&number
                               : (void *)&longer,
           at, form->bytes);
    return form->base == 'f' ? shorter : form->base == 'd' ? (long double)number : longer;
}

/* Returns whether two elements have the same value. The sum of two different NaNs may be either
 * NaN, depending on the order in which the processor adds them. */
static int are_same(const struct form *form, const unsigned char *a, const unsigned char *b)
{
    for (int part = 0; part < form->parts; part++) {
        const size_t at = (size_t)part * form->bytes;
        if (form->base == 'w' && memcmp(a + at, b + at, form->bytes) != 0)
            return 0;
        const long double x = form->base == 'w' ? 0 : number_at(form, a + at);
        const long double y = form->base == 'w' ? 0 : number_at(form, b + at);
        if (!(isnan(x) && isnan(y)) && (x != y || signbit(x) != signbit(y)))
            return 0;
    }
    return form->index_at == 0 || memcmp(a + form->index_at, b + form->index_at, sizeof(int)) == 0;
}

static int folds_of(kp_type type, int op)
{
    const struct kp_loops loops = kp_operator_loops(&kp_builtin_operators[op], type);
    const size_t bytes = kp_type_bytes(type);
    _Alignas(max_align_t) unsigned char all[FOLDED * 32];
    _Alignas(max_align_t) unsigned char one[32];
    _Alignas(max_align_t) unsigned char folded[32];
    if (!loops.fold)
        return 0;
    for (int drawn = 0; drawn < 1000; drawn++) {
        const bool left = drawn % 2;
        size_t count = (size_t)(drawn % FOLDED);
        draw_elements(type, all, bytes);
        memcpy(one, all, bytes);
        for (size_t i = 1; i <= count && i < FOLDED; i++) {
            const void *next = all + (FOLDED - i) * bytes;
            loops.combine(one, left ? next : one, left ? one : next, 1, NULL);
        }
        loops.fold(folded, all, (const char *)all + (FOLDED - 1) * bytes, -(int64_t)bytes, count,
                   left);
        if (!are_same(&forms[type], folded, one))
            fail_msg("%s of %s: a fold differs", kp_builtin_operators[op].name, kp_type_name(type));
    }
    return 1;
}

static void a_fold_is_its_combinations(void **state)
{
    int folds = 0;
    (void)state;
    for (int op = 0; op < KP_BUILTINS; op++) {
        for (kp_type type = 0; type < KP_TYPES; type++)
            folds += folds_of(type, op);
    }
    /* Sum and product know 8 integer types, 3 real and 3 complex ones; minimum and maximum know no
     * complex ones, but the logical operators know bool; there are 6 types of pairs. Only compose
     * has no loops for several senders. */
    assert_int_equal(folds, KP_HAS(FOLDED) ? 2 * 14 + 2 * 11 + 3 * 12 + 3 * 8 + 2 * 6 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_has_its_number_name_and_size),
        cmocka_unit_test(every_operator_knows_its_types),
        cmocka_unit_test(of_equal_values_the_lowest_index),
        cmocka_unit_test(values_are_compared_whole),
        cmocka_unit_test(any_byte_but_0_is_true),
        cmocka_unit_test(long_doubles_keep_their_precision),
        cmocka_unit_test(complex_numbers_multiply),
        cmocka_unit_test(a_fold_is_its_combinations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
