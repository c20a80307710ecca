/* Computes and prints the facts that `kport cost` and `kport run` show about a problem: C1, C2 and
 * their lower bounds. */
#ifndef KPORT_TOOLS_FACTS_H
#define KPORT_TOOLS_FACTS_H

#include "kport.h"

#include <jansson.h>
#include <stdio.h>

struct facts {
    kp_problem problem;    /* the problem, with its algorithm and all parameters */
    kp_cost cost, between; /* of all messages, and of those between processes */
    uint64_t c1_bound, c2_bound;
};

/* Builds the schedule of facts->problem, which must name its algorithm and all parameters. Then
 * counts the schedule's costs, and computes the lower bounds. Returns an exit status; if it is not
 * 0, an error message is on stderr. */
int facts_find(struct facts *facts);

void facts_print(const struct facts *facts, FILE *out);

/* Returns a new JSON object with the keys that both `kport cost` and `kport run` print. */
json_t *facts_json(const struct facts *facts);

/* Builds the schedule of a problem. Of an algorithm that is not the library's own, or of a file, it
 * also checks the schedule and its stated cost. Returns an exit status: EXIT_FAILED if the
 * algorithm is wrong, EXIT_IMPOSSIBLE if there is no memory or the schedule is too large to be
 * checked. If the status is not 0, `schedule` is NULL and `error` has the reason. */
int facts_build_checked(const kp_problem *problem, kp_schedule **schedule, kp_error_record *error);

/* Does the same, and prints the reason with the problem on stderr; but if the same algorithm was
 * wrong in the failed call before, nothing more is said. Only one thread may call it. */
int facts_build_right(const kp_problem *problem, kp_schedule **schedule);

/* Prints a sentence about the problem on stderr, behind the problem, which it may begin with.
 * `after` follows it in the same line. */
void facts_tell(const kp_problem *problem, const char *sentence, const char *after);

/* What a sentence about an algorithm that is not there ends with. */
#define FACTS_LOAD_HINT "; an algorithm of your own needs --load FILE.so"

/* Prints the sentence of the latest error that kport reported to this thread. Returns
 * EXIT_IMPOSSIBLE. */
int facts_refuse(void);

#endif
