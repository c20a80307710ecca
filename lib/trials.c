/* Every seat keeps, for each problem it has been asked, the candidates and its own times of them.
 * Members make the same calls in the same order, so all try the same candidate in the same call.
 * Whether a member calls plainly or executes a plan makes no difference. When all candidates have
 * had their calls, the members take the largest of their times for each, by an allreduce within the
 * next call, and so all decide alike.
 *
 * What a member keeps has to be the same at all of them, so it changes only by calls that succeed:
 * a failure is told to all members before anything is moved (else the group is dead). A problem
 * whose first call fails is forgotten, for a member whose arguments were refused has never seen it.
 * For the same reason nothing is ever evicted: a member that finds its call by what it did last
 * (lib/execute/cache.h) does not look here, and would not notice. Past PROBLEMS the prediction
 * serves.
 *
 * Reductions are served by prediction all the same: their last bits depend on the algorithm, and a
 * clock would decide them. */
#include "lib/trials.h"

#include "lib/call.h"
#include "lib/operation.h"
#include "lib/problem.h"
#include "lib/profile.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROBLEMS   64  /* of a group; a power of two; machine.h says how many */
#define CANDIDATES 12  /* the first by prediction */
#define CALLS      4   /* of each: the first makes its plan */
#define FAR        4.0 /* times the best prediction */

/* The trials of one problem. */
struct kp_trial {
    kp_problem asked;
    kp_prediction list[CANDIDATES];
    int count, calls; /* candidates, and calls that have succeeded */
    double us[CANDIDATES];
    double begin;
    bool decided;
    int best; /* then */
};

