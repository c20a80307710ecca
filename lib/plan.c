#include "lib/plan.h"

#include "lib/execute_lengths.h"
#include "lib/operation.h"
#include "lib/operator.h"
#include "lib/problem.h"
#include "lib/profile.h"
#include "lib/route/spare.h"
#include "lib/steps.h"
#include "ports/error.h"
#include "ports/machine_data.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEAT_PLANS 16  /* a power of two */
#define BUCKETS    256 /* a power of two */

/* What a seat keeps. */
struct tuned;
struct seat_plans {
    struct kp_latest latest;
    struct kp_prepared *prepared[SEAT_PLANS]; /* made when first used; they stay where they are */
    struct machine_plans *machine;
    char *scratch;
    size_t scratch_bytes;
    struct kp_lengths *lengths;
    struct kp_spare *spare;
    struct kp_trials *trials;  /* NULL: none were begun */
    const struct tuned *tuned; /* the machine's; NULL: not asked yet */
};

/* What the machine keeps: problems, as they were asked and as they were resolved, and the plans
 * that serve them. */
struct entry {
    struct entry *next;
    struct kp_plan_key key;
    kp_problem problem;
    kp_discipline rounds; /* where the tuner chooses that */
    struct kp_shared_plan *plan;
    uint64_t used; /* the machine's clock at its last use */
};

/* By what is chosen: found when first needed, and then the same for all members to the end. */
struct tuned {
    bool known, measured;
    const kp_profile *profile; /* NULL: the built-in model */
    kp_profile *own;           /* to be freed with the machine's plans */
    char why[512];
};

struct machine_plans {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
    uint64_t clock;
    size_t bytes;
    size_t most;
    unsigned seats; /* and persistent plans that refer to it */
    bool abandoned; /* the machine has let go of it */
    struct tuned tuned;
};

/* --- Keys --- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static struct kp_plan_key key_of(const kp_problem *p)
{
    return (struct kp_plan_key){
        .problem = *p, .element = kp_element_bytes(p), .ordered = kp_is_ordered(p)};
}

/* The products do not depend on each other: this stands on the way of every call. Roots are left
 * out: most schedules serve them all. */
static uint64_t hash_of(const kp_problem *p)
{
    _Static_assert(KP_PARAMETERS == 4, "every value counts");
    uint64_t hash = p->b * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= (uint64_t)(uintptr_t)p->algorithm * UINT64_C(0xc2b2ae3d27d4eb4f);
    hash ^= ((uint64_t)p->operation + 1) * UINT64_C(0x165667b19e3779f9);
    hash ^= (uint64_t)p->values[0] * UINT64_C(0xd6e8feb86659fd93);
    hash ^= (uint64_t)p->values[1] * UINT64_C(0xa0761d6478bd642f);
    hash ^= (uint64_t)p->values[2] * UINT64_C(0xe7037ed1a0b428db);
    hash ^= (uint64_t)p->values[3] * UINT64_C(0x8ebc6af09c88c6e3);
    hash ^= (uint64_t)kp_target_from_root(p) * UINT64_C(0x9fb21c651e98df25);
    hash ^= ((uint64_t)p->n << 24 ^ (uint64_t)p->k) * UINT64_C(0x589965cc75374cc3);
    return hash ^ hash >> 32;
}

/* Whether the schedule, or the choice of the algorithm, depends on the root. */
static bool is_of_root(const kp_problem *found)
{
    return found->algorithm->own_root || kp_operation_has_target(found->operation);
}

/* Whether what was found for `key` serves `asked`. */
static bool serves(const struct kp_plan_key *key, const kp_problem *asked)
{
    const kp_problem *a = &key->problem;
    return a->b == asked->b && a->algorithm == asked->algorithm &&
           a->operation == asked->operation && a->n == asked->n && a->k == asked->k &&
           memcmp(a->values, asked->values, sizeof a->values) == 0 &&
           key->element == kp_element_bytes(asked) && key->ordered == kp_is_ordered(asked) &&
           kp_target_from_root(a) == kp_target_from_root(asked) &&
           (!key->of_root || a->root == asked->root);
}

/* Equal at all members whose calls are served by the same plan with the same b. Names, not
 * addresses: two copies of an algorithm's row are the same algorithm. */
uint64_t kp_plan_fingerprint(const kp_problem *p)
{
    uint64_t hash = mix((uint64_t)p->operation + 1, p->b);
    for (const char *c = p->algorithm ? p->algorithm->name : ""; *c; c++)
        hash = mix(hash, (unsigned char)*c);
    for (int i = 0; i < KP_PARAMETERS; i++)
        hash = mix(hash, (uint64_t)p->values[i]);
    return mix(hash, (uint64_t)p->target);
}

/* --- The machine's plans, under their lock --- */

