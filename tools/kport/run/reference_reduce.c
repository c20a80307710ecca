/* Computes the results of reductions without the library. A value is a 64-bit integer, or a double
 * if the type is a floating-point type. After every step the value is converted to its type. For
 * integers this is exact, because arithmetic modulo 2^64 and then modulo 2^bits equals arithmetic
 * modulo 2^bits. */
#include "tools/kport/run/reference_reduce.h"

#include <stdbool.h>
#include <string.h>

struct kind {
    size_t bytes;
    bool is_signed, is_floating;
};

static const struct kind kinds[KP_TYPES] = {
    [KP_UINT8] = {1, false, false},  [KP_UINT16] = {2, false, false},
    [KP_UINT32] = {4, false, false}, [KP_UINT64] = {8, false, false},
    [KP_INT8] = {1, true, false},    [KP_INT16] = {2, true, false},
    [KP_INT32] = {4, true, false},   [KP_INT64] = {8, true, false},
    [KP_FLOAT32] = {4, true, true},  [KP_FLOAT64] = {8, true, true},
};

struct value {
    uint64_t whole;
    double real;
};

/* --- Values in memory --- */

static uint64_t cut(const struct kind *kind, uint64_t whole)
{
    unsigned spare = 64 - 8 * (unsigned)kind->bytes;
    uint64_t low = whole << spare >> spare;
    bool negative = kind->is_signed && low >> (63 - spare) & 1;
    return negative && spare ? low | ~(UINT64_MAX >> spare) : low;
}

static void store(const struct kind *kind, struct value value, unsigned char *to)
{
    float single = (float)value.real;
    uint8_t u8 = (uint8_t)value.whole;
    uint16_t u16 = (uint16_t)value.whole;
    uint32_t u32 = (uint32_t)value.whole;
    const void *whole = kind->bytes == 1   ? (const void *)&u8
                        : kind->bytes == 2 ? (const void *)&u16
                        : kind->bytes == 4 ? (const void *)&u32
                                           : &value.whole;
    const void *real = kind->bytes == 4 ? (const void *)&single : &value.real;
    memcpy(to, kind->is_floating ? real : whole, kind->bytes);
}

/* --- The operands --- */

static bool is(const kp_problem *p, kp_builtin op)
{
    return (p->op ? p->op : KP_SUM) == &kp_builtin_operators[op];
}

/* Returns a number for which sums and products are exact. For sums the number is a small integer.
 * For products it is 1 or -1, and sometimes 2 or -2. */
static double exact_number(const kp_problem *p, uint64_t random, size_t half)
{
    double sign = random & 1 ? 1 : -1;
    if (is(p, KP_BUILTIN_PRODUCT))
        return sign * (random % 64 == 8 ? 2 : 1);
    if (is(p, KP_BUILTIN_COMPOSE) && half == 0)
        return sign;
    /* Adding 0.0 turns -0 into 0, because min(0, -0) may return either. */
    return sign * (double)(random >> 8 & 3) + 0.0;
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
    return (struct value){.whole = cut(kind, random),
                          .real = exact_number(p, random, position % 2)};
}

/* --- The operators --- */

static struct value truth(bool value)
{
    return (struct value){.whole = value, .real = value};
}

static bool is_true(const struct kind *kind, struct value v)
{
    return kind->is_floating ? v.real != 0 : v.whole != 0;
}

static bool less(const struct kind *kind, struct value a, struct value b)
{
    if (kind->is_floating)
        return a.real < b.real;
    return kind->is_signed ? (int64_t)a.whole < (int64_t)b.whole : a.whole < b.whole;
}

static struct value apply(const kp_problem *p, struct value l, struct value r)
{
    const struct kind *kind = &kinds[p->type];
    struct value result = l;
    if (is(p, KP_BUILTIN_SUM))
        result = (struct value){l.whole + r.whole, l.real + r.real};
    else if (is(p, KP_BUILTIN_PRODUCT))
        result = (struct value){l.whole * r.whole, l.real * r.real};
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
    result.whole = cut(kind, result.whole);
    return result;
}

/* A pair of values (a, c) stands for the map x -> a x + c. Replaces the map `first` by the
 * composition that applies `first` and then `next`. */
static void compose(const kp_problem *p, struct value first[2], const struct value next[2])
{
    const struct kind *kind = &kinds[p->type];
    first[1].whole = cut(kind, next[0].whole * first[1].whole + next[1].whole);
    first[1].real = next[0].real * first[1].real + next[1].real;
    first[0].whole = cut(kind, next[0].whole * first[0].whole);
    first[0].real = next[0].real * first[0].real;
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
