/* Measures one setting (an n and a k) for a profile. First it measures the time of an empty round
 * (beta) and of a byte (tau). Then it measures the candidates of each operation for some block
 * lengths. A candidate is an algorithm with values for its parameters. At last it fits the gammas
 * of the cost model to the measured times (fit.h). */
#include "tools/kport/tune/tune.h"

#include "lib/problem/problem.h"
#include "lib/tune/profile.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/tune/fit.h"
#include "tools/kport/tune/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 2.5

/* Everything is measured in PASSES passes, because a disturbance of the computer may last for
 * seconds. The first pass measures all candidates and gets half of the time. */
#define PASSES 3
static const int shares[PASSES] = {2, 1, 1};
#define SHARES 4

static const size_t sizes[] = {8, 32, 128, 512, 2048, 8192, 32768, 131072};
#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))

/* The measured times of an operation's candidates. */
struct curves {
    struct kp_curve *list;
    int count;
    double (*rows)[3]; /* the measurements as rows {C1 * beta, C2 * tau, time}, for the fit */
    int row_count;
    /* For each length: whether it was measured, and how many of its candidates had no time yet. */
    bool begun[SIZES];
    int open[SIZES];
};

struct work {
    const struct tune_job *job;
    struct timed_machine timing;
    int n, k;
    double beta_us, tau_us, end;
    int shares_left;
    struct curves curves[KP_OPERATIONS];
};

static struct kp_curve *curve_of(struct curves *curves, const kp_problem *p)
{
    for (int i = 0; i < curves->count; i++) {
        struct kp_curve *c = &curves->list[i];
        if (c->algorithm == p->algorithm && memcmp(c->values, p->values, sizeof c->values) == 0)
            return c;
    }
    struct kp_curve *larger = realloc(curves->list, (size_t)(curves->count + 1) * sizeof *larger);
    if (!larger)
        return NULL;
    curves->list = larger;
    larger[curves->count] = (struct kp_curve){.algorithm = p->algorithm};
    memcpy(larger[curves->count].values, p->values, sizeof p->values);
    return &larger[curves->count++];
}

static bool add_row(struct curves *curves, const struct work *w, const struct contender *c)
{
    double(*larger)[3] = realloc(curves->rows, (size_t)(curves->row_count + 1) * sizeof *larger);
    if (!larger)
        return false;
    curves->rows = larger;
    double *row = larger[curves->row_count++];
    row[0] = (double)c->c1 * w->beta_us;
    row[1] = (double)c->c2 * w->tau_us;
    row[2] = c->us;
    return true;
}

static double shape(const struct work *w, const struct contender *c)
{
    return (double)c->c1 * w->beta_us + (double)c->c2 * w->tau_us;
}

/* Returns the time for length number `size`, extrapolated linearly from the two shorter lengths.
 * Returns 0 if one of them was not measured. */
static double continued(const struct kp_curve *curve, int size)
{
    if (size < 2 || curve->us[size - 2] <= 0)
        return 0;
    double last = curve->us[size - 1], more = last - curve->us[size - 2];
    double steps =
        (double)(sizes[size] - sizes[size - 1]) / (double)(sizes[size - 1] - sizes[size - 2]);
    return last + (more > 0 ? more * steps : 0);
}

/* Returns the time of a candidate for length number `size`, corrected in case a disturbance made
 * the measured time too large. The result is at most the time for any longer block, and at most the
 * extrapolated time. The result is 0 if the time is unknown. */
static double believed(const struct kp_curve *curve, int size)
{
    double least = curve->us[size];
    for (int i = size + 1; i < SIZES; i++) {
        if (curve->us[i] > 0 && (least <= 0 || curve->us[i] < least))
            least = curve->us[i];
    }
    double slope = size > 0 && curve->us[size - 1] > 0 ? continued(curve, size) : 0;
    return slope > 0 && least > 0 && slope < least ? slope : least;
}

/* Sets the expected time of each candidate, because candidates with a small expected time are
 * measured first. The time is extrapolated from shorter blocks if they were measured. An
 * extrapolated time is better than C1 * beta + C2 * tau. The reason is that C2 counts the bytes of
 * one processor, although all processors share one memory. */
