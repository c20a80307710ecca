/* The cells of Tables 1 and 2 of Saad and Schultz 1986. A cell has, for an architecture and an
 * operation, the cost in the paper and the cost of this library's schedule. */
#ifndef KPORT_TOOLS_CELLS_H
#define KPORT_TOOLS_CELLS_H

#include "kport.h"

#include <stdio.h>

#define CELLS      30
#define CELL_NOTES 4

struct cell_sizes {
    int n;
    uint64_t words; /* the paper's M: words in all */
    int at_once;    /* the paper's k* */
    kp_model model; /* the time of a start-up and of a word */
};

/* The cost startups * beta + words * tau. In the paper's formulas both numbers may be fractions. */
struct cell_cost {
    double startups, words;
};

struct cell_row {
    const char *architecture;
    kp_operation operation;
    const char *formula; /* in the paper's letters; N/b is one word */
    const char *where;   /* the place in the paper */
    struct cell_cost (*cost)(const struct cell_sizes *sizes);
    const char *algorithm;
    int (*ports)(int n);
    const char *slip; /* the printing error in the paper; NULL: none */
    const char *why;  /* the reason for a difference of the costs */
};

/* Data cut in packets. The table prints a bound; this row has the paper's time with the best number
 * of packets: `times` * (sqrt(share * M * tau) + sqrt((links - 1) * beta))^2. */
struct cell_pipeline {
    const char *architecture;
    kp_operation operation;
    const char *formula;
    const char *where;
    double times;
    double (*share)(const struct cell_sizes *sizes);
    double (*links)(const struct cell_sizes *sizes);
};

/* A row with given sizes. */
struct cell {
    const struct cell_row *row;
    char formula[160];                    /* in this library's letters */
    const struct cell_pipeline *pipeline; /* NULL: the data is not cut in packets */
    char pipeline_formula[160];
    double pipeline_time;
    kp_problem problem; /* has nothing left open */
    struct cell_cost paper, counted;
    const char *notes[CELL_NOTES]; /* ends with NULL */
};

/* The paper's letters and this library's letters. No other place translates them. */
struct cell_letter {
    const char *paper, *here, *meaning;
};
extern const struct cell_letter cell_letters[]; /* ends with a NULL */

extern const struct cell_row cell_rows[CELLS];

/* Builds and checks the schedule on its architecture and counts its cost. Returns 0, or the status
 * of a refusal (kp_last_error). */
int cell_find(const struct cell_row *row, const struct cell_sizes *sizes, struct cell *cell);

double cell_time(const struct cell_sizes *sizes, struct cell_cost cost);

/* Returns whether the paper's cost and the counted cost differ. */
int cell_differs(const struct cell *cell);

/* Returns the paper's name of an operation. */
const char *cell_operation(kp_operation operation);

#endif
