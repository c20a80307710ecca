/* What `kport check` has found out about a schedule, and its form for programs. */
#ifndef KPORT_TOOLS_VERDICT_H
#define KPORT_TOOLS_VERDICT_H

#include "kport.h"
#include "lib/check/account.h"

#include <stdbool.h>

struct verdict {
    const kp_problem *problem;
    int rounds; /* -1: the schedule could not be built */
    bool wrong;
    /* Of a wrong schedule: the sentence and where it applies, the account or NULL, and the mark,
     * whose kind is NULL if there is no account. */
    kp_error_record error;
    char *account;
    struct kp_mark mark;
    int line; /* of the message or move, in a file of the text form; 0: not known */
    /* Of a right schedule: whether it combines, whether in the same order at all processors, and
     * otherwise which two differ. */
    bool combines, same_order;
    char order[120];
};

/* Prints the verdict as JSON on stdout. Returns an exit status, which does not depend on the
 * verdict. */
int verdict_print_json(const struct verdict *v);

#endif
