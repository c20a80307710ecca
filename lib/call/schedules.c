/* The machine's plans: problems as they were asked, problems with nothing left open, and the
 * schedules for them. If they take too much memory, the plan that was used least recently is
 * dropped. */
#include "lib/call/prepared.h"

#include "lib/check/verdict.h"
#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/problem/problem.h"
#include "lib/tune/profile.h"
#include "ports/port.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024 /* a power of two */

/* A problem and its plan. The operator may be gone by the next call, so its properties are
 * copied. */
struct entry {
    struct entry *next;            /* the next entry of the bucket */
    struct entry *older, *younger; /* the neighbours in the list by last use */
    kp_problem asked, problem;     /* `problem` is `asked` with nothing left open */
    size_t element;                /* the bytes of an element */
    bool ordered;
    bool of_root;         /* the schedule, or the choice of the algorithm, is for this root only */
    kp_discipline rounds; /* the chosen discipline, if the tuner chooses it */
    struct kp_shared_plan *plan;
};

struct machine_plans {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
    /* The ends of the list by last use: `younger` is the least recently used entry, `older` the
     * most recently used one. */
    struct entry ends;
    size_t bytes;        /* the bytes of the entries and of their plans */
    unsigned long users; /* the machine, and each holder of a plan */
    kp_config config;
    struct kp_tuned tuned;
};

/* --- Entries, under the lock --- */

/* The root is left out of the hash, because most schedules serve all roots. */
static struct entry **bucket_of(struct machine_plans *plans, const kp_problem *p)
{
    uint64_t hash = kp_hash((uint64_t)p->operation, p->b);
    hash = kp_hash(hash, (uint64_t)(uintptr_t)p->algorithm);
    for (int i = 0; i < KP_PARAMETERS; i++)
        hash = kp_hash(hash, (uint64_t)p->values[i]);
    hash = kp_hash(hash, (uint64_t)kp_target_from_root(p) << 32 ^ (uint64_t)p->n);
    return &plans->buckets[hash & (BUCKETS - 1)];
}

static bool serves(const struct entry *entry, const kp_problem *p)
{
    const kp_problem *a = &entry->asked;
    return a->b == p->b && a->algorithm == p->algorithm && a->operation == p->operation &&
           a->n == p->n && a->k == p->k && memcmp(a->values, p->values, sizeof a->values) == 0 &&
           entry->element == kp_element_bytes(p) && entry->ordered == kp_is_ordered(p) &&
           kp_target_from_root(a) == kp_target_from_root(p) &&
           (!entry->of_root || a->root == p->root);
}

static void take_out(struct entry *entry)
{
    entry->older->younger = entry->younger;
    entry->younger->older = entry->older;
}

static void make_youngest(struct machine_plans *plans, struct entry *entry)
{
    entry->younger = &plans->ends;
    entry->older = plans->ends.older;
    entry->older->younger = plans->ends.older = entry;
}

static struct entry *look_up(struct machine_plans *plans, const kp_problem *asked)
{
    struct entry *entry = *bucket_of(plans, asked);
    while (entry && !serves(entry, asked))
        entry = entry->next;
    if (entry) {
        take_out(entry);
        make_youngest(plans, entry);
    }
    return entry;
}

static void let_go(struct kp_shared_plan *plan)
{
    if (--plan->references > 0)
        return;
    kp_schedule_free(plan->schedule);
    free(plan->verdicts);
    free(plan);
}

static void drop_entry(struct machine_plans *plans, struct entry *entry)
{
    struct entry **link = bucket_of(plans, &entry->asked);
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    take_out(entry);
    plans->bytes -= sizeof *entry + (--entry->plan->entries == 0 ? entry->plan->bytes : 0);
    let_go(entry->plan);
    free(entry);
}

/* Drops entries, but not the plan that has just been found. The other members are about to ask for
 * it. If that plan alone is larger than the bound, each of them would otherwise build it again. */
