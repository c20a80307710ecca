/* Carries out `kport tune --audit`, which shows how well the library chooses algorithms. The audit
 * uses a grid of problems, with block lengths that `kport tune` does not measure. For each problem
 * it measures the candidates in turns. A candidate is an algorithm with values for its parameters.
 * Most candidates that are predicted to be much slower than the chosen one are left out (PRUNED).
 * The regret of a problem is the chosen candidate's time divided by the best candidate's time. */
#include "lib/tune/profile.h"
#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/common/random.h"
#include "tools/kport/tune/tune.h"
#include "tools/kport/tune/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A candidate is left out if its predicted time is more than this many times that of the chosen
 * candidate. */

#define PRUNED 5.0
/* For each problem, about this many of the candidates that PRUNED leaves out are measured
 * nevertheless. So the audit shows whether PRUNED leaves out good candidates. */

#define CHECKED 2
#define FAR     1.6
/* Each problem is measured this many times. Other problems are measured in between. */
#define TIMES 3

static const size_t sizes[] = {16, 96, 400, 3000, 20000, 80000};
#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))

/* The result for one problem. */
struct audited {
    kp_problem choice, best;
    double choice_us, best_us, predicted_us;
    int measured, pruned;
    bool served; /* the profile has the problem */
};

/* One problem of the grid, with the measurements of its candidates. */
struct entry {
    struct contest contest;
    kp_prediction choice;
    int pruned;
};

struct audit {
    const struct tune_job *job;
    const kp_profile *profile;
    struct timed_machine timing;
    double beta_us, tau_us, end;
    int problems_left;
    int untimed; /* how many problems of the current n and k are left out for want of time */
    uint64_t seed;
    struct entry *entries; /* the problems of the current n and k */
    int entry_count;
    struct audited *rows;
    int count, first; /* `count`: the number of results in `rows`; `first`: the index of the first
                         result for the current n and k */
};

struct listing {
    kp_prediction *list;
    int count, room;
};

static void add_prediction(const kp_prediction *prediction, void *arg)
{
    struct listing *l = arg;
    if (l->count == l->room) {
        int room = l->room ? l->room * 2 : 64;
        kp_prediction *larger = realloc(l->list, (size_t)room * sizeof *larger);
        if (!larger)
            return;
        l->list = larger;
        l->room = room;
    }
    l->list[l->count++] = *prediction;
}

static bool same(const kp_problem *a, const kp_problem *b)
{
    return a->algorithm == b->algorithm && memcmp(a->values, b->values, sizeof a->values) == 0;
}

static double predicted(const struct listing *l, const kp_problem *p)
{
    for (int i = 0; i < l->count; i++) {
        if (same(&l->list[i].problem, p))
            return l->list[i].us;
    }
    return 0;
}

/* Removes the candidates that PRUNED leaves out, except a few that are drawn at random. Returns how
 * many candidates PRUNED leaves out, including these few. */
static int prune(struct audit *a, struct contest *contest, const struct listing *l,
                 const kp_prediction *choice)
{
    int kept = 0, pruned = 0;
    for (int i = 0; i < contest->count; i++) {
        struct contender c = contest->list[i];
        c.expected = predicted(l, &c.problem);
        c.must = same(&c.problem, &choice->problem);
        bool far = c.expected > PRUNED * choice->us && !c.must;
        pruned += far;
        if (far && random_below(&a->seed, (uint64_t)contest->count) >= CHECKED)
            free(c.samples);
        else
            contest->list[kept++] = c;
    }
    contest->count = kept;
    return pruned;
}

static void judge(struct audit *a, const struct contest *contest, const kp_prediction *choice,
                  int pruned)
{
    struct audited row = {.choice = choice->problem, .predicted_us = choice->us, .pruned = pruned};
    row.served = kp_profile_serves(a->profile, &a->job->machine, &choice->problem);
    for (int i = 0; i < contest->count; i++) {
        const struct contender *c = &contest->list[i];
        if (c->kind < CONTENDER_LOOKED)
            continue;
        row.measured++;
        if (same(&c->problem, &choice->problem))
            row.choice_us = c->us;
        if (c->kind == CONTENDER_MEASURED && (row.best_us == 0 || c->us < row.best_us)) {
            row.best = c->problem;
            row.best_us = c->us;
        }
    }
    if (row.choice_us > 0 && row.best_us > 0)
        a->rows[a->count++] = row;
    else
        a->untimed++;
}

