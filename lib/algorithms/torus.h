/* The algorithms on rings and on the two-dimensional torus share these functions.
 *
 * A torus has `rows` times `columns` processors. Processor r columns + c is in row r and column c.
 * Its sides are as near to each other as n allows, and rows <= columns. Rows and columns are rings.
 */
#ifndef KPORT_LIB_ALGORITHMS_TORUS_H
#define KPORT_LIB_ALGORITHMS_TORUS_H

#include "kport/schedule.h"

/* The restriction and the `serves` of algorithms on a ring. They limit n, and so the number of
 * rounds, because every processor needs a list of its rounds. */
extern const char kp_ring_restriction[];
const char *kp_ring_serves(const kp_problem *problem);

/* Returns how many places to its right the root of a ring serves: floor(n / 2), or n - 1 if there
 * is only one port. */
int kp_ring_to_the_right(const kp_problem *problem);

/* The restriction and the `serves` of algorithms on a torus with both sides at least 3. There every
 * processor has four neighbours. */
extern const char kp_torus_restriction[];
const char *kp_torus_serves(const kp_problem *problem);

/* The restriction and the `serves` of algorithms on a torus with any sides that need two ports. */
extern const char kp_torus_two_ports_restriction[];
const char *kp_torus_two_ports_serves(const kp_problem *problem);

struct kp_torus {
    int rows, columns;
};

struct kp_torus kp_torus_of(int n);

/* Returns the processor in a row and column. Both wrap around. */
int kp_torus_at(struct kp_torus torus, int64_t row, int64_t column);

#endif