static void make_room(struct machine_plans *plans, const struct kp_shared_plan *found)
{
    struct entry *entry = plans->ends.younger;
    while (plans->bytes > plans->config.plan_bytes && entry != &plans->ends) {
        struct entry *younger = entry->younger;
        if (entry->plan != found)
            drop_entry(plans, entry);
        entry = younger;
    }
}

static struct entry *insert(struct machine_plans *plans, const kp_problem *asked,
                            const kp_problem *problem, struct kp_shared_plan *plan)
{
    struct entry *entry = malloc(sizeof *entry), **bucket = bucket_of(plans, asked);
    if (!entry) {
        kp_set_error(KP_EMEMORY, "no memory to keep a plan");
        return NULL;
    }
    *entry = (struct entry){.next = *bucket,
                            .asked = *asked,
                            .problem = *problem,
                            .element = kp_element_bytes(asked),
                            .ordered = kp_is_ordered(asked),
                            .of_root = problem->algorithm->own_root ||
                                       kp_operation_has_target(problem->operation),
                            .plan = plan};
    entry->asked.op = entry->problem.op = NULL;
    *bucket = entry;
    make_youngest(plans, entry);
    plans->bytes += sizeof *entry + (plan->entries++ == 0 ? plan->bytes : 0);
    plan->references++;
    return entry;
}

/* --- Plans, under the lock --- */

/* Builds a plan. The caller has a reference to it. */
static struct kp_shared_plan *build(struct machine_plans *plans, const kp_problem *problem)
{
    struct kp_shared_plan *plan = calloc(1, sizeof *plan);
    const bool listed = kp_algorithm_is_listed(problem->algorithm);
    struct kp_verdicts *verdicts = listed ? NULL : calloc(1, sizeof *verdicts);
    if (!plan || (!listed && !verdicts)) {
        kp_set_error(KP_EMEMORY, "no memory for a plan");
        free(verdicts);
        free(plan);
        return NULL;
    }
    *plan = (struct kp_shared_plan){.references = 1,
                                    .machine = plans,
                                    .bytes = sizeof *plan + (listed ? 0 : sizeof *verdicts),
                                    .verdicts = verdicts};
    int status = kp_schedule_build_exact(problem, &plan->schedule);
    if (status == KP_OK) {
        plan->schedule->problem.op = NULL;
        kp_cost cost = kp_schedule_cost(plan->schedule, (size_t)plan->schedule->units_of_block);
        plan->c1 = cost.c1;
        plan->c2_units = cost.c2;
        plan->bytes += plan->schedule->bytes;
    } else if (status == KP_ESCHEDULE && !listed) { /* else every member would try to build it */
        kp_verdict_unbuilt(verdicts);
    } else {
        let_go(plan);
        return NULL;
    }
    return plan;
}

/* Returns the entry of a problem with nothing left open. Problems that differ only in b share an
 * entry, unless the algorithm splits blocks. */
static struct entry *resolve(struct machine_plans *plans, const kp_problem *problem)
{
    kp_problem key = *problem;
    if (!key.algorithm->own_root) {
        key.target = kp_target_from_root(problem);
        key.root = 0;
    }
    key.in_place = 0;
    if (!key.algorithm->splits || !key.algorithm->splits(&key))
        key.b = 0;
    struct entry *entry = look_up(plans, &key);
    struct kp_shared_plan *plan = entry ? NULL : build(plans, &key);
    if (plan) {
        entry = insert(plans, &key, &key, plan);
        let_go(plan);
    }
    return entry;
}

static struct entry *find_or_make(struct machine_plans *plans, const kp_problem *asked)
{
    kp_prediction choice;
    struct entry *entry = look_up(plans, asked);
    if (entry)
        return entry;
    const kp_profile *profile = kp_problem_is_open(asked) ? plans->tuned.profile : NULL;
    if (kp_predict(&plans->config, profile, asked, NULL, NULL, &choice) != KP_OK)
        return NULL;
    struct entry *resolved = resolve(plans, &choice.problem);
    if (!resolved)
        return NULL;
    /* If nothing was left open and b does not count, `resolved` already is this entry. */
    entry = look_up(plans, asked);
    if (!entry && (entry = insert(plans, asked, &choice.problem, resolved->plan)))
        entry->rounds = choice.rounds;
    return entry;
}

