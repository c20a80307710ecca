/* A problem's facts, as `cost` and `run` print them: its costs beside the lower bounds. */
#ifndef KPORT_TOOLS_FACTS_H
#define KPORT_TOOLS_FACTS_H

#include "kport.h"

#include <jansson.h>
#include <stdio.h>

struct facts {
    kp_problem problem; /* nothing left open */
    kp_cost cost;
    uint64_t c1_bound, c2_bound;
};

/* Builds the schedule of facts->problem, which leaves nothing open, and counts. An exit status;
 * other than 0 after a message on stderr. */
int facts_find(struct facts *facts);

void facts_print(const struct facts *facts, FILE *out);

/* A new JSON object with the keys that `cost` and `run` share. */
json_t *facts_json(const struct facts *facts);

/* Prints the thread's latest error of the library; EXIT_IMPOSSIBLE. */
int facts_refuse(void);

#endif
