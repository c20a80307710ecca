/* This header declares the table of algorithms: the library's rows and the registered ones. Any
 * thread may call these functions, and kp_algorithm_at and kp_algorithm_find, beside any other. */
#ifndef KPORT_LIB_ROWS_H
#define KPORT_LIB_ROWS_H

#include "kport/schedule.h"

#include <stdbool.h>

#define KP_MOST_REGISTERED 256 /* the largest number of registered rows */

/* Returns whether the row is the library's own. The library's tests check all these algorithms. Any
 * other algorithm is checked before its first execution. */
bool kp_row_is_library(const kp_algorithm *row);

/* `kp_row_insert` puts a row behind all others of its operation. Refuses a row whose operation has
 * an algorithm of this name, and more than KP_MOST_REGISTERED rows. `kp_row_remove` takes a
 * registered row out. Refuses this while there are holders (holders.h). Both return KP_OK or
 * KP_EALGORITHM, `kp_row_remove` also KP_EBUSY. */
int kp_row_insert(const kp_algorithm *row);
int kp_row_remove(const kp_algorithm *row);

#endif
