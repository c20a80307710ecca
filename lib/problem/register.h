/* This header declares the check of an algorithm's row. Unlike the library's rows, a row of the
 * user's own may lack necessary fields. */
#ifndef KPORT_LIB_REGISTER_H
#define KPORT_LIB_REGISTER_H

#include "kport/schedule.h"

/* Returns KP_OK if the row has all fields that kport reads. Otherwise sets and returns
 * KP_EALGORITHM. */
int kp_row_check(const kp_algorithm *row);

#endif
