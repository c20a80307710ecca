/* This header has functions that the algorithms on rings and on the two-dimensional torus share.
 *
 * A torus has n = rows * columns processors. Processor `r * columns + c` is in row r and column c.
 * Each row is a ring, and so is each column. `rows` is the largest divisor of n with rows <=
 * columns, so the torus is as near to a square as n allows. */
#ifndef KPORT_LIB_ALGORITHMS_TORUS_H
#define KPORT_LIB_ALGORITHMS_TORUS_H

#include "kport/schedule.h"

/* `kp_ring_serves` is the function `serves` (kp_algorithm) of algorithms on a ring. If n is above
 * 4096, it returns the text `kp_ring_restriction`. The schedule of a ring has about n rounds for
 * each of the n processors, so a large n would take too much memory. */
extern const char kp_ring_restriction[];
const char *kp_ring_serves(const kp_problem *problem);

/* Returns how many processors receive their data over the root's right neighbour. These are
 * floor(n / 2) processors, or n - 1 if there is only one port. The other processors receive their
 * data over the root's left neighbour. */
int kp_ring_to_the_right(const kp_problem *problem);

/* `kp_torus_serves` is the function `serves` of algorithms on a torus in which every processor has
 * four different neighbours. If a side is below 3, or n is above 4096, it returns the text
 * `kp_torus_restriction`. */
extern const char kp_torus_restriction[];
const char *kp_torus_serves(const kp_problem *problem);

/* `kp_torus_two_ports_serves` is the function `serves` of algorithms on a torus that allow sides of
 * any length but need two ports. If k is below 2 or n is above 4096, it returns the text
 * `kp_torus_two_ports_restriction`. */
extern const char kp_torus_two_ports_restriction[];
const char *kp_torus_two_ports_serves(const kp_problem *problem);

struct kp_torus {
    int rows, columns;
};

/* Returns the torus of n processors. */
struct kp_torus kp_torus_of(int n);

/* Returns the rank of the processor in a row and a column. Both numbers wrap around, so they may be
 * negative or too large. */
int kp_torus_at(struct kp_torus torus, int64_t row, int64_t column);

#endif
