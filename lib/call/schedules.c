/* The schedules of a machine. An entry has a problem as it was asked, the problem with nothing left
 * open, and the schedule that serves it. If the schedules take too much memory, the machine drops
 * the entry that was used least recently. */
#include "lib/call/prepared.h"

#include "lib/check/verdict.h"
#include "lib/problem/holders.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/problem/rows.h"
#include "lib/schedule/elements.h"
#include "lib/tune/profile.h"
#include "ports/port.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024 /* a power of two */

/* A problem and its schedule. The operator may be gone by the next call, so its properties are
 * copied. */
struct entry {
    struct entry *next;            /* the next entry of the bucket */
    struct entry *older, *younger; /* the neighbours in the list by last use */
    kp_problem asked, problem;     /* `problem` is `asked` with nothing left open */
    size_t element;                /* the bytes of an element */
    bool ordered;
    bool of_root; /* the schedule, or the choice of the algorithm, is for this root only */
    kp_discipline discipline; /* the chosen discipline, if the tuner chooses it */
    struct kp_shared_schedule *serving;
};

struct machine_schedules {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
    /* The ends of the list by last use: `younger` is the least recently used entry, `older` the
     * most recently used one. */
    struct entry ends;
    size_t bytes;        /* the bytes of the entries and of their schedules */
    unsigned long users; /* the number of users: the machine, and each holder of a schedule */
    kp_config config;
    struct kp_tuned tuned;
};

/* --- Entries, under the lock --- */

/* The root is left out of the hash, because most schedules serve all roots. */
static struct entry **bucket_of(struct machine_schedules *schedules, const kp_problem *p)
{
    uint64_t hash = kp_hash((uint64_t)p->operation, p->b);
    hash = kp_hash(hash, (uint64_t)(uintptr_t)p->algorithm);
    for (int i = 0; i < KP_PARAMETERS; i++)
        hash = kp_hash(hash, (uint64_t)p->values[i]);
    hash = kp_hash(hash, (uint64_t)kp_target_from_root(p) << 32 ^ (uint64_t)p->n);
    hash = kp_hash(hash, (uint64_t)p->per_process);
    return &schedules->buckets[hash & (BUCKETS - 1)];
}

static bool serves(const struct entry *entry, const kp_problem *p)
{
    const kp_problem *a = &entry->asked;
    return a->b == p->b && a->algorithm == p->algorithm && a->operation == p->operation &&
           a->n == p->n && a->k == p->k && a->per_process == p->per_process &&
           a->same_order == p->same_order && memcmp(a->values, p->values, sizeof a->values) == 0 &&
           entry->element == kp_element_bytes(p) && entry->ordered == kp_is_ordered(p) &&
           kp_target_from_root(a) == kp_target_from_root(p) &&
           (!entry->of_root || a->root == p->root);
}

static void take_out(struct entry *entry)
{
    entry->older->younger = entry->younger;
    entry->younger->older = entry->older;
}

static void make_youngest(struct machine_schedules *schedules, struct entry *entry)
{
    entry->younger = &schedules->ends;
    entry->older = schedules->ends.older;
    entry->older->younger = schedules->ends.older = entry;
}

static struct entry *look_up(struct machine_schedules *schedules, const kp_problem *asked)
{
    struct entry *entry = *bucket_of(schedules, asked);
    while (entry && !serves(entry, asked))
        entry = entry->next;
    if (entry) {
        take_out(entry);
        make_youngest(schedules, entry);
    }
    return entry;
}

static void let_go(struct kp_shared_schedule *shared)
{
    if (--shared->references > 0)
        return;
    kp_schedule_free(shared->schedule);
    free(shared->verdicts);
    free(shared);
}

static void drop_entry(struct machine_schedules *schedules, struct entry *entry)
{
    struct entry **link = bucket_of(schedules, &entry->asked);
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    take_out(entry);
    schedules->bytes -=
        sizeof *entry + (--entry->serving->entries == 0 ? entry->serving->bytes : 0);
    let_go(entry->serving);
    free(entry);
}

/* Drops entries, but not the schedule that has just been found, because the other members are about
 * to ask for it. If that schedule alone is larger than the bound, each member would otherwise build
 * it again. */
