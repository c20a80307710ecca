/* What `kport route` is asked for, and the rows that come of it. */
#ifndef KPORT_TOOLS_ROUTE_ROWS_H
#define KPORT_TOOLS_ROUTE_ROWS_H

#include "lib/route/count.h"
#include "tools/kport/route/relations.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define ROUTE_LIST 16

struct route_job {
    uint64_t n[ROUTE_LIST], h[ROUTE_LIST]; /* 0 ends them */
    uint64_t trials, seed;
    const struct kp_protocol *protocol; /* NULL: all */
    const struct relation_kind *kind;
    struct relation_file file; /* instead of a kind, if there are lines */
    const char *path;
    bool two_stage, moves; /* with a payload */
    uint64_t payload, packet;
};

/* Numbers of the trials of one row, and what goes with them. */
struct route_row {
    const struct kp_protocol *protocol;
    uint64_t n, trials;
    double h; /* in multiples of n */
    double rounds, squares, bound, words;
    double seconds, messages; /* with a payload */
};

struct route_rows {
    struct route_row *rows;
    size_t count;
    bool stopped;
};

/* Carries out all trials, or as many as there are until the program is interrupted. An exit
 * status. */
int route_measure(const struct route_job *job, struct route_rows *rows);

void route_print(const struct route_job *job, const struct route_rows *rows, FILE *out);
json_t *route_json(const struct route_job *job, const struct route_rows *rows);

#endif
