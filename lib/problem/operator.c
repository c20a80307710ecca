#include "lib/problem/operator.h"

#include "lib/problem/operation.h"
#include "ports/port.h"

#include <stdint.h>
#include <string.h>

/* An alias is the name of a C type, or MPI's. The other names mean the same type on every machine,
 * but for long double, of which machines have different ones. */
static const struct {
    const char *name, *alias;
    size_t bytes, alignment;
} types[KP_TYPES] = {
#define TYPE(name, alias, c_type)                                                                  \
    {                                                                                              \
        name, alias, sizeof(c_type), _Alignof(c_type)                                              \
    }
    [KP_UINT8] = TYPE("uint8", NULL, uint8_t),
    [KP_UINT16] = TYPE("uint16", NULL, uint16_t),
    [KP_UINT32] = TYPE("uint32", NULL, uint32_t),
    [KP_UINT64] = TYPE("uint64", NULL, uint64_t),
    [KP_INT8] = TYPE("int8", "char", int8_t),
    [KP_INT16] = TYPE("int16", NULL, int16_t),
    [KP_INT32] = TYPE("int32", "int", int32_t),
    [KP_INT64] = TYPE("int64", "long", int64_t),
    [KP_FLOAT32] = TYPE("float32", "float", float),
    [KP_FLOAT64] = TYPE("float64", "double", double),
    [KP_OPAQUE] = {"opaque", NULL, 0, 0},
    [KP_LONG_DOUBLE] = TYPE("long-double", NULL, long double),
    [KP_COMPLEX_FLOAT32] = TYPE("complex-float32", "complex-float", float _Complex),
    [KP_COMPLEX_FLOAT64] = TYPE("complex-float64", "complex-double", double _Complex),
    [KP_COMPLEX_LONG_DOUBLE] = TYPE("complex-long-double", NULL, long double _Complex),
    [KP_BOOL] = TYPE("bool", NULL, bool),
    [KP_INT16_INT] = TYPE("int16-int", "short-int", kp_int16_int),
    [KP_INT32_INT] = TYPE("int32-int", "2int", kp_int32_int),
    [KP_INT64_INT] = TYPE("int64-int", "long-int", kp_int64_int),
    [KP_FLOAT32_INT] = TYPE("float32-int", "float-int", kp_float32_int),
    [KP_FLOAT64_INT] = TYPE("float64-int", "double-int", kp_float64_int),
    [KP_LONG_DOUBLE_INT] = TYPE("long-double-int", NULL, kp_long_double_int),
#undef TYPE
};

static const char *const operator_aliases[KP_BUILTINS] = {[KP_BUILTIN_SUM] = "add",
                                                          [KP_BUILTIN_PRODUCT] = "mul",
                                                          [KP_BUILTIN_MINIMUM] = "min",
                                                          [KP_BUILTIN_MAXIMUM] = "max"};

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
    [KP_BUILTIN_MINLOC] = {.name = "minloc", .commutative = 1},
    [KP_BUILTIN_MAXLOC] = {.name = "maxloc", .commutative = 1},
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

int kp_type_find(const char *name, size_t length)
{
    for (int type = 0; type < KP_TYPES; type++) {
        if (kp_is_word(types[type].name, name, length) ||
            kp_is_word(types[type].alias, name, length))
            return type;
    }
    return -1;
}

const kp_operator *kp_operator_find(const char *name, size_t length)
{
    for (int i = 0; i < KP_BUILTINS; i++) {
        if (kp_is_word(kp_builtin_operators[i].name, name, length) ||
            kp_is_word(operator_aliases[i], name, length))
            return &kp_builtin_operators[i];
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

/* Functions have different addresses in different processes, so this number does not contain them.
 * Contexts are not compared, because kport does not know what a context means. */
uint64_t kp_operator_fingerprint(const kp_operator *op, kp_type type)
{
    if (!op)
        return 0;
    uint64_t hash = ((uint64_t)type + 1) << 32 ^ op->element_bytes << 1 ^ (op->commutative != 0);
    for (const char *c = kp_operator_name(op); *c; c++)
        hash = kp_hash(hash, (unsigned char)*c);
    return hash;
}

struct kp_loops kp_operator_loops(const kp_operator *op, kp_type type)
{
    struct kp_loops loops = {.combine = op->combine};
    if ((unsigned)type >= KP_TYPES || (type == KP_OPAQUE && op->element_bytes == 0))
        loops.combine = NULL;
    else if (kp_operator_is_builtin(op))
        loops = kp_builtin_loops[op - kp_builtin_operators][type];
    if (!KP_HAS(FOLDED))
        loops.fold = NULL;
    return loops;
}
