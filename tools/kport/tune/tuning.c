#include "tools/kport/tune/tuning.h"

#include "lib/problem/rows.h"
#include "lib/tune/candidates.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/sorted.h"
#include "tools/kport/schedule/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BUFFER_BYTES 1.1e9
/* A candidate is measured a second time if its first time is at most this many times the best
 * time. */
#define AGAIN 20.0
/* A candidate is not measured if its empty rounds alone take more than this many times the best
 * time (contest_run). */
#define BOUND        8.0
#define SAMPLE_US    2000.0 /* a sample lasts about this many microseconds, or one call */
#define MOST_SAMPLES 31
/* After some turns, only candidates whose time is at most this many times the best time are
 * sampled. */
#define NEAR       1.3
#define LONG_BYTES ((size_t)1 << 16)

const kp_operation tuned_operations[] = {KP_BROADCAST, KP_SCATTER,   KP_GATHER,
                                         KP_REDUCE,    KP_ALLREDUCE, KP_REDUCE_SCATTER,
                                         KP_CONCAT,    KP_INDEX,     KP_OPERATIONS};

kp_problem tuned_problem(kp_operation operation, int n, int k, size_t b)
{
    const int here = processes_several() ? processes_here(n) : 1;
    return (kp_problem){.operation = operation,
                        .n = n,
                        .k = k,
                        .per_process = here > 1 ? here : 0,
                        .b = b,
                        .type = KP_FLOAT64};
}

bool contest_may_follow(const struct timed_machine *timing, double seconds)
{
    return seconds > 0 && timing->longest * 4 * 4 <= seconds;
}

bool tuned_fits(const kp_problem *problem)
{
    return timed_bytes(problem) <= MOST_BUFFER_BYTES;
}

/* --- Measuring beta and tau --- */

/* Returns the shortest of several measured times of a round. A candidate is left out if its c1 *
 * beta is too large (BOUND), so a disturbance must not make beta larger. */
static double least_round(struct timed_machine *timing, size_t bytes, uint64_t calls)
{
    double least = 0;
    for (int i = 0; i < 15; i++) {
        double us = timed_round(timing, bytes, calls);
        if (us < 0)
            return -1;
        least = i == 0 || us < least ? us : least;
    }
    return least;
}

bool measure_round(struct timed_machine *timing, double *beta_us, double *tau_us)
{
    uint64_t calls = 8;
    double first = timed_round(timing, 0, calls);
    /* The number of calls grows until the calls take a millisecond, because the first rounds are
     * slow, and because reading the clock takes time. */
    while (first > 0 && first * (double)calls < 1000 && calls < 100000) {
        calls *= 4;
        first = timed_round(timing, 0, calls);
    }
    *beta_us = least_round(timing, 0, calls);
    double with_bytes =
        *beta_us < 0 ? -1 : least_round(timing, LONG_BYTES, calls < 16 ? calls : 16);
    *tau_us = with_bytes > *beta_us ? (with_bytes - *beta_us) / (double)LONG_BYTES : 1e-9;
    return *beta_us >= 0 && with_bytes >= 0;
}

/* --- Contests between candidates --- */

struct making {
    struct contest *contest;
    int room;
    bool failed;
};

/* Returns whether the candidate is an algorithm from outside whose schedule is wrong. It is told
 * and left out; the others are measured. */
static bool is_wrong(const kp_problem *candidate)
{
    kp_schedule *schedule;
    if (kp_row_is_library(candidate->algorithm))
        return false;
    const int status = facts_build_right(candidate, &schedule);
    kp_schedule_free(schedule);
    return status != 0;
}

static void add(const kp_problem *candidate, void *arg)
{
    struct making *m = arg;
    struct contest *c = m->contest;
    if (m->failed || is_wrong(candidate))
        return;
    if (c->count == m->room) {
        int room = m->room ? m->room * 2 : 32;
        struct contender *larger = realloc(c->list, (size_t)room * sizeof *larger);
        if (!larger) {
            m->failed = true;
            return;
        }
        c->list = larger;
        m->room = room;
    }
    struct contender *new = &c->list[c->count++];
    *new = (struct contender){.problem = *candidate};
    if (candidate->algorithm->stated_cost)
        candidate->algorithm->stated_cost(candidate, &new->c1, &new->c2);
}

bool contest_make(struct contest *contest, const kp_problem *problem)
{
    struct making making = {.contest = contest};
    contest->list = NULL;
    contest->count = 0;
    kp_candidates(problem, KP_FEW_VALUES, add, &making);
    for (int i = 0; i < contest->count && !making.failed; i++) {
        contest->list[i].samples = calloc(MOST_SAMPLES, sizeof(double));
        making.failed = !contest->list[i].samples;
    }
    return !making.failed;
}

bool contest_has(struct contest *contest, const kp_problem *candidate)
{
    struct making making = {.contest = contest, .room = contest->count};
    for (int i = 0; i < contest->count; i++) {
        const kp_problem *p = &contest->list[i].problem;
        if (p->algorithm == candidate->algorithm &&
            memcmp(p->values, candidate->values, sizeof p->values) == 0)
            return true;
    }
    add(candidate, &making);
    if (!making.failed)
        contest->list[contest->count - 1].samples = calloc(MOST_SAMPLES, sizeof(double));
    return !making.failed && contest->list[contest->count - 1].samples;
}

