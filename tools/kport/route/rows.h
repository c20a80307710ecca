/* The job of `kport route` and its result rows. */
#ifndef KPORT_TOOLS_ROUTE_ROWS_H
#define KPORT_TOOLS_ROUTE_ROWS_H

#include "lib/route/count.h"
#include "tools/kport/route/relations.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define ROUTE_LIST 16

struct route_job {
    uint64_t n[ROUTE_LIST], h[ROUTE_LIST]; /* lists that end with 0 */
    uint64_t trials, seed;
    const struct kp_protocol *protocol; /* NULL: all protocols */
    const struct relation_kind *kind;
    struct relation_file file; /* replaces `kind` if it has lines */
    const char *path;
    bool two_stage, moves; /* `moves`: messages with a payload are moved */
    uint64_t payload, packet;
};

/* Sums over the trials of one row, and their parameters. */
struct route_row {
    const struct kp_protocol *protocol;
    uint64_t n, trials;
    double h; /* a multiple of n */
    double rounds, squares, bound, words;
    double seconds, messages; /* only if messages are moved */
};

struct route_rows {
    struct route_row *rows;
    size_t count;
    bool stopped;
};

/* Carries out all trials, or those before an interrupt. Returns an exit status. */
int route_measure(const struct route_job *job, struct route_rows *rows);

void route_print(const struct route_job *job, const struct route_rows *rows, FILE *out);
json_t *route_json(const struct route_job *job, const struct route_rows *rows);

#endif
