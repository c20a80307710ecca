/* Computes the results of reductions without the library. A value is a 64-bit integer, or if the
 * type is a floating-point type a double, or two doubles for a complex number. The value of a pair
 * has an index, too. After every step the value is converted to its type. For integers this is
 * exact, because arithmetic modulo 2^64 and then modulo 2^bits equals arithmetic modulo 2^bits. */
#include "tools/kport/run/reference_reduce.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

/* What a number consists of: a plain integer, or a float, double or long double. */
enum number {
    WHOLE,
    SINGLE,
    DOUBLE,
    LONG
};

/* `bytes` counts the element, and `number_bytes` its number (of a complex element: each of the
 * two), without bytes that hold no value. */
struct kind {
    size_t bytes, number_bytes;
    enum number number;
    bool is_signed, is_complex, is_truth, is_pair;
    size_t index_at; /* of a pair: the distance of its index from its beginning */
};

/* The long double of x87 has 80 bits, in 12 or 16 bytes. */
#define LONG_BYTES (LDBL_MANT_DIG == 64 ? 10 : sizeof(long double))

#define INTEGER(BYTES, SIGNED)                                                                     \
    {                                                                                              \
        .bytes = BYTES, .number_bytes = BYTES, .is_signed = SIGNED                                 \
    }
#define REAL(COMPLEX, TYPE, BYTES, NUMBER)                                                         \
    {                                                                                              \
        .bytes = sizeof(TYPE), .number_bytes = BYTES, .number = NUMBER, .is_signed = true,         \
        .is_complex = COMPLEX                                                                      \
    }
#define PAIR(TYPE, BYTES, NUMBER)                                                                  \
    {                                                                                              \
        .bytes = sizeof(TYPE), .number_bytes = BYTES, .number = NUMBER, .is_signed = true,         \
        .is_pair = true, .index_at = offsetof(TYPE, index)                                         \
    }

static const struct kind kinds[KP_TYPES] = {
    [KP_UINT8] = INTEGER(1, false),
    [KP_UINT16] = INTEGER(2, false),
    [KP_UINT32] = INTEGER(4, false),
    [KP_UINT64] = INTEGER(8, false),
    [KP_INT8] = INTEGER(1, true),
    [KP_INT16] = INTEGER(2, true),
    [KP_INT32] = INTEGER(4, true),
    [KP_INT64] = INTEGER(8, true),
    [KP_FLOAT32] = REAL(false, float, 4, SINGLE),
    [KP_FLOAT64] = REAL(false, double, 8, DOUBLE),
    [KP_LONG_DOUBLE] = REAL(false, long double, LONG_BYTES, LONG),
    [KP_COMPLEX_FLOAT32] = REAL(true, float[2], 4, SINGLE),
    [KP_COMPLEX_FLOAT64] = REAL(true, double[2], 8, DOUBLE),
    [KP_COMPLEX_LONG_DOUBLE] = REAL(true, long double[2], LONG_BYTES, LONG),
    [KP_BOOL] = {.bytes = sizeof(bool), .number_bytes = sizeof(bool), .is_truth = true},
    [KP_INT16_INT] = PAIR(kp_int16_int, 2, WHOLE),
    [KP_INT32_INT] = PAIR(kp_int32_int, 4, WHOLE),
    [KP_INT64_INT] = PAIR(kp_int64_int, 8, WHOLE),
    [KP_FLOAT32_INT] = PAIR(kp_float32_int, 4, SINGLE),
    [KP_FLOAT64_INT] = PAIR(kp_float64_int, 8, DOUBLE),
    [KP_LONG_DOUBLE_INT] = PAIR(kp_long_double_int, LONG_BYTES, LONG),
};

struct value {
    uint64_t whole;
    double real, imaginary;
    int index;
};

/* --- Values in memory --- */

static uint64_t cut(const struct kind *kind, uint64_t whole)
{
    if (kind->number != WHOLE)
        return 0;
    unsigned spare = 64 - 8 * (unsigned)kind->number_bytes;
    uint64_t low = whole << spare >> spare;
    bool negative = kind->is_signed && low >> (63 - spare) & 1;
    return negative && spare ? low | ~(UINT64_MAX >> spare) : low;
}

static void store_number(const struct kind *kind, uint64_t whole, double real, unsigned char *to)
{
    const float single = (float)real;
    const long double extended = real;
    const uint8_t u8 = (uint8_t)whole;
    const uint16_t u16 = (uint16_t)whole;
    const uint32_t u32 = (uint32_t)whole;
    const void *from = kind->number == SINGLE    ? (const void *)&single
                       : kind->number == DOUBLE  ? (const void *)&real
                       : kind->number == LONG    ? (const void *)&extended
                       : kind->number_bytes == 1 ? (const void *)&u8
                       : kind->number_bytes == 2 ? (const void *)&u16
                       : kind->number_bytes == 4 ? (const void *)&u32
                                                 : (const void *)&whole;
    memcpy(to, from, kind->number_bytes);
}

