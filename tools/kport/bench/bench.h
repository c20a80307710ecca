/* The command `kport bench`: which rows are timed, and how they are printed. */
#ifndef KPORT_TOOLS_BENCH_H
#define KPORT_TOOLS_BENCH_H

#include "tools/kport/bench/peers.h"
#include "tools/kport/run/timing.h"

/* A table has the rows of one n and k, ordered by size. A barrier has one row. */
struct bench_table {
    int n, k;
    struct task *tasks;
    size_t count;
    bool cut; /* the default sizes end early, because longer buffers would be too large */
};

struct bench_format;

struct bench {
    /* The options of the command line. */
    const char *operation, *n_list, *k_list, *sizes; /* NULL: option not given */
    uint64_t iterations, seconds;                    /* 0: option not given */
    struct timing_settings settings;
    kp_config machine; /* `processors` and `ports` are set from the table */
    const struct bench_format *format;
    int full, ahead, with_peers;

    /* The options, parsed. */
    bool barrier;
    char name[32], alias[32]; /* names of the operation */
    struct bench_table *tables;
    size_t table_count, row_count;

    /* The progress. */
    _Atomic size_t rows_done;
    _Atomic int64_t deadline; /* in nanoseconds; 0: no deadline yet */
    bool wrong;               /* some received bytes were wrong */
};

struct bench_row {
    const struct bench_table *table;
    const struct task *task;
    const struct timing_result *result;
    const struct peers_times *peers; /* NULL: not asked for */
};

/* --- In grid.c --- */

/* Reads the operation and the lists into tables. All problems in them are valid and have nothing
 * left open. Returns an exit status, other than 0 after a message. bench_grid_free must be called
 * in any case. */
int bench_grid_read(struct bench *bench);
void bench_grid_free(struct bench *bench);

/* --- In print.c --- */

/* Returns the format of that name, or NULL. */
const struct bench_format *bench_format_find(const char *name);

/* These functions write to stdout at once, row by row. They return false after a message if stdout
 * cannot be written. bench_print_end may be called by any thread and ends all printing; a later
 * call of the other functions waits for ever. */
bool bench_print_begin(const struct bench *bench);
bool bench_print_table(const struct bench *bench, const struct bench_table *table);
bool bench_print_row(struct bench *bench, const struct bench_row *row); /* counts the row */
bool bench_print_end(const struct bench *bench, bool complete);

/* Shows on stderr, if that is a terminal, which task is being timed; with NULL clears the line. */
void bench_print_progress(const struct bench *bench, const struct task *task);

/* --- In end.c --- */

/* From now on Ctrl-C (SIGINT), SIGTERM and the deadline of `bench` end the program, after the
 * printed part has been completed. Time in which the whole program was stopped does not count. Must
 * be called before other threads are started. */
bool bench_end_watch(struct bench *bench);

/* Sets the deadline to `seconds` from now. */
void bench_end_by(struct bench *bench, double seconds);

/* Returns the seconds until the deadline. */
double bench_end_in(const struct bench *bench);

/* --- In row.c --- */

/* First does one call of the smallest and the largest task of each table, and announces how long
 * the command can take. Then times all tables. Returns an exit status. */
int bench_carry_out(struct bench *bench);

#endif
