/* Each member keeps a record for each problem: the candidates, and this member's times of them.
 * Members make the same calls in the same order, as plain calls or as executions of plans. So all
 * members try the same candidate in the same call. When all candidates have been tried, the members
 * take the largest of their times for each candidate, by an allreduce within the next call. So all
 * members decide alike.
 *
 * All members need equal records. Therefore only a successful call changes a record. A failed call
 * fails at all members before any data moves, or the group is unusable afterwards. If the first
 * call of a problem fails, its record is freed, because a member whose arguments were refused has
 * made no record. No record is freed later. A member that finds its call in the call cache
 * (lib/execute/cache.h) does not look for the record, so it would not notice that the record is
 * gone. If PROBLEMS problems have records, other problems use the prediction.
 *
 * Reductions always use the prediction. Otherwise the measured times would decide which algorithm
 * runs, and so the last bits of the result. */
#include "lib/tune/trials.h"

#include "lib/call/call.h"
#include "lib/execute/cache.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/tune/profile.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROBLEMS   64  /* the most problems of a group, a power of two; kport/machine.h states it */
#define CANDIDATES 12  /* the most candidates of a problem */
#define CALLS      4   /* the calls that try one candidate; the first one makes its schedule */
#define FAR        4.0 /* a candidate's predicted time is at most FAR times the best one */

