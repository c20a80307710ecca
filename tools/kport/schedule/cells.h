/* The cells of Tables 1 and 2 of Saad and Schultz 1986. A cell belongs to an architecture and an
 * operation. A cell has two costs: the cost that the paper states, and the counted cost of this
 * library's schedule. */
#ifndef KPORT_TOOLS_CELLS_H
#define KPORT_TOOLS_CELLS_H

#include "kport.h"

#include <stdio.h>

#define CELLS      30
#define CELL_NOTES 4

struct cell_sizes {
    int n;
    uint64_t words; /* the paper's M: the number of words in all */
    int at_once; /* the paper's k*: the number of transfers that a bus or a shared memory carries at
                    the same time */
    kp_model model; /* the model, with the time of a start-up (beta) and of a word (tau) */
};

/* A cost of startups * beta + words * tau. The paper's formulas may give fractions for both
 * numbers. */
struct cell_cost {
    double startups, words;
};

struct cell_row {
    const char *architecture;
    kp_operation operation;
    const char *formula; /* the paper's formula, in the paper's letters, where N/b is the time of
                            all words */
    const char *where;   /* the place of the formula in the paper */
    struct cell_cost (*cost)(const struct cell_sizes *sizes);
    const char *algorithm;
    int (*ports)(int n);
    const char *slip; /* a note about a printing error in the paper; NULL: no error */
    /* A note that says why the paper's cost and the counted cost differ; NULL: no note. */
    const char *why;
};

/* The paper's time for data that are cut in packets, for the best number of packets. The time is
 * `times` * (sqrt(share * M * tau) + sqrt((links - 1) * beta))^2. The tables of the paper have only
 * a bound of this time. */
struct cell_pipeline {
    const char *architecture;
    kp_operation operation;
    const char *formula;
    const char *where;
    double times;
    double (*share)(const struct cell_sizes *sizes);
    double (*links)(const struct cell_sizes *sizes);
};

/* A cell for given sizes. */
struct cell {
    const struct cell_row *row;
    char formula[160]; /* the formula in this library's letters */
    /* The paper's formula for data that are cut in packets; NULL: the data are not cut in
     * packets. */

    const struct cell_pipeline *pipeline;
    char pipeline_formula[160];
    double pipeline_time;
    kp_problem problem; /* the problem, with its algorithm and all parameters */
    struct cell_cost paper, counted;
    const char *notes[CELL_NOTES]; /* the notes; the array ends with NULL */
};

/* A letter of the paper's formulas and the letter that this library uses for the same thing. Only
 * this table translates letters. */
struct cell_letter {
    const char *paper, *here, *meaning;
};
/* The array ends with an element whose `paper` is NULL. */
extern const struct cell_letter cell_letters[];

extern const struct cell_row cell_rows[CELLS];

/* Computes the cell for the given sizes: builds the schedule, checks it on its architecture, and
 * counts its cost. Returns 0 or a status; kp_last_error has the reason. */
int cell_find(const struct cell_row *row, const struct cell_sizes *sizes, struct cell *cell);

double cell_time(const struct cell_sizes *sizes, struct cell_cost cost);

/* Returns whether the paper's cost differs from the counted cost. */
int cell_differs(const struct cell *cell);

/* Returns the name that the paper uses for an operation. */
const char *cell_operation(kp_operation operation);

#endif