/* Bytes that hold no value become 0. */
static void store(const struct kind *kind, struct value value, unsigned char *to)
{
    memset(to, 0, kind->bytes);
    store_number(kind, value.whole, value.real, to);
    if (kind->is_complex)
        store_number(kind, 0, value.imaginary, to + kind->bytes / 2);
    if (kind->is_pair)
        memcpy(to + kind->index_at, &value.index, sizeof value.index);
}

static bool is_zero(const struct kind *kind, const unsigned char *number)
{
    float single = 1;
    double real = 1;
    long double extended = 1;
    memcpy(kind->number == SINGLE ? (void *)&single
           : kind->number == LONG ? (void *)&extended
                                  : (void *)&real,
           number, kind->number_bytes);
    return single == 0 || real == 0 || extended == 0;
}

/* Returns whether two elements have the same value. The products of a complex number's parts may be
 * 0 or -0, depending on the order of combination. */
static bool are_equal(const struct kind *kind, const unsigned char *a, const unsigned char *b)
{
    const size_t half = kind->bytes / 2;
    for (size_t part = 0; part < (kind->is_complex ? 2 : 1); part++, a += half, b += half) {
        if (memcmp(a, b, kind->number_bytes) != 0 &&
            !(kind->is_complex && is_zero(kind, a) && is_zero(kind, b)))
            return false;
    }
    return !kind->is_pair ||
           memcmp(a - half + kind->index_at, b - half + kind->index_at, sizeof(int)) == 0;
}

int64_t reference_differs(const kp_problem *problem, const unsigned char *expected,
                          const unsigned char *data)
{
    const struct kind *kind = &kinds[problem->type];
    for (size_t at = 0; at < problem->b; at += kind->bytes) {
        if (!are_equal(kind, expected + at, data + at))
            return (int64_t)at;
    }
    return -1;
}

/* --- The operands --- */

static bool is(const kp_problem *p, kp_builtin op)
{
    return (p->op ? p->op : KP_SUM) == &kp_builtin_operators[op];
}

/* Gives the value a number for which sums and products are exact. For sums the number is a small
 * integer. For products it is 1 or -1, and sometimes 2 or -2. Every other complex factor is turned
 * by i. */
static void set_exact(const kp_problem *p, uint64_t random, size_t half, struct value *value)
{
    const bool is_complex = kinds[p->type].is_complex, turned = is_complex && random & 2;
    const double sign = random & 1 ? 1 : -1, factor = sign * (random % 64 == 8 ? 2 : 1);
    const bool product = is(p, KP_BUILTIN_PRODUCT), map = is(p, KP_BUILTIN_COMPOSE) && half == 0;
    const double number = product ? factor : sign;
    value->real = turned ? 0 : number;
    value->imaginary = turned ? number : 0;
    if (product || map)
        return;
    /* Adding 0.0 turns -0 into 0, because min(0, -0) may return either. */
    value->real = sign * (double)(random >> 8 & 3) + 0.0;
    value->imaginary = is_complex ? (double)(random >> 16 & 7) - 4 : 0;
}

static struct value operand(const kp_problem *p, uint64_t seed, size_t source, size_t block,
                            size_t position)
{
    const struct kind *kind = &kinds[p->type];
    uint64_t random = reference_word(seed, source, block, position);
    bool logical = is(p, KP_BUILTIN_LOGICAL_AND) || is(p, KP_BUILTIN_LOGICAL_OR) ||
                   is(p, KP_BUILTIN_LOGICAL_XOR);
    if (logical && random % 4 == 0)
        random = 0; /* makes a quarter of the operands false */
    struct value value = {.whole = cut(kind, random)};
    if (kind->is_truth)
        value.whole = random != 0;
    if (kind->is_pair) { /* few values, so that many are equal, with different indices */
        value.whole = cut(kind, (random >> 8 & 3) - 2);
        value.index = (int)(random >> 32 & 0xffff) - 0x8000;
    }
    set_exact(p, random, position % 2, &value);
    return value;
}

/* --- The operators --- */

static struct value truth(bool value)
{
    return (struct value){.whole = value, .real = value};
}

static bool is_true(const struct kind *kind, struct value v)
{
    return kind->number == WHOLE ? v.whole != 0 : v.real != 0;
}

static bool less(const struct kind *kind, struct value a, struct value b)
{
    if (kind->number != WHOLE)
        return a.real < b.real;
    return kind->is_signed ? (int64_t)a.whole < (int64_t)b.whole : a.whole < b.whole;
}

static struct value plus(struct value a, struct value b)
{
    return (struct value){.whole = a.whole + b.whole,
                          .real = a.real + b.real,
                          .imaginary = a.imaginary + b.imaginary};
}

static struct value times(struct value a, struct value b)
{
    return (struct value){.whole = a.whole * b.whole,
                          .real = a.real * b.real - a.imaginary * b.imaginary,
                          .imaginary = a.real * b.imaginary + a.imaginary * b.real};
}

