/* The parts of the command `kport bench`. grid.c finds from the options which rows are wanted
 * (lists.c reads lists), row.c times the rows, print.c prints the rows, and end.c ends the command
 * at its deadline or at a signal. Three tests go their own way: messages.c, overlap.c
 * and bsp.c. */
#ifndef KPORT_TOOLS_BENCH_H
#define KPORT_TOOLS_BENCH_H

#include "tools/kport/bench/peers.h"
#include "tools/kport/run/timing.h"

/* A table of results. All its rows have the same n and k. They are ordered by size, which is the
 * length of a block or of an operand. With -a there is a row for each algorithm, and the rows of
 * one size follow each other. A barrier has no size, so its table has one row. */
struct bench_table {
    int n, k;
    struct task *tasks;
    size_t count;
    char *left_out; /* the algorithms of -a that have no row, each as a line; NULL: none */
    bool cut; /* the largest default sizes are left out, because their buffers would be too large */
};

struct bench_format;

enum bench_shape {
    BENCH_TEXT,
    BENCH_CSV,
    BENCH_JSON,
};

struct bench {
    /* The options of the command line. */
    /* Options with a text; NULL: not given. */
    const char *operation, *n_list, *k_list, *sizes, *algorithms, *trace, *bind;
    const char *peers;            /* which peers are timed, as in "openmp,mpich"; "": all */
    uint64_t iterations, seconds; /* options with a number; 0: not given */
    struct timing_settings settings;
    /* The machine's configuration; its `processors` and `ports` are set anew for each table. */
    kp_config machine;
    const struct bench_format *format;
    int full, ahead;

    /* The fields that are computed from the options. */
    bool barrier, with_peers;
    char name[32], alias[32]; /* the names of the operation: kport's name and MPI's name */
    struct bench_table *tables;
    size_t table_count, row_count;

    /* The progress of the command. */
    _Atomic size_t rows_done;
    _Atomic int64_t deadline; /* the time at which the command must end, in nanoseconds of
                                 batch_now_ns; 0: no deadline yet */
    bool wrong;               /* some processor has received wrong bytes */
};

struct bench_row {
    const struct bench_table *table;
    const struct task *task;
    const struct timing_result *result;
    /* The times of the peers; NULL: the user has not asked for peers. */
    const struct peers_times *peers;
};

/* --- Functions of lists.c --- */

#define BENCH_MOST_LISTED 64

struct bench_list {
    uint64_t values[BENCH_MOST_LISTED];
    size_t count;
};

/* Adds the numbers of a list such as "2,8,64", each from 1 to `high`, to the list. Returns an exit
 * status; if it is not 0, an error message on stderr names the option. */
int bench_list_read(const char *option, const char *text, uint64_t high, struct bench_list *list);

/* Reads the smallest and the largest size as MIN:MAX, MIN: or MAX, as the OSU benchmarks do. A
 * missing MIN is `least`; without MAX, *high stays as it is. Returns an exit status; if it is not
 * 0, an error message is on stderr. */
int bench_sizes_read(const char *text, uint64_t least, uint64_t *low, uint64_t *high);

/* --- Functions of grid.c --- */

/* The largest number of processors, and the largest size unless the user gives the sizes. */
#define BENCH_MOST_N    1048575u
#define BENCH_LAST_SIZE (1u << 20)

/* Reads the operation and the lists of n, k and sizes, and makes the tables. All problems in the
 * tables are valid and have an algorithm. Returns an exit status; if it is not 0, an error message
 * is on stderr. The caller must call bench_grid_free in any case. */
int bench_grid_read(struct bench *bench);
void bench_grid_free(struct bench *bench);

/* --- Functions of print.c --- */

/* Returns the format with this name (text, csv or json), or NULL if there is none. */
const struct bench_format *bench_format_find(const char *name);

/* These functions write to stdout without delay, row by row. If stdout cannot be written, the
 * functions print an error message on stderr and return false. Any thread may call bench_print_end,
 * which ends all printing. Any later call of one of the other functions never returns. */
bool bench_print_begin(const struct bench *bench);
bool bench_print_table(const struct bench *bench, const struct bench_table *table);
/* Prints the row, and adds 1 to `rows_done`. */
bool bench_print_row(struct bench *bench, const struct bench_row *row);
bool bench_print_end(const struct bench *bench, bool complete);

/* Tells which task is being timed (progress.h), or takes the bar away if `task` is NULL. */
void bench_print_progress(const struct bench *bench, const struct task *task);

/* --- Functions of end.c --- */

/* Starts a thread that ends the program when Ctrl-C (SIGINT) or SIGTERM arrives, or at the deadline
 * of `bench`. Before it ends the program, the thread prints the end of the output
 * (bench_print_end). If the whole program was stopped for a time, the deadline is postponed by this
 * time. No other thread may be started before. On an error prints an error message on stderr and
 * returns false. */
bool bench_end_watch(struct bench *bench);

/* Sets the deadline to `seconds` seconds from now. With several processes, that of processor 0
 * alone has a deadline. */
void bench_end_by(struct bench *bench, double seconds);

/* Returns the number of seconds until the deadline. */
double bench_end_in(const struct bench *bench);

/* --- Functions of messages.c, whose tests are no operations --- */

/* Returns whether `operation`, or what stands before its colon, names a test of messages with tags
 * between pairs of processors. */
bool messages_is_test(const char *operation);

/* Carries out the test with each number of processors of -n and prints a row for each size. Returns
 * an exit status; if it is not 0, an error message is on stderr. */
int messages_carry_out(struct bench *bench, enum bench_shape shape);

/* --- Functions of overlap.c --- */

/* Prints for each row of the tables how much of the call is hidden behind computing. Returns an
 * exit status; if it is not 0, an error message is on stderr. */
int overlap_carry_out(const struct bench *bench, enum bench_shape shape);

/* --- Functions of row.c --- */

/* First prints on stderr how long the command can take. Without --seconds this time is predicted
 * from a call of the smallest and a call of the largest task of each table. Then times and prints
 * all tables. Returns an exit status. */
int bench_carry_out(struct bench *bench);

#endif
