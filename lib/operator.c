#include "lib/operator.h"

#include "lib/operation.h"
#include "lib/operator_functions.h"

#include <stdint.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes, alignment;
} types[KP_TYPES] = {
#define TYPE(name, c_type)                                                                         \
    {                                                                                              \
        name, sizeof(c_type), _Alignof(c_type)                                                     \
    }
    [KP_UINT8] = TYPE("uint8", uint8_t),    [KP_UINT16] = TYPE("uint16", uint16_t),
    [KP_UINT32] = TYPE("uint32", uint32_t), [KP_UINT64] = TYPE("uint64", uint64_t),
    [KP_INT8] = TYPE("int8", int8_t),       [KP_INT16] = TYPE("int16", int16_t),
    [KP_INT32] = TYPE("int32", int32_t),    [KP_INT64] = TYPE("int64", int64_t),
    [KP_FLOAT32] = TYPE("float32", float),  [KP_FLOAT64] = TYPE("float64", double),
    [KP_OPAQUE] = {"opaque", 0, 0},
#undef TYPE
};

/* Other names that are understood, the same on every machine. */
static const struct {
    const char *name;
    kp_type type;
} type_aliases[] = {{"char", KP_INT8},
                    {"int", KP_INT32},
                    {"long", KP_INT64},
                    {"float", KP_FLOAT32},
                    {"double", KP_FLOAT64}};

static const struct {
    const char *name;
    kp_builtin op;
} operator_aliases[] = {{"add", KP_BUILTIN_SUM},
                        {"mul", KP_BUILTIN_PRODUCT},
                        {"min", KP_BUILTIN_MINIMUM},
                        {"max", KP_BUILTIN_MAXIMUM}};

const kp_operator kp_builtin_operators[KP_BUILTINS] = {
    [KP_BUILTIN_SUM] = {.name = "sum", .commutative = 1},
    [KP_BUILTIN_PRODUCT] = {.name = "product", .commutative = 1},
    [KP_BUILTIN_MINIMUM] = {.name = "minimum", .commutative = 1},
    [KP_BUILTIN_MAXIMUM] = {.name = "maximum", .commutative = 1},
    [KP_BUILTIN_LOGICAL_AND] = {.name = "logical-and", .commutative = 1},
    [KP_BUILTIN_LOGICAL_OR] = {.name = "logical-or", .commutative = 1},
    [KP_BUILTIN_LOGICAL_XOR] = {.name = "logical-xor", .commutative = 1},
    [KP_BUILTIN_BIT_AND] = {.name = "bit-and", .commutative = 1},
    [KP_BUILTIN_BIT_OR] = {.name = "bit-or", .commutative = 1},
    [KP_BUILTIN_BIT_XOR] = {.name = "bit-xor", .commutative = 1},
    [KP_BUILTIN_COMPOSE] = {.name = "compose", .commutative = 0},
};

const char *kp_type_name(kp_type type)
{
    return (unsigned)type < KP_TYPES ? types[type].name : NULL;
}

size_t kp_type_bytes(kp_type type)
{
    return (unsigned)type < KP_TYPES ? types[type].bytes : 0;
}

size_t kp_type_alignment(kp_type type)
{
    return (unsigned)type < KP_TYPES ? types[type].alignment : 0;
}

static int is(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

int kp_type_find(const char *name, size_t length)
{
    for (int type = 0; type < KP_TYPES; type++) {
        if (is(types[type].name, name, length))
            return type;
    }
    for (size_t i = 0; i < sizeof type_aliases / sizeof type_aliases[0]; i++) {
        if (is(type_aliases[i].name, name, length))
            return type_aliases[i].type;
    }
    return -1;
}

const kp_operator *kp_operator_find(const char *name, size_t length)
{
    for (int i = 0; i < KP_BUILTINS; i++) {
        if (is(kp_builtin_operators[i].name, name, length))
            return &kp_builtin_operators[i];
    }
    for (size_t i = 0; i < sizeof operator_aliases / sizeof operator_aliases[0]; i++) {
        if (is(operator_aliases[i].name, name, length))
            return &kp_builtin_operators[operator_aliases[i].op];
    }
    return NULL;
}

bool kp_operator_is_builtin(const kp_operator *op)
{
    for (int i = 0; i < KP_BUILTINS; i++) {
        if (op == &kp_builtin_operators[i])
            return true;
    }
    return false;
}

const char *kp_operator_name(const kp_operator *op)
{
    return op->name ? op->name : "user";
}

/* Two operators are the same if they have the same name and function: what a context does is not
 * known here. */
uint64_t kp_operator_fingerprint(const kp_operator *op, kp_type type)
{
    if (!op)
        return 0;
    uint64_t hash = ((uint64_t)type + 1) << 32 ^ op->element_bytes << 1 ^ (op->commutative != 0);
    for (const char *c = kp_operator_name(op); *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)(uintptr_t)op->combine) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return hash ^ hash >> 29;
}

kp_combine *kp_operator_function(const kp_operator *op, kp_type type)
{
    if ((unsigned)type >= KP_TYPES || (type == KP_OPAQUE && op->element_bytes == 0))
        return NULL;
    if (op->combine)
        return op->combine;
    return kp_operator_is_builtin(op) ? kp_builtin_functions[op - kp_builtin_operators][type]
                                      : NULL;
}

size_t kp_element_bytes(const kp_problem *problem)
{
    if (!kp_operation_reduces(problem->operation))
        return 1;
    if (problem->type == KP_OPAQUE)
        return problem->op && problem->op->element_bytes ? problem->op->element_bytes : 1;
    size_t bytes = kp_type_bytes(problem->type) * (problem->op == KP_COMPOSE ? 2 : 1);
    return bytes > 0 ? bytes : 1;
}

int64_t kp_elements(const kp_problem *problem)
{
    return (int64_t)(problem->b / kp_element_bytes(problem));
}

bool kp_is_ordered(const kp_problem *problem)
{
    return kp_operation_reduces(problem->operation) && problem->op && !problem->op->commutative;
}