static void drop_plan(struct machine_plans *plans, struct kp_shared_plan *plan)
{
    if (--plan->references > 0)
        return;
    plans->bytes -= plan->schedule->bytes + sizeof *plan;
    kp_schedule_free(plan->schedule);
    free(plan);
}

static void drop_entry(struct machine_plans *plans, struct entry **link)
{
    struct entry *entry = *link;
    *link = entry->next;
    drop_plan(plans, entry->plan);
    plans->bytes -= sizeof *entry;
    free(entry);
}

static void free_if_unused(struct machine_plans *plans)
{
    bool unused = plans->abandoned && plans->seats == 0;
    pthread_mutex_unlock(&plans->lock);
    if (!unused)
        return;
    pthread_mutex_destroy(&plans->lock);
    free(plans);
}

static void abandon(void *data)
{
    struct machine_plans *plans = data;
    pthread_mutex_lock(&plans->lock);
    for (int i = 0; i < BUCKETS; i++) {
        while (plans->buckets[i])
            drop_entry(plans, &plans->buckets[i]);
    }
    plans->abandoned = true;
    kp_profile_free(plans->tuned.own);
    plans->tuned = (struct tuned){.known = true};
    free_if_unused(plans);
}

static struct machine_plans *plans_of_machine(kp_group *seat)
{
    kp_port_lock(seat);
    struct kp_attachment *attachment = kp_port_machine_attachment(seat);
    struct machine_plans *plans = attachment->data;
    if (!plans && (plans = calloc(1, sizeof *plans))) {
        pthread_mutex_init(&plans->lock, NULL);
        plans->most = kp_port_config(seat)->plan_bytes;
        attachment->data = plans;
        attachment->free = abandon;
    }
    if (plans) {
        pthread_mutex_lock(&plans->lock);
        plans->seats++;
        pthread_mutex_unlock(&plans->lock);
    }
    kp_port_unlock(seat);
    return plans;
}

static struct entry *look_up(struct machine_plans *plans, const kp_problem *key)
{
    struct entry *entry = plans->buckets[hash_of(key) & (BUCKETS - 1)];
    while (entry && !serves(&entry->key, key))
        entry = entry->next;
    if (entry)
        entry->used = ++plans->clock;
    return entry;
}

/* Drops what was not used for longest until the rest fits. Not the plan that has just been found:
 * the other processors are about to ask for it, and one that alone is larger than the bound would
 * be built anew by each of them. */
static void make_room(struct machine_plans *plans, const struct kp_shared_plan *found)
{
    while (plans->bytes > plans->most) {
        struct entry **oldest = NULL;
        for (int i = 0; i < BUCKETS; i++) {
            for (struct entry **link = &plans->buckets[i]; *link; link = &(*link)->next) {
                if ((*link)->plan != found && (!oldest || (*link)->used < (*oldest)->used))
                    oldest = link;
            }
        }
        if (!oldest)
            return;
        drop_entry(plans, oldest);
    }
}

static struct entry *insert(struct machine_plans *plans, const kp_problem *key,
                            const kp_problem *problem, struct kp_shared_plan *plan)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) {
        kp_set_error(KP_EMEMORY, "no memory to keep a plan");
        return NULL;
    }
    struct entry **bucket = &plans->buckets[hash_of(key) & (BUCKETS - 1)];
    *entry = (struct entry){.next = *bucket,
                            .key = key_of(key),
                            .problem = *problem,
                            .plan = plan,
                            .used = ++plans->clock};
    entry->key.of_root = is_of_root(problem);
    entry->key.problem.op = entry->problem.op = NULL;
    *bucket = entry;
    plan->references++;
    plans->bytes += sizeof *entry;
    return entry;
}

static struct kp_shared_plan *build(struct machine_plans *plans, const kp_problem *problem)
{
    struct kp_shared_plan *plan = calloc(1, sizeof *plan);
    if (!plan) {
        kp_set_error(KP_EMEMORY, "no memory for a plan");
        return NULL;
    }
    if (kp_schedule_build_exact(problem, &plan->schedule) != KP_OK) {
        free(plan);
        return NULL;
    }
    plan->schedule->problem.op = NULL;
    plan->machine = plans;
    kp_cost cost = kp_schedule_cost(plan->schedule, (size_t)plan->schedule->units_of_block);
    plan->c1 = (int64_t)cost.c1;
    plan->c2_units = (int64_t)cost.c2;
    plans->bytes += plan->schedule->bytes + sizeof *plan;
    return plan;
}

/* The plan of a problem with nothing left open. Those that differ only in b share it, unless the
 * algorithm splits blocks. */
static struct kp_shared_plan *resolve(struct machine_plans *plans, const kp_problem *problem)
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
    if (entry)
        return entry->plan;
    struct kp_shared_plan *plan = build(plans, &key);
    if (plan && !insert(plans, &key, &key, plan)) {
        plan->references = 1;
        drop_plan(plans, plan);
        return NULL;
    }
    return plan;
}

