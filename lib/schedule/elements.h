/* These functions describe the elements of a problem's blocks. */
#ifndef KPORT_LIB_SCHEDULE_ELEMENTS_H
#define KPORT_LIB_SCHEDULE_ELEMENTS_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `kp_element_bytes` returns the bytes of an element, or 1 if the operation does not combine
 * blocks. `kp_elements` returns the number of elements of a block. If a reduction's schedule splits
 * blocks, its units are elements. */
size_t kp_element_bytes(const kp_problem *problem);
int64_t kp_elements(const kp_problem *problem);

/* What a schedule counts, as a word of a sentence: "block" or "blocks", or if it splits its
 * `units_of_block` > 1, "element(s)" of a reduction and "byte(s)" of another operation. */
const char *kp_units_word(const kp_problem *problem, int64_t units_of_block, int64_t count);

/* Returns whether the problem's operands must be combined in the order of the ranks. */
bool kp_is_ordered(const kp_problem *problem);

#endif
