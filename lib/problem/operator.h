/* This header declares functions on the operators of reductions, and the loops that combine
 * elements. */
#ifndef KPORT_LIB_OPERATOR_H
#define KPORT_LIB_OPERATOR_H

#include "kport/schedule.h"

#include <stdbool.h>

/* Computes to[i] = left[i] op right[i]. The arguments are those of `combine` in kp_operator. */
typedef void kp_combine(void *to, const void *left, const void *right, size_t count, void *context);

/* Combines `start` with `count` elements, one after the other, and stores the result at `to`. The
 * elements begin at `from` and are `step` bytes apart. Each new element is the left operand if
 * `left` is true, else the right operand. */
typedef void kp_fold(void *to, const void *start, const char *from, int64_t step, size_t count,
                     bool left);

struct kp_loops {
    kp_combine *combine;
    kp_fold *fold; /* NULL: the caller uses `combine` for each element */
};

/* The loops of the library's operators (operator_functions.c). */
extern const struct kp_loops kp_builtin_loops[KP_BUILTINS][KP_TYPES];

/* Returns the loops for elements of `type`. `combine` is NULL if `op` does not know the type. */
struct kp_loops kp_operator_loops(const kp_operator *op, kp_type type);

/* Returns the alignment of a value of the type. Returns 0 for KP_OPAQUE. */
size_t kp_type_alignment(kp_type type);

bool kp_operator_is_builtin(const kp_operator *op);

/* Returns the operator's name, as problem strings and error sentences use it. */
const char *kp_operator_name(const kp_operator *op);

/* Returns a number by which operators are compared, except for their functions. Equal operators on
 * equal types have equal numbers. Returns 0 if `op` is NULL. */
uint64_t kp_operator_fingerprint(const kp_operator *op, kp_type type);

/* `kp_operator_find` returns the operator with this name or alias, or NULL. `kp_type_find` returns
 * the type with this name or alias, or -1. The name has `length` bytes and no final zero. */
const kp_operator *kp_operator_find(const char *name, size_t length);
int kp_type_find(const char *name, size_t length);

#endif
