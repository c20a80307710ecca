/* Every algorithm, one line each; table.c puts them in order. */
#ifndef KPORT_LIB_ALGORITHMS_TABLE_H
#define KPORT_LIB_ALGORITHMS_TABLE_H

#include "kport/schedule.h"

extern const kp_algorithm kp_index_radix;
extern const kp_algorithm kp_index_literal;
extern const kp_algorithm kp_concat_circulant;
extern const kp_algorithm kp_concat_recursive_doubling;
extern const kp_algorithm kp_concat_ring;
extern const kp_algorithm kp_concat_gather_broadcast;

#endif