/* Returns the seconds that a problem may take, which is an equal share of the time that is left. */
static double share(struct audit *a)
{
    int left = a->problems_left-- > 0 ? a->problems_left + 1 : 1;
    return (a->end - timed_now()) / left;
}

/* Measures the candidates of one problem. On an error prints an error message and returns false. */
static bool audit_problem(struct audit *a, const kp_problem *p)
{
    struct listing listing = {.list = NULL};
    struct entry *e = &a->entries[a->entry_count];
    e->contest = (struct contest){
        .timing = &a->timing, .beta_us = a->beta_us, .seconds = share(a), .far = FAR};
    if (!tuned_fits(p))
        return true;
    if (!contest_may_follow(&a->timing, a->end - timed_now())) {
        a->untimed++;
        return true;
    }
    a->timing.longest = 0;
    a->entry_count++;
    if (kp_predict(&a->job->machine, a->profile, p, add_prediction, &listing, &e->choice)) {
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
        free(listing.list);
        return false;
    }
    bool done = contest_make(&e->contest, p) && contest_has(&e->contest, &e->choice.problem);
    e->pruned = done ? prune(a, &e->contest, &listing, &e->choice) : 0;
    free(listing.list);
    return done && contest_run(&e->contest);
}

static bool audit_grid(struct audit *a, int n, int k)
{
    bool done = true;
    for (int o = 0; tuned_operations[o] != KP_OPERATIONS && done; o++) {
        a->timing.longest = 0;
        for (int i = 0; i < SIZES && done && tune_is_asked(a->job, o); i++) {
            kp_problem p = tuned_problem(tuned_operations[o], n, k, sizes[i]);
            done = audit_problem(a, &p);
        }
    }
    a->problems_left = (TIMES - 1) * a->entry_count;
    for (int i = 0; i < (TIMES - 1) * a->entry_count && done && timed_now() < a->end; i++) {
        struct contest *contest = &a->entries[i % a->entry_count].contest;
        contest->seconds = share(a);
        done = contest_again(contest);
    }
    return done;
}

static bool audit_setting(struct audit *a, int n, int k)
{
    a->entry_count = a->untimed = 0;
    a->problems_left = TIMES * tune_problems(a->job, SIZES);
    a->end = timed_now() + 0.85 * (double)a->job->seconds;
    bool done = timed_machine_open(&a->timing, &a->job->machine, n, k) == 0 &&
                measure_round(&a->timing, &a->beta_us, &a->tau_us) && audit_grid(a, n, k);
    for (int i = 0; i < a->entry_count; i++) {
        if (done)
            judge(a, &a->entries[i].contest, &a->entries[i].choice, a->entries[i].pruned);
        contest_free(&a->entries[i].contest);
    }
    timed_machine_close(&a->timing);
    return done;
}

/* --- Printing the results --- */

struct summary {
    double mean, worst;
    int count, within;
    const struct audited *worst_row;
};

static struct summary sum_up(const struct audited *rows, int count)
{
    struct summary s = {.count = count};
    for (int i = 0; i < count; i++) {
        double regret = rows[i].choice_us / rows[i].best_us;
        s.mean += regret / count;
        s.within += regret <= 1.1;
        if (regret > s.worst) {
            s.worst = regret;
            s.worst_row = &rows[i];
        }
    }
    return s;
}

static void print_row(FILE *out, const struct audited *row)
{
    char choice[256], best[256];
    kp_problem_format(&row->choice, choice, sizeof choice);
    kp_problem_format(&row->best, best, sizeof best);
    fprintf(out, "    worst: chosen %-64s %12.3f us\n           best   %-64s %12.3f us\n", choice,
            row->choice_us, best, row->best_us);
}

static void print_summary(FILE *out, const char *what, const struct audited *rows, int count)
{
    struct summary s = sum_up(rows, count);
    fprintf(
        out,
        "%-44s %4d problems: chosen / best: mean %.3f, worst %.2f; %d of %d within 10 %% of the "
        "best\n",
        what, s.count, s.mean, s.worst, s.within, s.count);
    if (s.worst_row)
        print_row(out, s.worst_row);
}

