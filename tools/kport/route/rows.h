/* Declares the job of `kport route` (what the command has to do) and the rows of its results. */
#ifndef KPORT_TOOLS_ROUTE_ROWS_H
#define KPORT_TOOLS_ROUTE_ROWS_H

#include "kport.h"
#include "lib/route/count.h"
#include "tools/kport/route/relations.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define ROUTE_LIST 16

struct route_job {
    uint64_t n[ROUTE_LIST], h[ROUTE_LIST]; /* the lists of --n and --h; each ends with 0 */
    uint64_t trials, seed;
    const struct kp_protocol *protocol; /* the measured protocol; NULL: all protocols */
    const struct relation_kind *kind;
    struct relation_file file; /* the relation from the file at `path` (--file); if `path` is NULL,
                                  `kind` makes the relations */
    const char *path;
    bool two_stage, moves; /* `two_stage`: each packet first goes to a random processor; `moves`:
                              real messages are moved (--payload) */
    uint64_t payload, packet;
    kp_config machine; /* the carrier; n is `processors` */
};

/* The results of one protocol for one n and one h. All numbers of type double except `h` are sums
 * over the trials. */
struct route_row {
    const struct kp_protocol *protocol;
    uint64_t n, trials;
    double h; /* h, as a multiple of n: each processor sends h * n messages */
    double rounds, squares, bound, words;
    double seconds, messages; /* 0 unless real messages are moved */
};

struct route_rows {
    struct route_row *rows;
    size_t count;
    bool stopped;
};

/* Carries out all trials. After an interrupt, `rows` has the results up to then. Returns an exit
 * status. */
int route_measure(const struct route_job *job, struct route_rows *rows);

void route_print(const struct route_job *job, const struct route_rows *rows, FILE *out);
json_t *route_json(const struct route_job *job, const struct route_rows *rows);

#endif
