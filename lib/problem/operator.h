/* The operators, and the loops that combine elements. */
#ifndef KPORT_LIB_OPERATOR_H
#define KPORT_LIB_OPERATOR_H

#include "kport/schedule.h"

#include <stdbool.h>

/* Computes to[i] = left[i] op right[i]. The arguments are those of kp_operator's combine. */
typedef void kp_combine(void *to, const void *left, const void *right, size_t count, void *context);

/* Combines `count` elements, which are `step` bytes apart, with `start`, one after the other. The
 * new element is the left operand if `left`, otherwise the right operand. */
typedef void kp_fold(void *to, const void *start, const char *from, int64_t step, size_t count,
                     bool left);

struct kp_loops {
    kp_combine *combine;
    kp_fold *fold; /* NULL: combine the elements one by one */
};

/* The loops of the library's operators (operator_functions.c). */
extern const struct kp_loops kp_builtin_loops[KP_BUILTINS][KP_TYPES];

/* Returns the loops for elements of that type. `combine` is NULL if the operator has none. */
struct kp_loops kp_operator_loops(const kp_operator *op, kp_type type);

/* Returns the alignment of a value of that type, 0 for KP_OPAQUE. */
size_t kp_type_alignment(kp_type type);

bool kp_operator_is_builtin(const kp_operator *op);

/* Returns the operator's name in problem strings and messages. */
const char *kp_operator_name(const kp_operator *op);

/* Returns a number that is the same for the same operator on the same type, 0 for NULL. */
uint64_t kp_operator_fingerprint(const kp_operator *op, kp_type type);

/* Return the operator or the type with that name or alias, which is not zero-terminated. If there
 * is none, they return NULL and -1. */
const kp_operator *kp_operator_find(const char *name, size_t length);
int kp_type_find(const char *name, size_t length);

/* `kp_element_bytes` returns the bytes of an element, 1 if the operation does not combine.
 * `kp_elements` returns the elements of a block. A schedule that splits blocks has elements as its
 * units. */
size_t kp_element_bytes(const kp_problem *problem);
int64_t kp_elements(const kp_problem *problem);

/* Returns whether operands must be combined in the order of the processors. */
bool kp_is_ordered(const kp_problem *problem);

#endif
