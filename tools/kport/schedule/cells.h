/* The cells of Tables 1 and 2 of Saad and Schultz 1986: for each architecture and operation what
 * the paper says it costs, and the schedule of this library whose cost stands beside it. */
#ifndef KPORT_TOOLS_CELLS_H
#define KPORT_TOOLS_CELLS_H

#include "kport.h"

#include <stdio.h>

#define CELLS      30
#define CELL_NOTES 4

struct cell_sizes {
    int n;
    uint64_t words; /* M: in all */
    int at_once;    /* k* */
    kp_model model; /* of a start-up and a word */
};

/* start-ups * beta + words * tau; in the paper's formulas neither need be whole. */
struct cell_cost {
    double startups, words;
};

struct cell_row {
    const char *architecture;
    kp_operation operation;
    const char *formula; /* in the paper's letters, N/b in one word */
    const char *where;   /* in the paper */
    struct cell_cost (*cost)(const struct cell_sizes *sizes);
    const char *algorithm;
    int (*ports)(int n);
    const char *slip; /* what is wrong where it is printed; NULL: nothing */
    const char *why;  /* what a difference comes from */
};

/* Where data is cut in packets: the time that the paper has with the best number of them, of which
 * the table prints a bound: times (sqrt(share M tau) + sqrt((links - 1) beta))^2. */
struct cell_pipeline {
    const char *architecture;
    kp_operation operation;
    const char *formula;
    const char *where;
    double times;
    double (*share)(const struct cell_sizes *sizes);
    double (*links)(const struct cell_sizes *sizes);
};

/* A row for given sizes. */
struct cell {
    const struct cell_row *row;
    char formula[160];                    /* in this library's letters */
    const struct cell_pipeline *pipeline; /* NULL: the data is not cut in packets */
    char pipeline_formula[160];
    double pipeline_time;
    kp_problem problem; /* nothing left open */
    struct cell_cost paper, counted;
    const char *notes[CELL_NOTES]; /* NULL ends */
};

/* The paper's letters and this library's: the one place where they are translated. */
struct cell_letter {
    const char *paper, *here, *meaning;
};
extern const struct cell_letter cell_letters[]; /* a NULL ends */

extern const struct cell_row cell_rows[CELLS];

/* Builds and checks the schedule on its architecture and counts. 0, or the status of a refusal
 * (kp_last_error). */
int cell_find(const struct cell_row *row, const struct cell_sizes *sizes, struct cell *cell);

double cell_time(const struct cell_sizes *sizes, struct cell_cost cost);

/* Whether the two costs of a cell are not the same. */
int cell_differs(const struct cell *cell);

/* What the paper calls an operation. */
const char *cell_operation(kp_operation operation);

#endif
