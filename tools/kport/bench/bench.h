/* The parts of the command `kport bench`. grid.c reads which rows are wanted, row.c times the rows,
 * print.c prints the rows, and end.c ends the command in time. */
#ifndef KPORT_TOOLS_BENCH_H
#define KPORT_TOOLS_BENCH_H

#include "tools/kport/bench/peers.h"
#include "tools/kport/run/timing.h"

/* A table has the rows of one n and one k, ordered by size. The size is the length of a block or of
 * an operand. A barrier has no size, so its table has one row. */
struct bench_table {
    int n, k;
    struct task *tasks;
    size_t count;
    bool cut; /* the default sizes end early, because the buffers for longer blocks would be too
                 large */
};

struct bench_format;

struct bench {
    /* The options of the command line. */
    const char *operation, *n_list, *k_list, *sizes; /* the options with texts; NULL: not given */
    uint64_t iterations, seconds;                    /* the options with numbers; 0: not given */
    struct timing_settings settings;
    /* The machine's configuration; `processors` and `ports` come from each table. */
    kp_config machine;
    const struct bench_format *format;
    int full, ahead, with_peers;

    /* What follows from the options. */
    bool barrier;
    char name[32], alias[32]; /* the names of the operation: kport's name and MPI's name */
    struct bench_table *tables;
    size_t table_count, row_count;

    /* The progress of the command. */
    _Atomic size_t rows_done;
    _Atomic int64_t deadline; /* the time at which the command must end, in nanoseconds of
                                 batch_now_ns; 0: no deadline yet */
    bool wrong;               /* in some row, received bytes were wrong */
};

struct bench_row {
    const struct bench_table *table;
    const struct task *task;
    const struct timing_result *result;
    /* The times of the peers; NULL: the user has not asked for them. */
    const struct peers_times *peers;
};

/* --- Functions of grid.c --- */

/* Reads the operation and the lists, and makes the tables. All problems in the tables are valid and
 * have an algorithm. Returns an exit status; if it is not 0, an error message is on stderr. The
 * caller must call bench_grid_free in any case. */
int bench_grid_read(struct bench *bench);
void bench_grid_free(struct bench *bench);

/* --- Functions of print.c --- */

/* Returns the format with this name (text, csv or json), or NULL if there is none. */
const struct bench_format *bench_format_find(const char *name);

/* These functions write to stdout without delay, row by row. If stdout cannot be written, the
 * functions print an error message on stderr and return false. Any thread may call bench_print_end,
 * which ends all printing. If a thread calls one of the other functions later, that call never
 * returns. */
bool bench_print_begin(const struct bench *bench);
bool bench_print_table(const struct bench *bench, const struct bench_table *table);
/* Also counts the row in `rows_done`. */
bool bench_print_row(struct bench *bench, const struct bench_row *row);
bool bench_print_end(const struct bench *bench, bool complete);

/* Shows on stderr which task is being timed, if stderr is a terminal. If `task` is NULL, clears the
 * line. */
void bench_print_progress(const struct bench *bench, const struct task *task);

/* --- Functions of end.c --- */

/* Starts a thread that ends the program when Ctrl-C (SIGINT) or SIGTERM arrives, or at the deadline
 * of `bench`. Before it ends the program, the thread prints the end of the output
 * (bench_print_end). If the whole program was stopped for a time, the deadline is postponed by this
 * time. This function must be called before any other thread is started. On an error prints an
 * error message on stderr and returns false. */
bool bench_end_watch(struct bench *bench);

/* Sets the deadline to `seconds` seconds from now. */
void bench_end_by(struct bench *bench, double seconds);

/* Returns the number of seconds until the deadline. */
double bench_end_in(const struct bench *bench);

/* --- Functions of row.c --- */

/* Announces how long the command can take. To find that out, the function first makes a call of the
 * smallest and a call of the largest task of each table. Then it times and prints all tables.
 * Returns an exit status. */
int bench_carry_out(struct bench *bench);

#endif
