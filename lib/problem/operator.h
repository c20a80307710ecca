/* What the library knows about operators, and how two lists of elements are combined. */
#ifndef KPORT_LIB_OPERATOR_H
#define KPORT_LIB_OPERATOR_H

#include "kport/schedule.h"

#include <stdbool.h>

/* to[i] = left[i] op right[i], as kp_operator's combine. */
typedef void kp_combine(void *to, const void *left, const void *right, size_t count, void *context);

/* `count` elements, `step` bytes from one to the next, into one that begins as `start`; each is the
 * left operand of what is there by then, or the right one. */
typedef void kp_fold(void *to, const void *start, const char *from, int64_t step, size_t count,
                     bool left);

struct kp_loops {
    kp_combine *combine;
    kp_fold *fold; /* or NULL: it is made of combinations */
};

/* Those of the library's operators (operator_functions.c). */
extern const struct kp_loops kp_builtin_loops[KP_BUILTINS][KP_TYPES];

/* What combines elements of that type; no `combine` if the operator does not know it. */
struct kp_loops kp_operator_loops(const kp_operator *op, kp_type type);

/* What the address of a value is a multiple of; 0 for KP_OPAQUE. */
size_t kp_type_alignment(kp_type type);

bool kp_operator_is_builtin(const kp_operator *op);

/* The operator's name in problem strings and messages. */
const char *kp_operator_name(const kp_operator *op);

/* Equal for equal operators on equal types; 0 for NULL. */
uint64_t kp_operator_fingerprint(const kp_operator *op, kp_type type);

/* The operator, or type, of that name or alias, not zero-terminated; NULL or -1 if there is none.
 */
const kp_operator *kp_operator_find(const char *name, size_t length);
int kp_type_find(const char *name, size_t length);

/* Bytes of an element, 1 for what is no reduction; and how many of them a block has. A schedule
 * that splits blocks has elements as its units. */
size_t kp_element_bytes(const kp_problem *problem);
int64_t kp_elements(const kp_problem *problem);

/* Whether operands have to be combined in the order of the processors. */
bool kp_is_ordered(const kp_problem *problem);

#endif