static void make_room(struct machine_schedules *schedules, const struct kp_shared_schedule *found)
{
    struct entry *entry = schedules->ends.younger;
    while (schedules->bytes > schedules->config.plan_bytes && entry != &schedules->ends) {
        struct entry *younger = entry->younger;
        if (entry->serving != found)
            drop_entry(schedules, entry);
        entry = younger;
    }
}

static struct entry *insert(struct machine_schedules *schedules, const kp_problem *asked,
                            const kp_problem *problem, struct kp_shared_schedule *shared)
{
    struct entry *entry = malloc(sizeof *entry), **bucket = bucket_of(schedules, asked);
    if (!entry) {
        kp_set_error(KP_EMEMORY, "no memory to keep a schedule");
        return NULL;
    }
    *entry = (struct entry){.next = *bucket,
                            .asked = *asked,
                            .problem = *problem,
                            .element = kp_element_bytes(asked),
                            .ordered = kp_is_ordered(asked),
                            .of_root = problem->algorithm->own_root ||
                                       kp_operation_has_target(problem->operation),
                            .serving = shared};
    entry->asked.op = entry->problem.op = NULL;
    *bucket = entry;
    make_youngest(schedules, entry);
    schedules->bytes += sizeof *entry + (shared->entries++ == 0 ? shared->bytes : 0);
    shared->references++;
    return entry;
}

/* --- Schedules, under the lock --- */

/* Builds a schedule, with a reference for the caller. */
static struct kp_shared_schedule *build(struct machine_schedules *schedules,
                                        const kp_problem *problem)
{
    struct kp_shared_schedule *shared = calloc(1, sizeof *shared);
    const bool listed = kp_row_is_library(problem->algorithm);
    struct kp_verdicts *verdicts = listed ? NULL : calloc(1, sizeof *verdicts);
    if (!shared || (!listed && !verdicts)) {
        kp_set_error(KP_EMEMORY, "no memory for a schedule");
        free(verdicts);
        free(shared);
        return NULL;
    }
    *shared = (struct kp_shared_schedule){.references = 1,
                                          .machine = schedules,
                                          .bytes = sizeof *shared + (listed ? 0 : sizeof *verdicts),
                                          .verdicts = verdicts};
    int status = kp_schedule_build_exact(problem, &shared->schedule);
    if (status == KP_OK) {
        shared->schedule->problem.op = NULL;
        kp_cost cost = kp_schedule_cost(shared->schedule, (size_t)shared->schedule->units_of_block);
        shared->c1 = cost.c1;
        shared->c2_units = cost.c2;
        shared->bytes += shared->schedule->bytes;
    } else if (status == KP_ESCHEDULE && !listed) { /* so that no other member tries to build it */
        kp_verdict_unbuilt(verdicts);
    } else {
        let_go(shared);
        return NULL;
    }
    return shared;
}

/* Returns the entry of a problem with nothing left open. Problems that differ only in b share an
 * entry, unless the algorithm splits blocks. */
static struct entry *resolve(struct machine_schedules *schedules, const kp_problem *problem)
{
    kp_problem key = *problem;
    if (!key.algorithm->own_root) {
        key.target = kp_target_from_root(problem);
        key.root = 0;
    }
    key.in_place = key.same_order = 0;
    if (!key.algorithm->splits || !key.algorithm->splits(&key))
        key.b = 0;
    struct entry *entry = look_up(schedules, &key);
    struct kp_shared_schedule *shared = entry ? NULL : build(schedules, &key);
    if (shared) {
        entry = insert(schedules, &key, &key, shared);
        let_go(shared);
    }
    return entry;
}

static struct entry *find_or_make(struct machine_schedules *schedules, const kp_problem *asked)
{
    kp_prediction choice;
    struct entry *entry = look_up(schedules, asked);
    if (entry)
        return entry;
    const kp_profile *profile = kp_problem_is_open(asked) ? schedules->tuned.profile : NULL;
    if (kp_predict(&schedules->config, profile, asked, NULL, NULL, &choice) != KP_OK)
        return NULL;
    struct entry *resolved = resolve(schedules, &choice.problem);
    if (!resolved)
        return NULL;
    /* If `asked` leaves nothing open, the entry that `resolve` found or inserted may serve `asked`.
     */
    entry = look_up(schedules, asked);
    if (!entry && (entry = insert(schedules, asked, &choice.problem, resolved->serving)))
        entry->discipline = choice.rounds;
    return entry;
}

