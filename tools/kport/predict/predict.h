/* The parts of the command `kport predict`. predict.c finds the rows and their times, print.c
 * prints them. */
#ifndef KPORT_TOOLS_PREDICT_H
#define KPORT_TOOLS_PREDICT_H

#include "tools/kport/predict/network.h"
#include "tools/kport/predict/simgrid.h"
#include "tools/kport/predict/ways.h"

#include <stddef.h>
#include <stdio.h>

/* The predictions of a row. */
enum engine {
    ENGINE_LINEAR, /* C1 beta + C2 tau */
    ENGINE_LOGGP,
    ENGINE_SIMGRID,
    ENGINES
};

/* A way at a block length. */
struct predicted {
    kp_problem problem;
    size_t way; /* the index of the way */
    uint64_t c1, c2;
    double us[ENGINES]; /* less than 0: not predicted */
    bool keeps;         /* network_keeps */
    unsigned limits;    /* of SimGrid's time */
};

struct predict {
    /* The options of the command line. */
    const char *text, *network_text, *engine, *ways_text, *lengths_text, *svg, *beta, *tau,
        *platform;
    int barrier, csv, json, all;

    struct network network;
    kp_model model;
    kp_problem problem; /* as the user gives it */
    struct ways ways;
    struct lengths lengths;
    bool has[ENGINES];
    char lacks[160]; /* why a column is left out although no engine was asked for; or empty */
    struct predicted *rows;
    size_t count;
};

/* --- Functions of print.c --- */

/* Returns the words for an engine: in text, and as a key of CSV and JSON. */
const char *predict_engine_name(enum engine engine);

/* Prints all rows in the form that the options ask for, and writes the picture. Returns an exit
 * status; if it is not 0, an error message is on stderr. */
int predict_print(const struct predict *predict);

#endif