static void expect(struct contest *contest, const struct work *w, struct curves *curves, int size)
{
    for (int i = 0; i < contest->count; i++) {
        struct contender *c = &contest->list[i];
        c->expected = shape(w, c);
        const struct kp_curve *curve = curve_of(curves, &c->problem);
        if (curve && curve->us[size] > 0)
            c->expected = believed(curve, size);
        if (!curve || size == 0 || curve->us[size] > 0 || curve->us[size - 1] <= 0)
            continue;
        kp_problem before = c->problem;
        struct contender then = {.problem = before};
        before.b = sizes[size - 1];
        if (before.algorithm->stated_cost)
            before.algorithm->stated_cost(&before, &then.c1, &then.c2);
        double more = shape(w, c) - shape(w, &then), slope = continued(curve, size);
        c->expected = slope > 0 ? slope : curve->us[size - 1] + (more > 0 ? more : 0);
    }
}

/* Removes the candidates whose corrected times are far from the best time. The correction matters,
 * because a disturbance may have slowed down all candidates but one. */
static void leave_far(struct contest *contest, struct curves *curves, int size)
{
    double best = 0;
    int kept = 0;
    for (int i = 0; i < contest->count; i++) {
        const struct kp_curve *curve = curve_of(curves, &contest->list[i].problem);
        double us = curve ? curve->us[size] : 0;
        best = us > 0 && (best == 0 || us < best) ? us : best;
    }
    for (int i = 0; i < contest->count; i++) {
        const struct kp_curve *curve = curve_of(curves, &contest->list[i].problem);
        if (curve && believed(curve, size) > FAR * best)
            free(contest->list[i].samples);
        else
            contest->list[kept++] = contest->list[i];
    }
    contest->count = kept;
}

/* Stores the time of each candidate, if it is smaller than the candidate's times from earlier
 * passes. */
static bool keep(const struct contest *contest, const struct work *w, struct curves *curves,
                 int size)
{
    curves->begun[size] = true;
    curves->open[size] = 0;
    for (int i = 0; i < contest->count; i++) {
        const struct contender *c = &contest->list[i];
        struct kp_curve *curve = curve_of(curves, &c->problem);
        if (!curve)
            return false;
        curves->open[size] += c->kind == CONTENDER_OPEN && curve->us[size] <= 0;
        if (c->us > 0 && (curve->us[size] <= 0 || c->us < curve->us[size]))
            curve->us[size] = c->us;
        if (c->kind >= CONTENDER_LOOKED && !add_row(curves, w, c))
            return false;
    }
    return true;
}

/* Measures the candidates of one operation for all lengths. On an error prints an error message and
 * returns false. At an interrupt also returns false. */
static bool measure_operation(struct work *w, kp_operation operation, int pass)
{
    struct curves *curves = &w->curves[operation];
    w->timing.longest = 0;
    for (int i = 0; i < SIZES; i++) {
        kp_problem p = tuned_problem(operation, w->n, w->k, sizes[i]);
        double seconds = (w->end - timed_now()) * shares[pass] / w->shares_left;
        w->shares_left -= shares[pass];
        if (!tuned_fits(&p) || !contest_may_follow(&w->timing, w->end - timed_now()))
            continue;
        w->timing.longest = 0;
        struct contest contest = {
            .timing = &w->timing, .beta_us = w->beta_us, .seconds = seconds, .far = FAR};
        bool done = contest_make(&contest, &p);
        if (done) {
            if (pass > 0)
                leave_far(&contest, curves, i);
            expect(&contest, w, curves, i);
            done = contest_run(&contest) && keep(&contest, w, curves, i);
        }
        contest_free(&contest);
        if (!done && !interrupt_came() && processes_prints())
            fprintf(stderr, "kport: %s with b=%zu was not measured\n", kp_operation_name(operation),
                    sizes[i]);
        if (!done)
            return false;
    }
    return true;
}

/* --- Writing the results as JSON --- */

static bool was_measured(const struct curves *curves, int size)
{
    for (int i = 0; i < curves->count; i++) {
        if (curves->list[i].us[size] > 0)
            return true;
    }
    return false;
}

static json_t *curve_json(const struct curves *curves, const struct kp_curve *curve)
{
    json_t *values = json_array(), *us = json_array();
    for (int i = 0; i < kp_parameter_count(curve->algorithm); i++)
        json_array_append_new(values, json_integer(curve->values[i]));
    for (int i = 0; i < SIZES; i++) {
        if (was_measured(curves, i))
            json_array_append_new(us, curve->us[i] > 0 ? json_real(curve->us[i]) : json_null());
    }
    return json_pack("{sssoso}", "algorithm", curve->algorithm->name, "values", values, "us", us);
}