/* Says of the problems of one n and k how many are not judged, and how many the profile lacks. */
static void print_lacks(FILE *out, const struct audit *a)
{
    const int all = a->count - a->first;
    int strange = 0;
    for (int i = a->first; i < a->count && a->profile; i++)
        strange += !a->rows[i].served;
    if (strange > 0)
        fprintf(out,
                "    %d of %d problems are not in the profile; the built-in model chose for them\n",
                strange, all);
    if (a->untimed > 0)
        fprintf(out, "    %d of %d problems are left out for want of time; --seconds allows more\n",
                a->untimed, all + a->untimed);
}

static json_t *row_json(const struct audited *row)
{
    char choice[256], best[256];
    kp_problem_format(&row->choice, choice, sizeof choice);
    kp_problem_format(&row->best, best, sizeof best);
    return json_pack("{sssssfsfsfsfsisi}", "choice", choice, "best", best, "choice_us",
                     row->choice_us, "best_us", row->best_us, "predicted_us", row->predicted_us,
                     "regret", row->choice_us / row->best_us, "measured", row->measured, "pruned",
                     row->pruned);
}

static void print_json(FILE *out, const struct audit *a)
{
    struct summary s = sum_up(a->rows, a->count);
    json_t *rows = json_array();
    for (int i = 0; i < a->count; i++)
        json_array_append_new(rows, row_json(&a->rows[i]));
    json_t *whole =
        json_pack("{sssssssisfsfsiso}", "carrier", kp_carrier_name(a->job->machine.carrier),
                  "rounds", kp_discipline_name(a->job->machine.discipline), "tuned_by",
                  a->profile ? a->job->path : "builtin", "problems", s.count, "mean_regret", s.mean,
                  "worst_regret", s.worst, "within_10_percent", s.within, "rows", rows);
    processes_json(whole);
    output_json(out, "tune", whole);
}

int tune_audit(const struct tune_job *job, const kp_profile *profile, bool json)
{
    int all = tune_problems(job, SIZES) * job->settings;
    struct audit a = {.job = job,
                      .profile = profile,
                      .seed = job->seed,
                      .entries = calloc((size_t)tune_problems(job, SIZES), sizeof *a.entries),
                      .rows = calloc((size_t)all, sizeof *a.rows)};
    FILE *out = output_begin();
    int status = a.rows && a.entries && out ? EXIT_DONE : EXIT_IMPOSSIBLE, done = 0;
    if (progress_is_told())
        fprintf(stderr, "kport: %d problems in %d setting%s, at most %llu s%s\n", all,
                job->settings, job->settings == 1 ? "" : "s", (unsigned long long)job->seconds,
                job->settings == 1 ? "" : " each");
    interrupt_watch();
    progress_begin("tune", job->settings, "settings");
    progress_until((double)job->settings * (double)job->seconds);
    for (int i = 0; i < job->settings && !status; i++) {
        char what[320], carrier[256];
        a.first = a.count;
        progress_at(i, NULL);
        if (!audit_setting(&a, job->n[i], job->k[i]))
            status = EXIT_FAILED;
        tune_carrier_format(job, carrier, sizeof carrier);
        snprintf(what, sizeof what, "n=%d, k=%d, %s, by %s", job->n[i], job->k[i], carrier,
                 kp_discipline_name(job->machine.discipline));
        if (!status && !json)
            print_summary(out, what, a.rows + a.first, a.count - a.first);
        if (!status && processes_prints())
            print_lacks(json ? stderr : out, &a);
        done += !status;
    }
    progress_end();
    if (interrupt_came() && processes_prints())
        fprintf(stderr, "kport: interrupted after %d of %d settings\n", done, job->settings);
    if (interrupt_came())
        status = EXIT_DONE;
    if (!status && json)
        print_json(out, &a);
    else if (!status && job->settings > 1)
        print_summary(out, "all", a.rows, a.count);
    if (out)
        status = output_end(out, status);
    free(a.entries);
    free(a.rows);
    return interrupt_status(status);
}
