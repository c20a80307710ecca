/* Declares what `kport route` has to do (the job), and the rows of its results. */
#ifndef KPORT_TOOLS_ROUTE_ROWS_H
#define KPORT_TOOLS_ROUTE_ROWS_H

#include "lib/route/count.h"
#include "tools/kport/route/relations.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define ROUTE_LIST 16

struct route_job {
    uint64_t n[ROUTE_LIST], h[ROUTE_LIST]; /* the lists of --n and --h; each ends with 0 */
    uint64_t trials, seed;
    const struct kp_protocol *protocol; /* the protocol to be measured; NULL: all protocols */
    const struct relation_kind *kind;
    struct relation_file file; /* the relation from a file (--file), if `path` is set; otherwise
                                  `kind` makes the relations */
    const char *path;
    bool two_stage, moves; /* `two_stage`: packets first go to random processors; `moves`: real
                              messages are moved (--payload) */
    uint64_t payload, packet;
};

/* The results of one protocol for one n and h. The numbers of type double are sums over all trials,
 * except h. */
struct route_row {
    const struct kp_protocol *protocol;
    uint64_t n, trials;
    double h; /* h, as a multiple of n */
    double rounds, squares, bound, words;
    double seconds, messages; /* measured only if real messages are moved */
};

struct route_rows {
    struct route_row *rows;
    size_t count;
    bool stopped;
};

/* Carries out all trials, or the trials before an interrupt. Returns an exit status. */
int route_measure(const struct route_job *job, struct route_rows *rows);

void route_print(const struct route_job *job, const struct route_rows *rows, FILE *out);
json_t *route_json(const struct route_job *job, const struct route_rows *rows);

#endif