struct kp_trials {
    struct kp_trial *places[PROBLEMS]; /* by hash, then the next that is free */
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Keeps the best, in order; of equals the first. */
static void keep(const kp_prediction *prediction, void *arg)
{
    struct kp_trial *trial = arg;
    int at = trial->count;
    while (at > 0 && prediction->us < trial->list[at - 1].us)
        at--;
    if (at == CANDIDATES)
        return;
    int last = trial->count < CANDIDATES ? trial->count++ : CANDIDATES - 1;
    memmove(&trial->list[at + 1], &trial->list[at], (size_t)(last - at) * sizeof trial->list[0]);
    trial->list[at] = *prediction;
}

/* The candidates, at most 4 times as slow as the best by prediction. False: the error is set. */
static bool fill(kp_group *seat, const kp_profile *profile, struct kp_trial *trial)
{
    if (kp_predict(kp_plan_config(seat), profile, &trial->asked, keep, trial, NULL)) {
        kp_error_record why = *kp_last_error();
        kp_port_error(seat, why.status, -1, -1, -1, "%s", why.sentence);
        return false;
    }
    while (trial->count > 1 && trial->list[trial->count - 1].us > FAR * trial->list[0].us)
        trial->count--;
    for (int i = 0; i < trial->count; i++)
        trial->us[i] = -1;
    return true;
}

/* Where a buffer lies in place is each member's own affair. Names, not addresses: two copies of an
 * algorithm's row are the same algorithm. */
static bool same(const kp_problem *a, const kp_problem *b)
{
    return a->operation == b->operation && a->b == b->b && a->root == b->root &&
           a->target == b->target && !a->algorithm == !b->algorithm &&
           (a->algorithm == b->algorithm || strcmp(a->algorithm->name, b->algorithm->name) == 0) &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

static bool is_open(const kp_problem *asked)
{
    bool open = !asked->algorithm;
    for (int i = 0; !open && i < kp_parameter_count(asked->algorithm); i++)
        open = asked->values[i] == 0;
    return open;
}

static bool may_be_tried(const kp_problem *asked)
{
    return !kp_operation_reduces(asked->operation) && is_open(asked);
}

static void forget_all(void *data)
{
    struct kp_trials *trials = data;
    for (int i = 0; trials && i < PROBLEMS; i++)
        free(trials->places[i]);
    free(trials);
}

/* The seat's trials; NULL where what is asked is not to be tried. 0 or KP_EMEMORY. */
static int trials_for(kp_group *seat, const kp_problem *asked, const kp_profile **profile,
                      struct kp_trials **trials)
{
    const struct kp_tuned *tuned = kp_plan_tuned(seat);
    *trials = NULL;
    *profile = tuned->profile;
    if (!tuned->measured || !may_be_tried(asked))
        return KP_OK;
    struct kp_attachment *own = kp_plan_kept(seat, KP_KEPT_TRIALS);
    if (own && !own->data)
        *own = (struct kp_attachment){calloc(1, sizeof **trials), forget_all};
    if (!own || !own->data)
        return kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for what is measured");
    *trials = own->data;
    return KP_OK;
}

/* Its place, or the one that it would have; NULL if there is no place left. */
static struct kp_trial **place_of(struct kp_trials *trials, const kp_problem *asked)
{
    size_t hash = asked->b * 31 + (size_t)asked->operation * 7 + (size_t)asked->root;
    hash ^= hash >> 4 ^ hash >> 8;
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct kp_trial **place = &trials->places[(hash + i) & (PROBLEMS - 1)];
        if (!*place || same(&(*place)->asked, asked))
            return place;
    }
    return NULL;
}

int kp_trials_find(kp_group *seat, const kp_problem *asked, struct kp_trial **trial)
{
    const kp_profile *profile;
    struct kp_trials *trials;
    int status = trials_for(seat, asked, &profile, &trials);
    *trial = NULL;
    if (!trials)
        return status;
    struct kp_trial **place = place_of(trials, asked);
    if (place && !*place) {
        if (!(*place = calloc(1, sizeof **place)))
            return kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for what is measured");
        (*place)->asked = *asked;
        (*place)->asked.in_place = 0;
        bool filled = fill(seat, profile, *place);
        if (!filled || (*place)->count == 0) {
            free(*place);
            *place = NULL;
            return filled ? KP_OK : kp_last_error()->status;
        }
    }
    *trial = place ? *place : NULL;
    return KP_OK;
}

static void serve_by(const struct kp_trial *trial, int candidate, kp_problem *asked)
{
    const kp_problem *serves = &trial->list[candidate].problem;
    asked->algorithm = serves->algorithm;
    memcpy(asked->values, serves->values, sizeof asked->values);
}

bool kp_trials_over(kp_group *seat, kp_problem *asked)
{
    const kp_profile *profile;
    struct kp_trials *trials;
    int status = trials_for(seat, asked, &profile, &trials);
    if (!trials)
        return status == KP_OK;
    struct kp_trial **place = place_of(trials, asked);
    if (!place)
        return true;
    if (!*place || !(*place)->decided)
        return false;
    serve_by(*place, (*place)->best, asked);
    return true;
}

/* Of one candidate there is nothing to be measured. */
static int calls_of(const struct kp_trial *trial)
{
    return trial->count > 1 ? trial->count * CALLS : 1;
}

static int decide(kp_group *seat, struct kp_trial *trial)
{
    const kp_arguments largest = {.operation = KP_ALLREDUCE,
                                  .out = KP_IN_PLACE,
                                  .in = trial->us,
                                  .count = (size_t)trial->count,
                                  .type = KP_FLOAT64,
                                  .op = KP_MAXIMUM};
    kp_problem problem = kp_call_problem(seat, &largest);
    int status =
        trial->count > 1 ? kp_call_serve(seat, &largest, &problem, &trial->asked, false) : KP_OK;
    if (status && status != KP_EUNTAKEN)
        return status;
    for (int i = 1; i < trial->count; i++)
        trial->best = trial->us[i] < trial->us[trial->best] ? i : trial->best;
    trial->decided = true;
    return status;
}

int kp_trials_begin(kp_group *seat, struct kp_trial *trial, kp_problem *asked, bool *decided)
{
    int status = KP_OK;
    if (!trial->decided && trial->calls == calls_of(trial))
        status = decide(seat, trial);
    if (status && status != KP_EUNTAKEN)
        return status;
    serve_by(trial, trial->decided ? trial->best : trial->calls / CALLS, asked);
    *decided = trial->decided;
    trial->begin = now_us();
    return status;
}

void kp_trials_end(kp_group *seat, struct kp_trial *trial, int status)
{
    if (!trial->decided && (status == KP_OK || status == KP_EUNTAKEN)) {
        double us = now_us() - trial->begin, *least = &trial->us[trial->calls / CALLS];
        *least = *least < 0 || us < *least ? us : *least;
        trial->calls++;
    } else if (trial->calls == 0) {
        *place_of(kp_plan_kept(seat, KP_KEPT_TRIALS)->data, &trial->asked) = NULL;
        free(trial);
    }
}
