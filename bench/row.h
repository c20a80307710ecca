/* A row of the table: a job, and what is asked of kport in it. */
#ifndef KPORT_BENCH_ROW_H
#define KPORT_BENCH_ROW_H

#include "contestant.h"

#define MOST_LIMITS      4
#define MOST_ENTRIES     24
#define MOST_REPETITIONS 101

struct limit {
    unsigned against; /* kinds; the best of those that are here counts */
    double at_most;   /* the ratio; 0 ends the list */
    const char *name;
    bool upper; /* the bound of the ratio's median is judged, not the median */
};

struct row {
    char name[48];
    struct job job;
    struct limit limits[MOST_LIMITS + 1];
    int repetitions;     /* at least; 0: 5 */
    bool per_processor;  /* times are divided by n */
    double seconds, gib; /* of a row with absolute limits */
};

/* All of them; built once. Tiny: whole programs have little to do. */
const struct row *rows(bool tiny, size_t *count);

/* --- What came out --- */

struct entry {
    const struct contestant *contestant;
    const char *missing;
    char note[560]; /* why there is no time, or only a first one */
    uint64_t calls;
    double first_ns; /* of a call: the best of the calibration and the looks */
    bool dropped;    /* after it */
    bool failed;
    double ns[MOST_REPETITIONS];
    int count;
    double median;
};

struct verdict {
    const struct limit *limit;
    const struct entry *ours, *peer;      /* NULL: not judged */
    bool failed;                          /* all of kport's forms that are here: it does not hold */
    double ratio, low, high, least, most; /* median, quartiles, extremes of the repetitions' */
    double upper; /* the median is at most this, by 95 %; 0: too few repetitions to say so */
};

/* What the limit is judged by. */
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
    int repetitions, repeated, disturbed; /* of those that count; done again; nevertheless */
    double others;                        /* largest share of the cores that others used */
    struct verdict verdicts[MOST_LIMITS];
    int verdict_count;
    double gib; /* of a row with absolute limits */
};

struct options {
    const char *row, *json;
    bool exactly;           /* there is a row whose whole name is `row` */
    unsigned kinds;         /* that take part; 0: all */
    const char *contestant; /* the only one that takes part; NULL: all */
    const char *lock;       /* a file that is locked while a row is at work; NULL: none */
    int repetitions;        /* 0: each row's own */
    double budget_ns;       /* of a contestant in a repetition */
    bool list, tiny;
};

void run_row(const struct row *row, const struct options *options, struct result *result);

/* --- In entries.c --- */

/* The same memory for all who work inside the driver. */
bool entries_take_memory(const struct job *job, struct arena *arena);
void entries_give_memory(const struct job *job, struct arena *arena);

/* Who serves the row of `result`, here or not. */
void entries_enter(struct result *result, const struct options *options);

/* One repetition. Nanoseconds of all calls; negative: it failed, and the note says why. What
 * children used is added. */
double entry_run(struct entry *entry, const struct row *row, const struct arena *arena, bool verify,
                 double *children_ns);
double entry_per_call(const struct entry *entry, const struct row *row, double ns);

/* How many calls fill `budget_ns`; the first of them with data that is compared. */
void entry_calibrate(struct entry *entry, const struct row *row, const struct arena *arena,
                     double budget_ns);

/* More first looks at all, in turns, before entries_leave_out_the_slow. */
void entries_look_again(struct result *result, const struct arena *arena, double budget_ns);

double entries_best_first(const struct result *result, unsigned kinds); /* 0: nobody */
void entries_leave_out_the_slow(struct result *result);

/* --- In report.c --- */

void report_head(const struct options *options);
void report_row(const struct result *result);
void report_end(const struct result *results, size_t count);
bool report_json(const char *path, const struct result *results, size_t count);

/* --- In disturbance.c --- */

struct load {
    double busy_ns, own_ns; /* of all cores; of this process */
    int64_t at;
};

/* The share of all cores' time that others have used since `before`; `children_ns` is what programs
 * of this benchmark used outside of this process. */
struct load load_now(void);
double others_since(const struct load *before, double children_ns);

#endif