kp_model kp_plan_model(const kp_group *seat, int n, int k)
{
    const kp_config *config = kp_port_config(seat);
    kp_model model = kp_model_builtin(n, k);
    if (config->beta_us > 0)
        model.beta_us = config->beta_us;
    if (config->tau_us > 0)
        model = (kp_model){.beta_us = model.beta_us, .tau_us = config->tau_us};
    return model;
}

/* Under the lock of the plans. A profile that is refused is no error of the call's: kp_tuned_by
 * tells. */
static const struct tuned *tuned_of(const kp_group *seat, struct machine_plans *plans)
{
    const kp_config *config = kp_port_config(seat);
    struct tuned *t = &plans->tuned;
    kp_error_record before = *kp_error_slot();
    if (t->known)
        return t;
    t->known = true;
    t->measured = config->tuning == KP_TUNING_MEASURED;
    t->profile = config->profile;
    if (config->beta_us > 0 || config->tau_us > 0) {
        snprintf(t->why, sizeof t->why, "the linear model: the config has beta_us or tau_us");
    } else if (config->tuning == KP_TUNING_BUILTIN) {
        t->profile = NULL;
        snprintf(t->why, sizeof t->why, "the built-in model: the config says so");
    } else if (config->profile) {
        snprintf(t->why, sizeof t->why, "the profile that the config has");
    } else {
        bool asked = false;
        int state; /* files are cancellation points, and no call of kport is one */
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
        if (kp_profile_from_environment(&t->own, &asked, t->why, sizeof t->why))
            *kp_error_slot() = before;
        pthread_setcancelstate(state, NULL);
        t->profile = t->own;
        t->measured = t->measured || asked;
    }
    return t;
}

static bool is_open(const kp_problem *asked)
{
    int count = asked->algorithm ? kp_parameter_count(asked->algorithm) : 0;
    for (int i = 0; i < count; i++) {
        if (asked->values[i] == 0)
            return true;
    }
    return !asked->algorithm;
}

static struct entry *find_or_make(const kp_group *seat, struct machine_plans *plans,
                                  const kp_problem *asked)
{
    struct entry *entry = look_up(plans, asked);
    if (entry)
        return entry;
    kp_prediction choice;
    const kp_profile *profile = is_open(asked) ? tuned_of(seat, plans)->profile : NULL;
    if (kp_predict(kp_port_config(seat), profile, asked, NULL, NULL, &choice) != KP_OK)
        return NULL;
    const kp_problem *problem = &choice.problem;
    struct kp_shared_plan *plan = resolve(plans, problem);
    if (!plan)
        return NULL;
    /* Where nothing was left open and b does not count, that was the entry already. */
    entry = look_up(plans, asked);
    if (!entry && (entry = insert(plans, asked, problem, plan)))
        entry->rounds = choice.rounds;
    return entry;
}

/* --- A seat's plans --- */

static void free_seat(void *data)
{
    struct seat_plans *own = data;
    pthread_mutex_lock(&own->machine->lock);
    for (int i = 0; i < SEAT_PLANS; i++) {
        if (own->prepared[i] && own->prepared[i]->plan)
            drop_plan(own->machine, own->prepared[i]->plan);
        if (own->prepared[i])
            kp_steps_free(own->prepared[i]->steps);
        free(own->prepared[i]);
    }
    own->machine->seats--;
    free_if_unused(own->machine);
    free(own->scratch);
    kp_lengths_free(own->lengths);
    kp_spare_release(own->spare);
    free(own->trials);
    free(own);
}

static struct seat_plans *plans_of_seat(kp_group *seat)
{
    struct kp_attachment *attachment = kp_port_seat_attachment(seat);
    if (attachment->data)
        return attachment->data;
    struct seat_plans *own = calloc(1, sizeof *own);
    if (own)
        own->machine = plans_of_machine(seat);
    if (!own || !own->machine) {
        free(own);
        return NULL;
    }
    attachment->data = own;
    attachment->free = free_seat;
    return own;
}

void kp_plan_forget_steps(struct kp_prepared *prepared)
{
    kp_steps_free(prepared->steps);
    prepared->steps = NULL;
    prepared->steps_tried = false;
}