/* Returns whether `a` is before `b`: its value is less, or the values are equal and its index is
 * lower. */
static bool comes_first(const struct kind *kind, struct value a, struct value b, bool least)
{
    if (less(kind, a, b) || less(kind, b, a))
        return least ? less(kind, a, b) : less(kind, b, a);
    return a.index < b.index;
}

static struct value apply(const kp_problem *p, struct value l, struct value r)
{
    const struct kind *kind = &kinds[p->type];
    struct value result = l;
    if (is(p, KP_BUILTIN_SUM))
        result = plus(l, r);
    else if (is(p, KP_BUILTIN_PRODUCT))
        result = times(l, r);
    else if (is(p, KP_BUILTIN_MINIMUM))
        result = less(kind, r, l) ? r : l;
    else if (is(p, KP_BUILTIN_MAXIMUM))
        result = less(kind, l, r) ? r : l;
    else if (is(p, KP_BUILTIN_LOGICAL_AND))
        result = truth(is_true(kind, l) && is_true(kind, r));
    else if (is(p, KP_BUILTIN_LOGICAL_OR))
        result = truth(is_true(kind, l) || is_true(kind, r));
    else if (is(p, KP_BUILTIN_LOGICAL_XOR))
        result = truth(is_true(kind, l) != is_true(kind, r));
    else if (is(p, KP_BUILTIN_BIT_AND))
        result.whole = l.whole & r.whole;
    else if (is(p, KP_BUILTIN_BIT_OR))
        result.whole = l.whole | r.whole;
    else if (is(p, KP_BUILTIN_BIT_XOR))
        result.whole = l.whole ^ r.whole;
    else if (is(p, KP_BUILTIN_MINLOC) || is(p, KP_BUILTIN_MAXLOC))
        result = comes_first(kind, r, l, is(p, KP_BUILTIN_MINLOC)) ? r : l;
    result.whole = cut(kind, result.whole);
    return result;
}

/* A pair of values (a, c) stands for the map x -> a x + c. Replaces the map `first` by the
 * composition that applies `first` and then `next`. */
static void compose(const kp_problem *p, struct value first[2], const struct value next[2])
{
    const struct kind *kind = &kinds[p->type];
    first[1] = plus(times(next[0], first[1]), next[1]);
    first[0] = times(next[0], first[0]);
    for (int i = 0; i < 2; i++)
        first[i].whole = cut(kind, first[i].whole);
}

/* --- Combining blocks --- */

/* The operands to combine: block number `block` of processors `first` to `end` - 1. If `apart` is
 * 0, there is one result, of all operands. Otherwise there is a result after each operand, and the
 * results are `apart` bytes apart. */
struct range {
    size_t first, end, block, apart;
};

static void store_element(const kp_problem *p, const struct value *element, size_t width,
                          unsigned char *to)
{
    for (size_t i = 0; i < width; i++)
        store(&kinds[p->type], element[i], to + i * kinds[p->type].bytes);
}

/* Combines the element at `position` of all operands. An element has `width` values: two for the
 * operator that composes maps, otherwise one. */
static void combine_at(const kp_problem *p, uint64_t seed, const struct range *range,
                       size_t position, size_t width, unsigned char *to)
{
    struct value sum[2] = {{0}}, next[2] = {{0}};
    to += position * kinds[p->type].bytes;
    for (size_t source = range->first; source < range->end; source++) {
        for (size_t i = 0; i < width; i++)
            next[i] = operand(p, seed, source, range->block, position + i);
        if (source == range->first)
            memcpy(sum, next, sizeof sum);
        else if (width == 2)
            compose(p, sum, next);
        else
            sum[0] = apply(p, sum[0], next[0]);
        if (range->apart > 0)
            store_element(p, sum, width, to + (source - range->first) * range->apart);
    }
    if (range->apart == 0)
        store_element(p, sum, width, to);
}

static void fill(const kp_problem *p, uint64_t seed, const struct range *range, unsigned char *to)
{
    size_t width = is(p, KP_BUILTIN_COMPOSE) ? 2 : 1;
    for (size_t position = 0; position < p->b / kinds[p->type].bytes; position += width)
        combine_at(p, seed, range, position, width, to);
}

size_t reference_element_bytes(const kp_problem *problem)
{
    return kinds[problem->type].bytes * (is(problem, KP_BUILTIN_COMPOSE) ? 2 : 1);
}

void reference_operands(const kp_problem *problem, uint64_t seed, size_t source, size_t block,
                        unsigned char *to)
{
    fill(problem, seed, &(struct range){source, source + 1, block, 0}, to);
}

void reference_combined(const kp_problem *problem, uint64_t seed, size_t end, size_t block,
                        unsigned char *to)
{
    fill(problem, seed, &(struct range){0, end, block, 0}, to);
}

void reference_running(const kp_problem *problem, uint64_t seed, unsigned char *to)
{
    fill(problem, seed, &(struct range){0, (size_t)problem->n, 0, problem->b}, to);
}
