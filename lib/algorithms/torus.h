/* What the algorithms on rings and on the two-dimensional torus share.
 *
 * A torus of `rows` times `columns` processors: number r columns + c stands in row r, column c. Its
 * sides are as near to each other as n allows, rows <= columns. Both directions close around. */
#ifndef KPORT_LIB_ALGORITHMS_TORUS_H
#define KPORT_LIB_ALGORITHMS_TORUS_H

#include "kport/schedule.h"

/* In words, and as a row's `serves`: not so many rounds that no list of them could be kept. */
extern const char kp_ring_restriction[];
const char *kp_ring_serves(const kp_problem *problem);

/* How many places a ring's root reaches to its right, when it sends both ways: floor(n / 2); with
 * one port all n - 1. */
int kp_ring_to_the_right(const kp_problem *problem);

/* The same for a torus with sides of 3 and more, where every processor has four neighbours. */
extern const char kp_torus_restriction[];
const char *kp_torus_serves(const kp_problem *problem);

/* For what needs two ports, and any sides. */
extern const char kp_torus_two_ports_restriction[];
const char *kp_torus_two_ports_serves(const kp_problem *problem);

struct kp_torus {
    int rows, columns;
};

struct kp_torus kp_torus_of(int n);

/* Row and column of a processor, around the sides. */
int kp_torus_at(struct kp_torus torus, int64_t row, int64_t column);

#endif
