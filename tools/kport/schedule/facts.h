/* The facts that `kport cost` and `kport run` print: a problem's costs and its lower bounds. */
#ifndef KPORT_TOOLS_FACTS_H
#define KPORT_TOOLS_FACTS_H

#include "kport.h"

#include <jansson.h>
#include <stdio.h>

struct facts {
    kp_problem problem; /* has nothing left open */
    kp_cost cost;
    uint64_t c1_bound, c2_bound;
};

/* Builds the schedule of facts->problem, which must leave nothing open, and counts its costs.
 * Returns an exit status, other than 0 after a message on stderr. */
int facts_find(struct facts *facts);

void facts_print(const struct facts *facts, FILE *out);

/* Returns a new JSON object with the keys that `cost` and `run` share. */
json_t *facts_json(const struct facts *facts);

/* Prints the thread's latest kport error. Returns EXIT_IMPOSSIBLE. */
int facts_refuse(void);

#endif