static json_t *operation_json(kp_operation operation, const struct curves *curves)
{
    double gamma[3];
    fit((const double(*)[3])curves->rows, curves->row_count, gamma);
    json_t *b = json_array(), *candidates = json_array();
    for (int i = 0; i < SIZES; i++) {
        if (was_measured(curves, i))
            json_array_append_new(b, json_integer((json_int_t)sizes[i]));
    }
    for (int i = 0; i < curves->count; i++) {
        const struct kp_curve *curve = &curves->list[i];
        bool any = false;
        for (int j = 0; j < SIZES; j++)
            any = any || curve->us[j] > 0;
        if (any)
            json_array_append_new(candidates, curve_json(curves, curve));
    }
    return json_pack("{sss[fff]soso}", "operation", kp_operation_name(operation), "gamma", gamma[0],
                     gamma[1], gamma[2], "b", b, "candidates", candidates);
}

/* Says what of the operation had no time in any pass. */
static void tell_open(const struct work *w, kp_operation operation)
{
    const struct curves *curves = &w->curves[operation];
    int candidates = 0, lengths = 0;
    for (int i = 0; i < SIZES; i++) {
        const kp_problem p = tuned_problem(operation, w->n, w->k, sizes[i]);
        candidates += curves->open[i];
        lengths += !curves->begun[i] && tuned_fits(&p);
    }
    if (candidates + lengths > 0)
        fprintf(stderr,
                "kport: n=%d, k=%d: of %s %d candidate%s and %d length%s of blocks are not "
                "measured, for want of time; --seconds allows more\n",
                w->n, w->k, kp_operation_name(operation), candidates, candidates == 1 ? "" : "s",
                lengths, lengths == 1 ? "" : "s");
}

static json_t *measure_all(struct work *w)
{
    const double all = PASSES * tune_problems(w->job, 1);
    bool done = true;
    int at = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        for (int o = 0; tuned_operations[o] != KP_OPERATIONS && done; o++) {
            if (!tune_is_asked(w->job, o))
                continue;
            progress_at(w->job->done + at++ / all, kp_operation_name(tuned_operations[o]));
            done = measure_operation(w, tuned_operations[o], pass);
        }
    }
    json_t *operations = done ? json_array() : NULL;
    for (int o = 0; tuned_operations[o] != KP_OPERATIONS; o++) {
        struct curves *curves = &w->curves[tuned_operations[o]];
        if (done && curves->row_count > 0)
            json_array_append_new(operations, operation_json(tuned_operations[o], curves));
        if (done && curves->row_count > 0 && processes_prints())
            tell_open(w, tuned_operations[o]);
        else if (done && curves->row_count == 0 && tune_is_asked(w->job, o) && processes_prints())
            fprintf(stderr,
                    "kport: n=%d, k=%d: %s was not measured, for want of time (%llu s; --seconds "
                    "allows more) or memory\n",
                    w->n, w->k, kp_operation_name(tuned_operations[o]),
                    (unsigned long long)w->job->seconds);
        free(curves->list);
        free(curves->rows);
    }
    return operations;
}

json_t *tune_setting(const struct tune_job *job, int n, int k)
{
    struct work w = {.job = job, .n = n, .k = k, .shares_left = tune_problems(job, SIZES * SHARES)};
    json_t *operations = NULL;
    /* 15 % of the time are a reserve, because the last measurement may take one call longer than
     * planned. */
    w.end = timed_now() + 0.85 * (double)job->seconds;
    if (timed_machine_open(&w.timing, &job->machine, n, k) == 0 &&
        measure_round(&w.timing, &w.beta_us, &w.tau_us))
        operations = measure_all(&w);
    timed_machine_close(&w.timing);
    if (!operations)
        return NULL;
    json_t *setting = json_pack(
        "{sisisssisssfsfso}", "n", n, "k", k, "carrier", kp_carrier_name(job->machine.carrier),
        "workers", job->machine.workers, "rounds", kp_discipline_name(job->machine.discipline),
        "beta_us", w.beta_us, "tau_us", w.tau_us, "operations", operations);
    if (processes_several()) {
        json_object_set_new(setting, "network", json_string(processes_network()));
        json_object_set_new(setting, "per_process", json_integer(processes_here(n)));
    }
    return setting;
}
