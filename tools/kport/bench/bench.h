/* kport bench: what is to be timed, row by row, and how it is printed. */
#ifndef KPORT_TOOLS_BENCH_H
#define KPORT_TOOLS_BENCH_H

#include "tools/kport/bench/peers.h"
#include "tools/kport/run/timing.h"

/* Rows of the same n and k, by size; a barrier has one. */
struct bench_table {
    int n, k;
    struct task *tasks;
    size_t count;
    bool cut; /* sizes end where the buffers would be too large, as nobody has said how far */
};

struct bench_format;

struct bench {
    /* What was asked for. */
    const char *operation, *n_list, *k_list, *sizes; /* NULL: not said */
    uint64_t iterations, seconds;                    /* 0: not said */
    struct timing_how how;
    kp_config machine; /* processors and ports follow from the table */
    const struct bench_format *format;
    int full, ahead, with_peers;

    /* What that is. */
    bool barrier;
    char name[32], alias[32]; /* of the operation */
    struct bench_table *tables;
    size_t table_count, row_count;

    /* How far it is. */
    _Atomic size_t rows_done;
    _Atomic int64_t deadline; /* nanoseconds; 0: none yet */
    bool wrong;               /* bytes were, in some row */
};

struct bench_row {
    const struct bench_table *table;
    const struct task *task;
    const struct timing_result *result;
    const struct peers_times *peers; /* NULL: not asked for */
};

/* --- In grid.c --- */

/* Reads the operation and the lists into tables; all of their problems can be, and have nothing
 * left open. An exit status; other than 0 after a message. bench_grid_free in any case. */
int bench_grid_read(struct bench *bench);
void bench_grid_free(struct bench *bench);

/* --- In print.c --- */

/* NULL for a name that is none. */
const struct bench_format *bench_format_find(const char *name);

/* To stdout, row by row as they come, each written at once. False if it could not be, after a
 * message. bench_print_end may be called by another thread, and ends all printing: what comes
 * afterwards waits for ever. */
bool bench_print_begin(const struct bench *bench);
bool bench_print_table(const struct bench *bench, const struct bench_table *table);
bool bench_print_row(struct bench *bench, const struct bench_row *row); /* which is done then */
bool bench_print_end(const struct bench *bench, bool complete);

/* On stderr, if that is a terminal: what is being done. NULL: nothing. */
void bench_print_progress(const struct bench *bench, const struct task *task);

/* --- In end.c --- */

/* From now on Ctrl-C (SIGINT) and SIGTERM end the program, as does the deadline of `bench` once
 * there is one: what has been printed is completed first. Time in which the whole program was
 * stopped does not count. Other threads are started after this. */
bool bench_end_watch(struct bench *bench);

/* The deadline, seconds from now. */
void bench_end_by(struct bench *bench, double seconds);

/* Seconds until then. */
double bench_end_in(const struct bench *bench);

/* --- In row.c --- */

/* Times all that is in the tables, after a first look, which says how long it can take; that is
 * announced. An exit status. */
int bench_carry_out(struct bench *bench);

#endif
