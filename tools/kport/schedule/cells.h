/* The cells of Tables 1 and 2 of Saad and Schultz 1986. Each cell is for one architecture and one
 * operation, and has two costs: the cost that the paper states, and the counted cost of this
 * library's schedule. */
#ifndef KPORT_TOOLS_CELLS_H
#define KPORT_TOOLS_CELLS_H

#include "kport.h"

#include <stdio.h>

#define CELLS      30
#define CELL_NOTES 4

struct cell_sizes {
    int n;
    uint64_t words; /* M: the number of words of all data */
    int at_once; /* the paper's k*: how many transfers a bus or a shared memory carries at the same
                    time */
    kp_model model; /* the linear model: the times of a start-up (beta) and of a word (tau) */
};

/* A cost: the time startups * beta + words * tau. By the paper's formulas both numbers may be
 * fractions. */
struct cell_cost {
    double startups, words;
};

struct cell_row {
    const char *architecture;
    kp_operation operation;
    const char *formula; /* the paper's formula, in the letters of the paper (cell_letters); its N/b
                            is the time to move all words */
    const char *where;   /* where the formula stands in the paper */
    struct cell_cost (*cost)(const struct cell_sizes *sizes);
    const char *algorithm;
    int (*ports)(int n);
    const char *slip; /* a note about a printing error in the paper; NULL: there is no error */
    /* A note that says why the paper's cost and the counted cost differ; NULL: there is no note. */
    const char *why;
};

/* The paper's time for data that are cut into packets, with the best number of packets. The time is
 * `times` * (sqrt(share * M * tau) + sqrt((links - 1) * beta))^2, with M, beta and tau of
 * cell_sizes. The paper's tables have only a bound of this time. */
struct cell_pipeline {
    const char *architecture;
    kp_operation operation;
    const char *formula;
    const char *where;
    double times;
    double (*share)(const struct cell_sizes *sizes);
    double (*links)(const struct cell_sizes *sizes);
};

/* A cell, computed for given sizes. */
struct cell {
    const struct cell_row *row;
    char formula[160]; /* the formula of `row` in this library's letters */
    /* The paper's time for data that are cut into packets; NULL: the data are not cut. */

    const struct cell_pipeline *pipeline;
    char pipeline_formula[160];
    double pipeline_time;
    kp_problem problem; /* the problem, with its algorithm and all parameters */
    struct cell_cost paper, counted;
    const char *notes[CELL_NOTES]; /* the notes about this cell; NULL follows the last note */
};

/* A letter in the paper's formulas, and the letter that this library uses for the same quantity. */
struct cell_letter {
    const char *paper, *here, *meaning;
};
/* The translation of all letters. The last element has NULL as `paper`. */
extern const struct cell_letter cell_letters[];

extern const struct cell_row cell_rows[CELLS];

/* Computes the cell of `row` for the given sizes: builds the schedule, checks that the architecture
 * permits the schedule, and counts its cost. Returns 0, or the status of an error, which
 * kp_last_error describes. */
int cell_find(const struct cell_row *row, const struct cell_sizes *sizes, struct cell *cell);

double cell_time(const struct cell_sizes *sizes, struct cell_cost cost);

/* Returns whether the paper's cost differs from the counted cost. */
int cell_differs(const struct cell *cell);

/* Returns the name that the paper uses for an operation. */
const char *cell_operation(kp_operation operation);

#endif
