/* A row of the table: a job, and the limits that kport must keep. */
#ifndef KPORT_BENCH_ROW_H
#define KPORT_BENCH_ROW_H

#include "contestant.h"

#define MOST_LIMITS      4
#define MOST_ENTRIES     24
#define MOST_REPETITIONS 101

struct limit {
    unsigned against; /* the kinds; the best available contestant of these counts */
    double at_most;   /* the largest ratio; 0 ends the list */
    const char *name;
    bool upper; /* the upper bound of the ratio's median is judged, not the median */
};

struct row {
    char name[48];
    struct job job;
    struct limit limits[MOST_LIMITS + 1];
    int repetitions;     /* the fewest repetitions; 0: 5 */
    bool per_processor;  /* times are divided by n */
    double seconds, gib; /* absolute limits; 0: none */
};

/* Returns all rows, which are built once. With `tiny`, whole programs have little to do. */
const struct row *rows(bool tiny, size_t *count);

/* --- Results --- */

struct entry {
    const struct contestant *contestant;
    const char *missing;
    char note[560]; /* why there is no time, or only a first one */
    uint64_t calls;
    double first_ns; /* the best first time of a call, from the calibration and the looks */
    bool dropped;    /* not timed further after these */
    bool failed;
    double ns[MOST_REPETITIONS];
    int count;
    double median;
};

struct verdict {
    const struct limit *limit;
    const struct entry *ours, *peer; /* kport's contestant and the best peer; NULL: not judged */
    bool failed; /* all available forms of kport failed, so the limit does not hold */
    double ratio, low, high, least, most; /* the ratios' median, quartiles and extremes */
    double upper; /* the upper bound of the median at 95 %; 0: too few repetitions */
};

/* Returns the ratio that the limit is compared with. */
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
    int repetitions, repeated, disturbed; /* counted; done again; counted although disturbed */
    double others; /* the largest share of the cores that other programs used */
    struct verdict verdicts[MOST_LIMITS];
    int verdict_count;
    double gib; /* used memory, in rows with absolute limits */
};

struct options {
    const char *row, *json;
    bool exactly;           /* `row` is the whole name of a row */
    unsigned kinds;         /* the kinds that take part; 0: all */
    const char *contestant; /* the only contestant that takes part; NULL: all */
    const char *lock;       /* a file that is locked while a row runs; NULL: none */
    int repetitions;        /* 0: each row's own number */
    double budget_ns;       /* the time of a contestant in a repetition */
    bool list, tiny;
};

void run_row(const struct row *row, const struct options *options, struct result *result);

/* --- In entries.c --- */

/* Allocates buffers, which all contestants inside the driver use in turn; `entries_give_memory`
 * frees them. */
bool entries_take_memory(const struct job *job, struct arena *arena);
void entries_give_memory(const struct job *job, struct arena *arena);

/* Enters the contestants that serve the row of `result`, available or not. */
void entries_enter(struct result *result, const struct options *options);

/* Does one repetition. Returns the nanoseconds of all calls; or, after a failure, a negative
 * number, and sets the note. Adds the processor time of child processes. */
double entry_run(struct entry *entry, const struct row *row, const struct arena *arena, bool verify,
                 double *children_ns);
double entry_per_call(const struct entry *entry, const struct row *row, double ns);

/* Finds how many calls fill `budget_ns`. Verifies the first call. */
void entry_calibrate(struct entry *entry, const struct row *row, const struct arena *arena,
                     double budget_ns);

/* Measures all contestants several times more, in turns. Call this before
 * entries_leave_out_the_slow. */
void entries_look_again(struct result *result, const struct arena *arena, double budget_ns);

double entries_best_first(const struct result *result, unsigned kinds); /* 0: no contestant */
void entries_leave_out_the_slow(struct result *result);

/* --- In report.c --- */

void report_head(const struct options *options);
void report_row(const struct result *result);
void report_end(const struct result *results, size_t count);
bool report_json(const char *path, const struct result *results, size_t count);

/* --- In disturbance.c --- */

struct load {
    double busy_ns, own_ns; /* busy time of all cores; processor time of this process */
    int64_t at;
};

/* `others_since` returns the share of all cores' time that other programs have used since `before`.
 * `children_ns` is the time that this benchmark's programs used outside of this process. */
struct load load_now(void);
double others_since(const struct load *before, double children_ns);

#endif