/* Returns whether the schedule may be executed. An algorithm of the caller's own is checked first,
 * unless it is trusted. Its stated cost is checked for the problem that is asked. */
static bool is_right(const struct entry *entry, const kp_problem *asked, const kp_hints *hints)
{
    const struct kp_shared_plan *plan = entry->plan;
    if (!plan->verdicts || (plan->schedule && hints && hints->trusted))
        return true;
    kp_problem problem = *asked;
    problem.algorithm = entry->problem.algorithm;
    memcpy(problem.values, entry->problem.values, sizeof problem.values);
    return kp_verdict_find(plan->verdicts, plan->schedule, &problem) == KP_OK;
}

/* --- What takes the lock --- */

static struct machine_plans *plans_of(const kp_group *member)
{
    return kp_port_machine_attachment(kp_port_machine(member))->data;
}

const kp_config *kp_plan_config(const kp_group *member)
{
    return &plans_of(member)->config;
}

static void unlock_and_leave(struct machine_plans *plans)
{
    const bool last = --plans->users == 0;
    pthread_mutex_unlock(&plans->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&plans->lock);
    free(plans);
}

static void abandon(void *data)
{
    struct machine_plans *plans = data;
    pthread_mutex_lock(&plans->lock);
    while (plans->ends.older != &plans->ends)
        drop_entry(plans, plans->ends.older);
    kp_profile_free(plans->tuned.own);
    unlock_and_leave(plans);
}

struct kp_attachment kp_machine_plans(const kp_config *config, const struct kp_tuned *tuned)
{
    struct machine_plans *plans = calloc(1, sizeof *plans);
    if (!plans)
        return (struct kp_attachment){.data = NULL};
    pthread_mutex_init(&plans->lock, NULL);
    plans->ends.older = plans->ends.younger = &plans->ends;
    plans->config = *config;
    plans->tuned = *tuned;
    plans->users = 1;
    return (struct kp_attachment){plans, abandon};
}

struct kp_shared_plan *kp_plan_serving(kp_group *member, const kp_problem *asked,
                                       const kp_hints *hints, kp_problem *problem,
                                       kp_discipline *rounds)
{
    struct machine_plans *plans = plans_of(member);
    struct kp_shared_plan *plan = NULL;
    pthread_mutex_lock(&plans->lock);
    struct entry *entry = find_or_make(plans, asked);
    if (entry)
        make_room(plans, entry->plan);
    if (entry && is_right(entry, asked, hints)) {
        plan = entry->plan;
        *problem = entry->problem;
        *rounds = entry->rounds;
        plan->references++;
        plans->users++;
    }
    pthread_mutex_unlock(&plans->lock);
    return plan;
}

void kp_plan_hold(struct kp_shared_plan *plan)
{
    pthread_mutex_lock(&plan->machine->lock);
    plan->references++;
    plan->machine->users++;
    pthread_mutex_unlock(&plan->machine->lock);
}

void kp_plan_release(struct kp_shared_plan *plan)
{
    struct machine_plans *plans = plan->machine;
    pthread_mutex_lock(&plans->lock);
    let_go(plan);
    unlock_and_leave(plans);
}

const struct kp_tuned *kp_plan_tuned(const kp_group *member)
{
    return &plans_of(member)->tuned;
}

int kp_tuned_by(kp_group *group, char *text, size_t size)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    if (!text && size > 0)
        return kp_member_leave(group, kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                                                    "text is NULL; with a size of 0 it may be"));
    const struct kp_tuned *tuned = kp_plan_tuned(group);
    return kp_member_leave(group, snprintf(text, size, "%s%s", tuned->why,
                                           tuned->measured ? "; first calls are measured" : ""));
}