static bool prepare(kp_group *seat, struct seat_plans *own, const kp_problem *asked,
                    struct kp_prepared *prepared)
{
    struct machine_plans *plans = own->machine;
    bool by_tuner_barrier = false;
    pthread_mutex_lock(&plans->lock);
    struct entry *entry = find_or_make(seat, plans, asked);
    if (entry) {
        if (prepared->plan)
            drop_plan(plans, prepared->plan);
        entry->plan->references++;
        prepared->plan = entry->plan;
        prepared->asked = key_of(asked);
        prepared->asked.problem.op = NULL;
        prepared->asked.of_root = is_of_root(&entry->problem);
        prepared->problem = entry->problem;
        prepared->problem.b = asked->b;
        prepared->trace_subject = 0;
        by_tuner_barrier = entry->rounds == KP_ROUNDS_BY_BARRIER &&
                           kp_port_config(seat)->discipline == KP_ROUNDS_BY_TUNER;
        prepared->recent.valid = prepared->again.plain = false;
        kp_plan_forget_steps(prepared);
        make_room(plans, entry->plan);
    }
    pthread_mutex_unlock(&plans->lock);
    if (!entry)
        return false;
    prepared->unit_bytes = asked->b / (size_t)prepared->plan->schedule->units_of_block;
    prepared->fingerprint = kp_plan_fingerprint(&prepared->problem);
    prepared->c1 = (uint64_t)prepared->plan->c1;
    prepared->c2 = (uint64_t)prepared->plan->c2_units * prepared->unit_bytes;
    kp_execution_prepare(&prepared->execution, prepared->plan->schedule, prepared->unit_bytes, seat,
                         !by_tuner_barrier);
    return true;
}

struct kp_prepared *kp_plan_find(kp_group *seat, const kp_problem *asked)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (!own) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a seat's plans");
        return NULL;
    }
    struct kp_prepared **slot = &own->prepared[hash_of(asked) & (SEAT_PLANS - 1)];
    if (!*slot && !(*slot = kp_lines_zeroed(1, sizeof **slot))) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a plan");
        return NULL;
    }
    struct kp_prepared *prepared = *slot;
    if (prepared->plan && serves(&prepared->asked, asked))
        return prepared;
    if (prepare(seat, own, asked, prepared))
        return prepared;
    kp_error_record why = *kp_error_slot();
    kp_port_error(seat, why.status, -1, -1, -1, "%s", why.sentence);
    return NULL;
}

void kp_plan_set_recent(kp_group *seat, kp_operation operation, struct kp_prepared *prepared)
{
    struct seat_plans *own = kp_port_seat_attachment(seat)->data;
    own->latest.of[operation] = prepared;
}

void kp_plan_hold(struct kp_shared_plan *plan)
{
    pthread_mutex_lock(&plan->machine->lock);
    plan->references++;
    plan->machine->seats++;
    pthread_mutex_unlock(&plan->machine->lock);
}

void kp_plan_release(struct kp_shared_plan *plan)
{
    struct machine_plans *plans = plan->machine;
    pthread_mutex_lock(&plans->lock);
    drop_plan(plans, plan);
    plans->seats--;
    free_if_unused(plans);
}

char *kp_plan_scratch(kp_group *seat, size_t bytes)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (!own)
        return NULL;
    if (bytes > own->scratch_bytes || !own->scratch) {
        void *memory;
        if (posix_memalign(&memory, 64, bytes > 0 ? bytes : 64) != 0)
            return NULL;
        free(own->scratch);
        own->scratch = memory;
        own->scratch_bytes = bytes;
    }
    return own->scratch;
}

struct kp_lengths *kp_plan_lengths(kp_group *seat)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (own && !own->lengths)
        own->lengths = calloc(1, sizeof *own->lengths);
    return own ? own->lengths : NULL;
}

struct kp_spare *kp_plan_spare(kp_group *seat)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (own && !own->spare)
        own->spare = kp_spare_make();
    return own ? own->spare : NULL;
}

/* It stays as it is once it is known. */
static const struct tuned *tuned_of_seat(struct seat_plans *own, const kp_group *seat)
{
    if (!own->tuned) {
        pthread_mutex_lock(&own->machine->lock);
        own->tuned = tuned_of(seat, own->machine);
        pthread_mutex_unlock(&own->machine->lock);
    }
    return own->tuned;
}

bool kp_plan_profile(kp_group *seat, const kp_profile **profile, bool *measured)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (!own)
        return false;
    *profile = tuned_of_seat(own, seat)->profile;
    *measured = own->tuned->measured;
    return true;
}

struct kp_trials **kp_plan_trials(kp_group *seat)
{
    struct seat_plans *own = plans_of_seat(seat);
    return own ? &own->trials : NULL;
}

static int tuned_by(kp_group *seat, char *text, size_t size)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (!own)
        return kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a seat's plans");
    const struct tuned *tuned = tuned_of_seat(own, seat);
    return snprintf(text, size, "%s%s", tuned->why,
                    tuned->measured ? "; first calls are measured" : "");
}

int kp_tuned_by(kp_group *group, char *text, size_t size)
{
    int status = kp_port_enter(group);
    if (status)
        return status;
    if (!text && size > 0)
        return kp_port_leave(group, kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                                                  "text is NULL; with a size of 0 it may be"));
    return kp_port_leave(group, tuned_by(group, text, size));
}