/* Returns whether the schedule may be executed. An algorithm of the caller's own is checked first,
 * unless it is trusted. Its stated cost is checked for the problem that is asked. */
static bool is_right(const struct entry *entry, const kp_problem *asked, bool trusted)
{
    const struct kp_shared_schedule *shared = entry->serving;
    if (!shared->verdicts || (shared->schedule && trusted))
        return true;
    kp_problem problem = *asked;
    problem.algorithm = entry->problem.algorithm;
    memcpy(problem.values, entry->problem.values, sizeof problem.values);
    return kp_verdict_find(shared->verdicts, shared->schedule, &problem) == KP_OK;
}

/* --- What takes the lock --- */

static struct machine_schedules *calls_of_member(const kp_group *member)
{
    return kp_port_machine_attachment(kp_port_machine(member))->data;
}

const kp_config *kp_machine_config(const kp_group *member)
{
    return &calls_of_member(member)->config;
}

static void unlock_and_leave(struct machine_schedules *schedules)
{
    const bool last = --schedules->users == 0;
    pthread_mutex_unlock(&schedules->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&schedules->lock);
    free(schedules);
    kp_holders_leave();
}

static void abandon(void *data)
{
    struct machine_schedules *schedules = data;
    pthread_mutex_lock(&schedules->lock);
    while (schedules->ends.older != &schedules->ends)
        drop_entry(schedules, schedules->ends.older);
    kp_profile_free(schedules->tuned.own);
    unlock_and_leave(schedules);
}

struct kp_attachment kp_machine_schedules(const kp_config *config, const struct kp_tuned *tuned)
{
    struct machine_schedules *schedules = calloc(1, sizeof *schedules);
    if (!schedules)
        return (struct kp_attachment){.data = NULL};
    kp_holders_enter();
    pthread_mutex_init(&schedules->lock, NULL);
    schedules->ends.older = schedules->ends.younger = &schedules->ends;
    schedules->config = *config;
    schedules->tuned = *tuned;
    schedules->users = 1;
    return (struct kp_attachment){schedules, abandon};
}

struct kp_shared_schedule *kp_shared_schedule_serving(kp_group *member, const kp_problem *asked,
                                                      bool trusted, kp_problem *problem,
                                                      kp_discipline *discipline)
{
    struct machine_schedules *schedules = calls_of_member(member);
    struct kp_shared_schedule *shared = NULL;
    pthread_mutex_lock(&schedules->lock);
    struct entry *entry = find_or_make(schedules, asked);
    if (entry)
        make_room(schedules, entry->serving);
    if (entry && is_right(entry, asked, trusted)) {
        shared = entry->serving;
        *problem = entry->problem;
        *discipline = entry->discipline;
        shared->references++;
        schedules->users++;
    }
    pthread_mutex_unlock(&schedules->lock);
    return shared;
}

void kp_shared_schedule_hold(struct kp_shared_schedule *shared)
{
    pthread_mutex_lock(&shared->machine->lock);
    shared->references++;
    shared->machine->users++;
    pthread_mutex_unlock(&shared->machine->lock);
}

void kp_shared_schedule_release(struct kp_shared_schedule *shared)
{
    struct machine_schedules *schedules = shared->machine;
    pthread_mutex_lock(&schedules->lock);
    let_go(shared);
    unlock_and_leave(schedules);
}

const struct kp_tuned *kp_machine_tuned(const kp_group *member)
{
    return &calls_of_member(member)->tuned;
}

int kp_tuned_by(kp_group *group, char *text, size_t size)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    if (!text && size > 0)
        return kp_member_leave(group,
                               kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                                             "text is NULL; only with a size of 0 it may be NULL"));
    const struct kp_tuned *tuned = kp_machine_tuned(group);
    return kp_member_leave(group, snprintf(text, size, "%s%s", tuned->why,
                                           tuned->measured ? "; first calls are measured" : ""));
}
