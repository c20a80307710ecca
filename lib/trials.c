/* Every seat keeps, for each problem it has been asked, the candidates and its own times of them.
 * Members make the same calls in the same order, so all try the same candidate in the same call; a
 * call that failed counts at none of them, as its failure is told to all before anything is moved
 * (else the group is dead). When all candidates have had their calls, the members take the largest
 * of their times for each, by an allreduce within the next call, and so all decide alike.
 *
 * Reductions are served by prediction all the same: their last bits depend on the algorithm, and a
 * clock would decide them. */
#include "lib/trials.h"

#include "lib/call.h"
#include "lib/operation.h"
#include "lib/problem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS      16  /* problems on trial at a time; a power of two */
#define CANDIDATES 12  /* the first by prediction */
#define CALLS      4   /* of each: the first makes its plan */
#define FAR        4.0 /* times the best prediction */

/* The trials of one problem. */
struct kp_trial {
    bool used, decided;
    kp_problem asked;
    kp_prediction list[CANDIDATES];
    int count, calls; /* candidates, and calls that were made */
    double us[CANDIDATES];
    double begin;
    kp_problem best;
};

struct kp_trials {
    struct kp_trial slots[SLOTS];
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

static bool fill(kp_group *seat, const kp_profile *profile, const kp_problem *asked,
                 struct kp_trial *trial)
{
    *trial = (struct kp_trial){.asked = *asked};
    if (kp_predict(kp_port_config(seat), profile, asked, keep, trial, NULL) || trial->count == 0)
        return false;
    while (trial->count > 1 && trial->list[trial->count - 1].us > FAR * trial->list[0].us)
        trial->count--;
    for (int i = 0; i < trial->count; i++)
        trial->us[i] = -1;
    trial->used = true;
    return true;
}

static bool same(const kp_problem *a, const kp_problem *b)
{
    return a->operation == b->operation && a->n == b->n && a->k == b->k && a->b == b->b &&
           a->root == b->root && a->target == b->target && a->in_place == b->in_place &&
           a->algorithm == b->algorithm && memcmp(a->values, b->values, sizeof a->values) == 0;
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

bool kp_trials_ready(kp_group *seat, const kp_problem *asked)
{
    const kp_profile *profile;
    bool measured;
    if (!may_be_tried(asked))
        return true;
    struct kp_trials **trials = kp_plan_trials(seat);
    if (!trials || !kp_plan_profile(seat, &profile, &measured))
        return false;
    if (measured && !*trials)
        *trials = calloc(1, sizeof **trials);
    return !measured || *trials;
}

/* A slot that another problem had begins anew: at all members alike. */
static struct kp_trial *find(kp_group *seat, const kp_problem *asked)
{
    const kp_profile *profile;
    bool measured;
    if (!kp_plan_profile(seat, &profile, &measured) || !measured)
        return NULL;
    size_t hash = asked->b * 31 + (size_t)asked->operation * 7 + (size_t)asked->root;
    struct kp_trial *trial =
        &(*kp_plan_trials(seat))->slots[(hash ^ hash >> 4 ^ hash >> 8) & (SLOTS - 1)];
    if (trial->used && same(&trial->asked, asked))
        return trial;
    return fill(seat, profile, asked, trial) ? trial : NULL;
}

static int decide(kp_group *seat, struct kp_trial *trial)
{
    const kp_arguments largest = {.operation = KP_ALLREDUCE,
                                  .out = KP_IN_PLACE,
                                  .in = trial->us,
                                  .count = (size_t)trial->count,
                                  .type = KP_FLOAT64,
                                  .op = KP_MAXIMUM};
    int status = kp_call_entered(seat, &largest), best = 0;
    if (status)
        return status;
    for (int i = 1; i < trial->count; i++)
        best = trial->us[i] < trial->us[best] ? i : best;
    trial->best = trial->list[best].problem;
    trial->decided = true;
    return KP_OK;
}

int kp_trials_begin(kp_group *seat, kp_problem *asked, struct kp_trial **trial)
{
    struct kp_trial *found = may_be_tried(asked) ? find(seat, asked) : NULL;
    *trial = NULL;
    if (!found)
        return KP_OK;
    if (!found->decided && found->calls == found->count * CALLS) {
        int status = decide(seat, found);
        if (status)
            return status;
    }
    const kp_problem *serves =
        found->decided ? &found->best : &found->list[found->calls / CALLS].problem;
    asked->algorithm = serves->algorithm;
    memcpy(asked->values, serves->values, sizeof asked->values);
    if (!found->decided) {
        found->begin = now_us();
        *trial = found;
    }
    return KP_OK;
}

void kp_trials_end(struct kp_trial *trial, int status)
{
    double us = now_us() - trial->begin, *least = &trial->us[trial->calls / CALLS];
    if (status != KP_OK && status != KP_EUNTAKEN)
        return;
    *least = *least < 0 || us < *least ? us : *least;
    trial->calls++;
}