void contest_free(struct contest *contest)
{
    for (int i = 0; i < contest->count; i++)
        free(contest->list[i].samples);
    free(contest->list);
    contest->list = NULL;
    contest->count = 0;
}

static int by_expected(const void *a, const void *b)
{
    double x = ((const struct contender *)a)->expected, y = ((const struct contender *)b)->expected;
    return (x > y) - (x < y);
}

static double best_of(const struct contest *contest)
{
    double best = 0;
    for (int i = 0; i < contest->count; i++) {
        const struct contender *c = &contest->list[i];
        if (c->kind >= CONTENDER_LOOKED && (best == 0 || c->us < best))
            best = c->us;
    }
    return best;
}

/* Returns the number of calls in a sample of `sample_us` microseconds, if a call takes `us`
 * microseconds. The number is at least one. */
static uint64_t calls_of(double us, double sample_us)
{
    double calls = sample_us / us;
    return calls < 1 ? 1 : calls > 20000 ? 20000 : (uint64_t)calls;
}

static bool look(struct contest *contest, struct contender *c, double best)
{
    double bound = (double)c->c1 * contest->beta_us;
    if (best > 0 && bound > BOUND * best) {
        c->kind = CONTENDER_BOUNDED;
        c->us = bound;
        return true;
    }
    double first = timed_call(contest->timing, &c->problem, 1, 1);
    if (first < 0)
        return false;
    uint64_t calls = calls_of(first, SAMPLE_US / 3);
    if (calls > 1 && (best == 0 || first < 4 * contest->far * best))
        first = timed_call(contest->timing, &c->problem, 0, calls);
    c->us = first;
    c->kind = CONTENDER_LOOKED;
    return first > 0;
}

/* Measures the candidate again, a while later, because a disturbance may have lengthened the first
 * measurement. A candidate that was far slower than the best is not measured again. */
static bool look_again(struct contest *contest, struct contender *c, double best)
{
    if (c->kind != CONTENDER_LOOKED || c->us > AGAIN * best)
        return true;
    double us = timed_call(contest->timing, &c->problem, 0, calls_of(c->us, SAMPLE_US / 3));
    c->us = us > 0 && us < c->us ? us : c->us;
    return us > 0;
}

static bool look_at_all(struct contest *contest, double end)
{
    for (int i = 0; i < contest->count; i++) {
        if (i > 0 && timed_now() > end)
            break;
        if (!look(contest, &contest->list[i], best_of(contest)))
            return false;
    }
    for (int i = 0; i < contest->count && timed_now() < end; i++) {
        if (!look_again(contest, &contest->list[i], best_of(contest)))
            return false;
    }
    return true;
}

/* Takes one more sample of each candidate whose time is at most `limit`. Returns whether there was
 * such a candidate. */
static bool sample(struct contest *contest, double limit, bool *failed)
{
    bool any = false;
    for (int i = 0; i < contest->count && !*failed; i++) {
        struct contender *c = &contest->list[i];
        if (c->kind < CONTENDER_LOOKED || (c->us > limit && !c->must) || c->count == MOST_SAMPLES)
            continue;
        double us = timed_call(contest->timing, &c->problem, 0, calls_of(c->us, SAMPLE_US));
        if (us < 0)
            *failed = true;
        else
            c->samples[c->count++] = us;
        any = true;
    }
    return any;
}

static void settle(struct contest *contest)
{
    for (int i = 0; i < contest->count; i++) {
        struct contender *c = &contest->list[i];
        if (c->count == 0)
            continue;
        c->us = sorted_median(c->samples, (size_t)c->count);
        c->kind = CONTENDER_MEASURED;
    }
}

/* Takes samples in turns until the time is over. In later turns, fewer candidates are sampled. */
static bool sample_all(struct contest *contest, double end)
{
    bool failed = false;
    for (int turn = 0; turn < MOST_SAMPLES && !failed; turn++) {
        double limit = turn < 5 ? contest->far : turn < 9 ? NEAR : 1 + (NEAR - 1) / 3;
        if ((turn > 0 && timed_now() > end) || !sample(contest, limit * best_of(contest), &failed))
            break;
        if (turn >= 4)
            settle(contest);
    }
    settle(contest);
    return !failed;
}

/* First measures each candidate briefly, and then samples the best ones in turns. A candidate is
 * not measured at all if c1 * beta is more than BOUND times the best time. beta is the time of an
 * empty kp_exchange. A round of a collective takes at least about half of beta. So such a candidate
 * would take at least about BOUND / 2 times the best time. */
bool contest_run(struct contest *contest)
{
    double begin = timed_now();
    qsort(contest->list, (size_t)contest->count, sizeof *contest->list, by_expected);
    return look_at_all(contest, begin + contest->seconds * 0.6) &&
           sample_all(contest, begin + contest->seconds);
}

bool contest_again(struct contest *contest)
{
    double *before = calloc((size_t)contest->count + 1, sizeof *before);
    for (int i = 0; before && i < contest->count; i++) {
        before[i] = contest->list[i].us;
        contest->list[i].count = 0;
    }
    bool done = before && sample_all(contest, timed_now() + contest->seconds);
    for (int i = 0; done && i < contest->count; i++) {
        struct contender *c = &contest->list[i];
        c->us = before[i] < c->us ? before[i] : c->us;
    }
    free(before);
    return done;
}