/* The trials of one problem. */
struct kp_trial {
    /* The record's slot in the member's hash table, which has PROBLEMS slots and open
     * addressing. */
    struct kp_trial **slot;
    kp_problem asked;
    kp_prediction list[CANDIDATES];
    int count, calls; /* the number of candidates, and the number of calls that succeeded */
    double us[CANDIDATES];
    double begin;
    bool decided;
    int best; /* if `decided`: the fastest candidate */
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Inserts a prediction into the ordered list of the best predictions. If two are equal, the earlier
 * one stays first. */
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

/* Makes the list of candidates. A candidate's predicted time is at most FAR times the best
 * predicted time. `*made` becomes NULL, without an error, if there are no candidates. */
static int make_trial(kp_group *member, const kp_profile *profile, const kp_problem *asked,
                      struct kp_trial **made)
{
    struct kp_trial *trial = calloc(1, sizeof *trial);
    int status = KP_OK;
    *made = NULL;
    if (!trial)
        return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for what is measured");
    trial->asked = *asked;
    trial->asked.in_place = 0;
    if (kp_predict(kp_machine_config(member), profile, &trial->asked, keep, trial, NULL)) {
        kp_error_record why = *kp_last_error();
        status = kp_port_error(member, why.status, -1, -1, -1, "%s", why.sentence);
    }
    if (status || trial->count == 0) {
        free(trial);
        return status;
    }
    while (trial->list[trial->count - 1].us > FAR * trial->list[0].us)
        trial->count--;
    for (int i = 0; i < trial->count; i++)
        trial->us[i] = -1;
    *made = trial;
    return KP_OK;
}

/* Returns whether two problems have the same trials. `in_place` does not count, because it may
 * differ from member to member. Algorithms are compared by their names, because a copy of a
 * kp_algorithm at another address is the same algorithm. */
static bool same(const kp_problem *a, const kp_problem *b)
{
    return a->operation == b->operation && a->b == b->b && a->root == b->root &&
           a->target == b->target && !a->algorithm == !b->algorithm &&
           (a->algorithm == b->algorithm || strcmp(a->algorithm->name, b->algorithm->name) == 0) &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

static void forget_all(void *data)
{
    struct kp_trial **slots = data;
    for (int i = 0; i < PROBLEMS; i++)
        free(slots[i]);
    free(slots);
}

/* Finds the slot for the trials of a problem. The slot is empty at first. `*slot` becomes NULL
 * if the problem is not tried, or if all slots are taken. Returns 0 or KP_EMEMORY. */
static int find_slot(kp_group *member, const kp_problem *asked, const kp_profile **profile,
                     struct kp_trial ***slot)
{
    const struct kp_tuned *tuned = kp_machine_tuned(member);
    *slot = NULL;
    *profile = tuned->profile;
    if (!tuned->measured || kp_operation_reduces(asked->operation) || !kp_problem_is_open(asked))
        return KP_OK;
    struct kp_attachment *own = kp_kept_of(member, KP_KEPT_TRIALS);
    if (own && !own->data)
        *own = (struct kp_attachment){calloc(PROBLEMS, sizeof(struct kp_trial *)), forget_all};
    if (!own || !own->data)
        return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for what is measured");
    struct kp_trial **slots = own->data;
    size_t hash = asked->b * 31 + (size_t)asked->operation * 7 + (size_t)asked->root;
    hash ^= hash >> 4 ^ hash >> 8;
    for (size_t i = 0; i < PROBLEMS && !*slot; i++) {
        struct kp_trial **at = &slots[(hash + i) & (PROBLEMS - 1)];
        *slot = !*at || same(&(*at)->asked, asked) ? at : NULL;
    }
    return KP_OK;
}

int kp_trials_find(kp_group *member, const kp_problem *asked, struct kp_trial **trial)
{
    const kp_profile *profile;
    struct kp_trial **slot;
    int status = find_slot(member, asked, &profile, &slot);
    if (slot && !*slot)
        status = make_trial(member, profile, asked, slot);
    *trial = slot ? *slot : NULL;
    if (*trial)
        (*trial)->slot = slot;
    return status;
}

static void serve_by(const struct kp_trial *trial, int candidate, kp_problem *asked)
{
    const kp_problem *serves = &trial->list[candidate].problem;
    asked->algorithm = serves->algorithm;
    memcpy(asked->values, serves->values, sizeof asked->values);
}

bool kp_trials_over(kp_group *member, kp_problem *asked)
{
    const kp_profile *profile;
    struct kp_trial **slot;
    int status = find_slot(member, asked, &profile, &slot);
    if (!slot)
        return status == KP_OK;
    if (!*slot || !(*slot)->decided)
        return false;
    serve_by(*slot, (*slot)->best, asked);
    return true;
}

/* If there is a single candidate, nothing is measured, and one call suffices. */
static int calls_of(const struct kp_trial *trial)
{
    return trial->count > 1 ? trial->count * CALLS : 1;
}

static int decide(kp_group *member, struct kp_trial *trial)
{
    const kp_arguments largest = {.operation = KP_ALLREDUCE,
                                  .out = KP_IN_PLACE,
                                  .in = trial->us,
                                  .count = (size_t)trial->count,
                                  .type = KP_FLOAT64,
                                  .op = KP_MAXIMUM};
    const struct kp_key key = kp_key_of(&largest);
    kp_problem problem = kp_call_problem(member, &largest);
    int status =
        trial->count > 1 ? kp_call_serve(member, &key, &problem, &trial->asked, false) : KP_OK;
    if (status && status != KP_EUNTAKEN)
        return status;
    for (int i = 1; i < trial->count; i++)
        trial->best = trial->us[i] < trial->us[trial->best] ? i : trial->best;
    trial->decided = true;
    return status;
}

int kp_trials_begin(kp_group *member, struct kp_trial *trial, kp_problem *asked, bool *decided)
{
    int status = KP_OK;
    if (!trial->decided && trial->calls == calls_of(trial))
        status = decide(member, trial);
    if (status && status != KP_EUNTAKEN)
        return status;
    serve_by(trial, trial->decided ? trial->best : trial->calls / CALLS, asked);
    *decided = trial->decided;
    trial->begin = now_us();
    return status;
}

void kp_trials_end(struct kp_trial *trial, int status)
{
    if (!trial->decided && (status == KP_OK || status == KP_EUNTAKEN)) {
        double us = now_us() - trial->begin, *least = &trial->us[trial->calls / CALLS];
        *least = *least < 0 || us < *least ? us : *least;
        trial->calls++;
    } else if (trial->calls == 0) {
        *trial->slot = NULL;
        free(trial);
    }
}
