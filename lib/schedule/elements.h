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

/* Returns whether the problem's operands must be combined in the order of the ranks. */
bool kp_is_ordered(const kp_problem *problem);

#endif
