/* A row of the benchmark's table is a job with the limits that kport must keep. This header
 * declares the rows, their results and the functions that run and report them. */
#ifndef KPORT_BENCH_ROW_H
#define KPORT_BENCH_ROW_H

#include "contestant.h"

#define MOST_LIMITS      4
#define MOST_ENTRIES     24
#define MOST_REPETITIONS 101

struct limit {
    unsigned against; /* the kinds of contestants; kport is compared with the best available
                         contestant of these kinds */
    double at_most; /* the limit: kport's time divided by the time of the contestant that `against`
                       chooses may be at most this; 0 ends the list */
    const char *name;
    bool upper; /* the upper bound of the ratio's median is judged (verdict.upper), instead of the
                   median */
};

struct row {
    char name[48];
    struct job job;
    struct limit limits[MOST_LIMITS + 1];
    int repetitions;     /* the number of repetitions; 0 stands for the default, 11 */
    bool per_processor;  /* all times are divided by n */
    double seconds, gib; /* limits for kport's own time in seconds and its own memory in GiB; 0: no
                            such limits */
};

/* Returns the table of all rows, which the first call builds. If `tiny` is true, whole programs
 * have little work. */
const struct row *rows(bool tiny, size_t *count);

/* --- Results --- */

struct entry {
    const struct contestant *contestant;
    const char *missing;
    char note[560]; /* why the contestant has no time, or only the time of the first measurements */
    uint64_t calls;
    double first_ns; /* the shortest time of a call in the first measurements (entry_calibrate,
                        entries_look_again) */
    bool dropped;    /* the contestant is not timed after the first measurements */
    bool failed;
    double ns[MOST_REPETITIONS];
    int count;
    double median;
};

struct verdict {
    const struct limit *limit;
    const struct entry *ours, *peer; /* kport's best contestant and the best peer; one of them is
                                        NULL if the limit cannot be judged */
    bool failed; /* every available form of kport has failed, so kport does not keep the limit */
    /* The median, the quartiles and the extremes of the ratios of all repetitions. */
    double ratio, low, high, least, most;
    double upper; /* the true median of the ratios is at most this, with a probability of 95 %; 0:
                     too few repetitions */
};

/* Returns the ratio that is compared with the limit. */
static inline double judged_ratio(const struct verdict *v)
{
    return v->limit->upper ? v->upper : v->ratio;
}

static inline bool is_judged(const struct verdict *v)
{
    return v->failed || (v->ours && v->peer && judged_ratio(v) > 0);
}

static inline bool holds(const struct verdict *v)
{
    return is_judged(v) && !v->failed && judged_ratio(v) <= v->limit->at_most;
}

struct result {
    const struct row *row;
    struct entry entries[MOST_ENTRIES];
    int entry_count;
    /* `repetitions`: how many repetitions count; `repeated`: how many were discarded because of
     * other load; `disturbed`: how many count despite other load. */
    int repetitions, repeated, disturbed;
    /* The largest share of the cores' time that other programs used in a repetition. */
    double others;
    struct verdict verdicts[MOST_LIMITS];
    int verdict_count;
    double gib; /* the GiB of memory that kport used; measured only in rows that limit the memory */
};

struct options {
    const char *row, *json;
    bool exactly;   /* `row` is the complete name of a row; otherwise a part of a name is enough */
    unsigned kinds; /* the kinds of contestants that are timed; 0: all kinds */
    /* The name of the only contestant that is timed; NULL: all contestants. */
    const char *contestant;
    const char *lock; /* the path of a file that is locked while a row runs; NULL: no file */
    int repetitions;  /* the number of repetitions of every row; 0: each row's own number */
    double budget_ns; /* the nanoseconds that a contestant should take in one repetition */
    bool list, tiny;
};

void run_row(const struct row *row, const struct options *options, struct result *result);

/* --- Functions of entries.c --- */

/* `entries_take_memory` allocates the buffers, which all contestants inside the driver use in turn.
 * `entries_take_memory` returns false if there is no memory. `entries_give_memory` frees the
 * buffers. */
bool entries_take_memory(const struct job *job, struct arena *arena);
void entries_give_memory(const struct job *job, struct arena *arena);

/* Makes an entry for each contestant that serves the row of `result`, whether the contestant is
 * available or not. */
void entries_enter(struct result *result, const struct options *options);

/* Does one repetition. Returns the nanoseconds of all its calls. After a failure the function sets
 * the entry's note and returns a negative number. The function adds the processor time of child
 * processes to `*children_ns`. */
double entry_run(struct entry *entry, const struct row *row, const struct arena *arena, bool verify,
                 double *children_ns);
double entry_per_call(const struct entry *entry, const struct row *row, double ns);

/* Verifies the first call of the contestant. Then finds how many calls take `budget_ns`
 * nanoseconds. */
void entry_calibrate(struct entry *entry, const struct row *row, const struct arena *arena,
                     double budget_ns);

/* Measures all contestants several times more, in turns. This function must be called before
 * entries_leave_out_the_slow, which uses the results. */
void entries_look_again(struct result *result, const struct arena *arena, double budget_ns);

/* Returns the shortest first_ns of the contestants of these kinds that are not dropped. Returns 0
 * if there is none. */
double entries_best_first(const struct result *result, unsigned kinds);
void entries_leave_out_the_slow(struct result *result);

/* --- Functions of report.c --- */

void report_head(const struct options *options);
void report_row(const struct result *result);
void report_end(const struct result *results, size_t count);
bool report_json(const char *path, const struct result *results, size_t count);

/* --- Functions of disturbance.c --- */

struct load {
    double busy_ns, own_ns; /* the busy time of all cores, and the processor time of this process
                               and its ended children */
    int64_t at;
};

/* `load_now` measures the load. `others_since` returns the share of all cores' time that other
 * programs have used since `before`. `children_ns` is the processor time that the benchmark's own
 * programs have used outside of this process. */
struct load load_now(void);
double others_since(const struct load *before, double children_ns);

#endif
